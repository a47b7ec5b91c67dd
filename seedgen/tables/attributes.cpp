// Attributes and context managers: properties, hooks, slots, class attributes, descriptors, __exit__ that swallows.
#include <array>

#include "seedgen/bases/snippets.h"

namespace jp::seedgen::attributes_table {
namespace {

constexpr std::string_view kPlain = R"(class Plain:
    shared = 1

    def __init__(self, own):
        self.own = own
)";
constexpr std::string_view kProperty = R"(class Scaled:
    def __init__(self, n):
        self._n = n

    @property
    def n(self):
        return self._n * 2

    @n.setter
    def n(self, value):
        self._n = value + 1

    @n.deleter
    def n(self):
        self._n = 0
)";
constexpr std::string_view kGetattr = R"(class Dynamic:
    def __init__(self):
        self.seen = []

    def __getattr__(self, name):
        if name.startswith("no_"):
            raise AttributeError(name)
        self.seen.append(name)
        return len(name)
)";
constexpr std::string_view kSetattr = R"(class Logged:
    def __init__(self):
        object.__setattr__(self, "log", [])

    def __setattr__(self, name, value):
        self.log.append(name)
        object.__setattr__(self, name, value * 2)

    def __delattr__(self, name):
        self.log.append("-" + name)
        object.__delattr__(self, name)
)";
constexpr std::string_view kGetattribute = R"(class Watched:
    def __init__(self, n):
        self.n = n

    def __getattribute__(self, name):
        value = object.__getattribute__(self, name)
        return value + 1 if name == "n" else value
)";
constexpr std::string_view kSlots = R"(class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a
)";
constexpr std::string_view kDescriptor = R"(class Doubled:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, one, owner=None):
        return self if one is None else getattr(one, self.name) * 2

    def __set__(self, one, value):
        setattr(one, self.name, value)


class Holder:
    n = Doubled()
)";
constexpr std::string_view kFamily = R"(class Base:
    unit = 1

    def __init__(self, n):
        self.n = n

    @classmethod
    def make(cls, n):
        return cls(n + cls.unit)

    @staticmethod
    def double(n):
        return n * 2

    def value(self):
        return self.n


class Child(Base):
    unit = 10

    def value(self):
        return super().value() + self.unit


class Other(Base):
    def value(self):
        return super().value() * 3


class Both(Child, Other):
    pass
)";
constexpr std::string_view kCached = R"(import functools


class Lazy:
    def __init__(self, n):
        self.n = n
        self.times = 0

    @functools.cached_property
    def value(self):
        self.times += 1
        return self.n * 2
)";
constexpr std::string_view kCallable = R"(class Adder:
    def __init__(self, n):
        self.n = n

    def __call__(self, x, times=1):
        self.n += 1
        return x + self.n * times
)";
constexpr std::string_view kSwallow = R"(class Swallow:
    def __init__(self, kinds):
        self.kinds = kinds
        self.log = []

    def __enter__(self):
        self.log.append("in")
        return self

    def __exit__(self, kind, value, trace):
        self.log.append("out" if kind is None else kind.__name__)
        return kind is not None and issubclass(kind, self.kinds)
)";
constexpr std::string_view kManaged = R"(import contextlib

log = []


@contextlib.contextmanager
def managed(n):
    log.append(n)
    try:
        yield n * 2
    except ValueError:
        log.append("value")
    finally:
        log.append("end")
)";

