// Generators and iterators: send, throw, close, delegation, return values, partly consumed ones, classes of the
// program's own, and functions of the standard library on them.
#include <array>

#include "seedgen/bases/snippets.h"

namespace jp::seedgen::generators_table {
namespace {

constexpr std::string_view kCount = R"(def count(n):
    i = 0
    while i < n:
        got = yield i
        i += 1 if got is None else got
    return "end"
)";
constexpr std::string_view kGuarded = R"(log = []


def guarded(n):
    try:
        for i in range(n):
            yield i
    except ValueError as e:
        log.append("caught")
        yield e.args[0]
    finally:
        log.append("closed")
)";
constexpr std::string_view kDelegate = R"(def inner(n):
    total = 0
    for i in range(n):
        total += yield i
    return total


def outer(n):
    result = yield from inner(n)
    yield ("result", result)
)";
constexpr std::string_view kCountdown = R"(class Countdown:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n <= 0:
            raise StopIteration
        self.n -= 1
        return self.n
)";
constexpr std::string_view kSequence = R"(class Squares:
    def __init__(self, n):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError(i)
        return i * i
)";

constexpr auto kSnippets = std::to_array<Snippet>({
    {"return x + sum(count(k)), list(count(k))\n", kCount, "2", "4", "0"},
    {"g = count(9)\nfirst = next(g)\nsecond = g.send(k)\nreturn x + first + second, next(g)\n", kCount, "2", "3", "4"},
    {"g = count(k)\nwhile True:\n    try:\n        x = x + next(g)\n    except StopIteration as stop:\n        return "
     "x, stop.value\n",
     kCount},
    {"g = count(5)\nnext(g)\ng.close()\nreturn x + k, next(g, \"none\")\n", kCount},
    {"g = count(5)\nfor i in g:\n    if i == k:\n        break\n    x = x * 2\nreturn x, list(g)\n", kCount},
    {"g = count(k)\nreturn x + k, next(g, None), next(g, None), next(g, None)\n", kCount},
    {"log.clear()\ng = guarded(4)\nnext(g)\nvalue = g.throw(ValueError(k))\nreturn x + value, list(g), list(log)\n",
     kGuarded},
    {"log.clear()\ng = guarded(4)\nx = x + next(g) + k\ng.close()\nreturn x, list(log)\n", kGuarded},
    {"log.clear()\ng = guarded(k)\nx = x + sum(g)\nreturn x, list(log)\n", kGuarded},
    {"log.clear()\ng = guarded(4)\ntry:\n    g.throw(KeyError(k))\nexcept KeyError as e:\n    return x + e.args[0], "
     "list(log)\n",
     kGuarded},
    {"log.clear()\nfor i in guarded(4):\n    if i == k:\n        break\n    x = x + i\nreturn x, k\n", kGuarded},
    {"g = outer(k)\nnext(g)\nvalues = []\ntry:\n    while True:\n        values.append(g.send(10))\nexcept "
     "StopIteration:\n    pass\nreturn x + len(values), values\n",
     kDelegate, "2", "3", "1"},
    {"def both():\n    yield from range(k)\n    yield from (x, x + k)\n\nreturn list(both())\n", "", "2", "3", "0"},
    {"def values():\n    yield x\n    yield x * k\n    return\n    yield x * 100\n\na, b = values()\nreturn a + b\n"},
    {"def values():\n    y = x\n    for i in range(3):\n        y = y + k\n        yield y\n\nreturn [v.sum() for v in "
     "values()]\n"},
    {"def numbered():\n    nonlocal_k = k\n    while nonlocal_k < 5:\n        nonlocal_k += 1\n        yield "
     "nonlocal_k\n\nreturn x + sum(numbered())\n"},
    {"return x + sum(i * k for i in range(3))\n"},
    {"g = (i * k for i in range(3))\nreturn x + next(g), list(g), list(g)\n"},
    {"total = 0\n\ndef add():\n    nonlocal total\n    for i in range(3):\n        total += k\n        yield "
     "total\n\nfirst = next(add())\nreturn x + first, total\n"},
    {"return x + sum(Countdown(k)), list(Countdown(3))\n", kCountdown},
    {"it = Countdown(4)\nx = x + next(it) * k\nreturn x, list(it), it.n\n", kCountdown},
    {"it = Countdown(k)\nreturn x, next(it, \"none\"), it.n\n", kCountdown, "2", "1", "0"},
    {"return x + max(Countdown(5)) + k, k in Countdown(3), sorted(Countdown(3))\n", kCountdown},
    {"return x + sum(Squares(k)), list(Squares(k)), 4 in Squares(k)\n", kSequence, "2", "3", "0"},
    {"s = Squares(k)\nreturn x + len(s), bool(s), list(reversed(s)), list(enumerate(s, 1))\n", kSequence, "2", "3",
     "0"},
    {"it = iter([1, 2, 3])\nx = x + next(it) * k\nreturn x, list(it)\n"},
    {"it = iter([1, 2, 3, 4])\npairs = list(zip(it, it))\nreturn x + k, pairs\n"},
    {"a, *rest = range(k)\nreturn x + a, rest\n", "", "2", "3", "1"},
    {"for i, (a, b) in enumerate(zip(range(k), \"abc\"), start=k):\n    x = x + i * a\nreturn x\n", "", "2", "3", "1"},
    {"import itertools\n\nreturn x + sum(itertools.islice(itertools.count(k), 3)), list(itertools.accumulate([1, k, "
     "3]))\n"},
    {"import itertools\n\nreturn x + k, list(itertools.chain([1], [k])), list(itertools.product([1, 2], repeat=2))\n"},
    {"import itertools\n\na, b = itertools.tee(range(k))\nreturn x + sum(a), list(b)\n", "", "2", "3", "0"},
    {"import itertools\n\nreturn x, [(key, list(group)) for key, group in itertools.groupby([1, 1, k, k, 2])]\n"},
    {"import itertools\n\nreturn x + k, list(itertools.zip_longest(range(k), \"ab\", fillvalue=None))\n", "", "2", "3",
     "0"},
    {"import itertools\n\nreturn x, list(itertools.takewhile(lambda i: i < k, range(5))), "
     "list(itertools.dropwhile(lambda i: i < k, range(5)))\n"},
    {"return x + sum(map(lambda i: i + k, range(3))), list(filter(lambda i: i > k, range(5)))\n"},
    {"r = range(0, 10, k)\nreturn x + len(r), list(r), r[-1], 4 in r, r.step\n", "", "2", "3", "4"},
    {"r = range(10)[k::2]\nreturn x + r.start, list(r), r == range(k, 10, 2)\n", "", "2", "3", "5"},
    {"it = reversed(range(k))\nreturn x + next(it, 9), list(it)\n", "", "2", "3", "0"},
    {"import functools\n\nreturn x + functools.reduce(lambda a, b: a * b, [1, 2, k], 2)\n"},
    {"return x + any(i == k for i in range(3)), all(i < k for i in range(3))\n"},
    {"it = iter(range(5))\nreturn x + k, any(i == k for i in it), list(it)\n"},
});

const Register<Table, SnippetTable> registered(
    "generators", "how a generator or an iterator is made and used, where the value comes from that changes",
    kSnippets);

}  // namespace
}  // namespace jp::seedgen::generators_table