constexpr auto kSnippets = std::to_array<Snippet>({
    {"p = Plain(k)\np.new = k * 2\nreturn x + p.own + p.new, sorted(vars(p))\n", kPlain},
    {"p = Plain(k)\np.shared += k\nreturn x + p.shared, Plain.shared, \"shared\" in vars(p)\n", kPlain},
    {"p = Plain(k)\ndel p.own\nreturn x + getattr(p, \"own\", 7), hasattr(p, \"own\"), hasattr(p, \"shared\")\n",
     kPlain},
    {"p = Plain(k)\nsetattr(p, \"a\" + str(k), 5)\nreturn x + getattr(p, f\"a{k}\"), getattr(p, \"b\", None)\n",
     kPlain},
    {"p = Plain(x)\np.own += k\np.own.mul_(2)\nreturn x, p.own is x\n", kPlain},
    {"p, q = Plain(k), Plain(k)\np.__dict__[\"own\"] = 9\nq.__dict__.update(own=k + 1, more=2)\nreturn x + p.own + "
     "q.own, q.more\n",
     kPlain},
    {"p = Plain(k)\np.shape = lambda y: y * k\nreturn p.shape(x), type(p) is Plain, isinstance(p, object)\n", kPlain},
    {"s = Scaled(k)\ns.n = 5\nreturn x + s.n, s._n\n", kProperty},
    {"s = Scaled(k)\ns.n += k\ny = x + s.n\ndel s.n\nreturn y, s.n\n", kProperty},
    {"d = Dynamic()\nreturn x + d.abc * k + d.abcd, d.seen, getattr(d, \"no_such\", k)\n", kGetattr},
    {"d = Dynamic()\nd.abc = k\nreturn x + d.abc, hasattr(d, \"no_way\"), hasattr(d, \"way\"), d.seen\n", kGetattr},
    {"one = Logged()\none.a = k\none.b = 3\ndel one.a\nreturn x + one.b, one.log, hasattr(one, \"a\")\n", kSetattr},
    {"w = Watched(k)\nw.n = w.n + 1\nreturn x + w.n, getattr(w, \"n\"), vars(w)[\"n\"]\n", kGetattribute},
    {"s = Slotted(k)\ntry:\n    s.c = 1\nexcept AttributeError:\n    s.b = 4\nreturn x + s.a + s.b, hasattr(s, "
     "\"__dict__\")\n",
     kSlots},
    {"s = Slotted(k)\ntry:\n    return x + s.b\nexcept AttributeError as e:\n    return x + s.a, type(e).__name__\n",
     kSlots},
    {"h = Holder()\nh.n = k\nreturn x + h.n, vars(h), type(Holder.n).__name__\n", kDescriptor},
    {"c = Child.make(k)\nreturn x + c.value(), Child.double(k), c.double(2), Base(k).value()\n", kFamily},
    {"b = Both(k)\nreturn x + b.value(), [one.__name__ for one in Both.__mro__], isinstance(b, Other)\n", kFamily},
    {"method = Child(k).value\nplain = Base.value\nreturn x + method() + plain(Child(k)), method.__self__.n, "
     "method.__name__\n",
     kFamily},
    {"c = Child(k)\nc.unit = k\ny = x + c.value()\ndel c.unit\nreturn y, c.value(), issubclass(Child, Base)\n",
     kFamily},
    {"one = Lazy(k)\na = one.value\none.n = 100\nreturn x + a + one.value, one.times, \"value\" in vars(one)\n",
     kCached},
    {"add = Adder(k)\nreturn add(add(x), times=2), add.n, callable(add)\n", kCallable},
    {"x.note = k\ny = x + x.note\ndel x.note\nreturn y, hasattr(x, \"note\"), getattr(x, \"note\", 5)\n"},
    {"def f(a, b=2, *c, d=4, **e):\n    return a + b + sum(c) + d + len(e)\n\nreturn x + f(k, *[1, 2], d=k, z=1), "
     "f.__defaults__, f(*(k,), **{\"b\": 5})\n"},
    {"def f():\n    f.calls = getattr(f, \"calls\", 0) + k\n    return f.calls\n\nf()\nreturn x + f(), f.calls\n"},
    {"with Swallow(ValueError) as s:\n    x = x + 1\n    if k > 2:\n        raise ValueError(k)\n    x = x * 2\nreturn "
     "x, s.log\n",
     kSwallow},
    {"s = Swallow(KeyError)\ntry:\n    with s:\n        raise ValueError(k)\nexcept ValueError as e:\n    return x + "
     "e.args[0], s.log\n",
     kSwallow},
    {"s = Swallow(ValueError)\nfor i in range(3):\n    with s:\n        if i == k:\n            break\n        x = x + "
     "i\nreturn x, s.log\n",
     kSwallow},
    {"s = Swallow(ValueError)\n\ndef inner():\n    with s:\n        return k\n\nreturn x + inner(), s.log\n", kSwallow},
    {"with Swallow(ValueError) as a, Swallow(KeyError) as b:\n    x = x + k\n    raise KeyError if k > 2 else "
     "ValueError\nreturn x, a.log, b.log\n",
     kSwallow},
    {"log.clear()\nwith managed(k) as n:\n    x = x + n\n    if k > 2:\n        raise ValueError\n    x = x * "
     "2\nreturn x, list(log)\n",
     kManaged},
    {"log.clear()\nwith contextlib.ExitStack() as stack:\n    values = [stack.enter_context(managed(i)) for i in (1, "
     "k)]\n    x = x + sum(values)\nreturn x, list(log)\n",
     kManaged},
    {"import contextlib\n\nwith contextlib.nullcontext(k) as n:\n    x = x + n\nreturn x\n"},
    {"with torch.no_grad():\n    y = x + k\nreturn y, torch.is_grad_enabled(), y.requires_grad\n"},
    {"with torch.set_grad_enabled(k > 2):\n    y = x.clone().requires_grad_() * 2\n    on = "
     "torch.is_grad_enabled()\nreturn y.requires_grad, on, x\n"},
});

const Register<Table, SnippetTable> registered(
    "attributes", "how an attribute or a context manager is used, where the value comes from that changes", kSnippets);

}  // namespace
}  // namespace jp::seedgen::attributes_table
