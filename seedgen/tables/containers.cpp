// Containers and subclasses of them: order, deletion, defaults, views, unpacking, copies.
#include <array>

#include "seedgen/bases/snippets.h"

namespace jp::seedgen::containers_table {
namespace {

constexpr std::string_view kCollections = "import collections\n";
constexpr std::string_view kMissing = R"(class Missing(dict):
    def __missing__(self, key):
        return key * 10
)";
constexpr std::string_view kCounting = R"(class Counting(list):
    added = 0

    def append(self, item):
        self.added += 1
        super().append(item)
)";
constexpr std::string_view kLoud = R"(class Loud(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, value * 2)
)";
constexpr std::string_view kPoint = R"(import collections

Point = collections.namedtuple("Point", ["a", "b"], defaults=[5])
)";
constexpr std::string_view kTyped = R"(import typing


class Pair(typing.NamedTuple):
    a: torch.Tensor
    b: int = 4

    def total(self):
        return self.a + self.b
)";
constexpr std::string_view kData = R"(import dataclasses


@dataclasses.dataclass
class Data:
    a: int
    b: list = dataclasses.field(default_factory=list)
    c: int = 3

    def __post_init__(self):
        self.b.append(self.a)
)";
constexpr std::string_view kOrdered = R"(import dataclasses


@dataclasses.dataclass(frozen=True, order=True)
class Ordered:
    a: int
    b: str = "b"
)";
constexpr std::string_view kEnum = R"(import enum


class Colour(enum.IntEnum):
    RED = 1
    BLUE = 2
    GREEN = 3
)";
constexpr std::string_view kCopy = "import copy\n";

constexpr auto kSnippets = std::to_array<Snippet>({
    {"d = {\"a\": x, \"b\": k}\nd[\"a\"] = d.pop(\"a\") + 1\nreturn d, list(d)\n"},
    {"d = {1: \"a\", k: \"b\", 3: \"c\"}\ndel d[k]\nd[k] = \"d\"\nreturn x + len(d), list(d.items())\n"},
    {"d = dict(zip(\"abc\", range(k, k + 3)))\nfor key in list(d):\n    if d[key] % 2:\n        del d[key]\nreturn x + "
     "len(d), d\n"},
    {"d = {}\nd.setdefault(k, []).append(x)\nd.setdefault(k, []).append(k)\nreturn d[k], len(d)\n"},
    {"d = {1: 2} | {k: 5}\nd |= {3: 7}\nreturn x + d[k], d\n"},
    {"d = {**{\"a\": 1}, **{\"a\": k, \"b\": 2}}\nreturn x + d[\"a\"], list(d)\n"},
    {"d = {1: 1, 2: 2}\nkeys = d.keys()\nd[k] = 3\nreturn x + len(keys), sorted(keys), k in keys\n"},
    {"d = {1: 1, 2: 2, 3: 3}\nreturn x + d.get(k, 9), sorted(d.keys() & {k, 1}), d.popitem()\n"},
    {"d = {1: 1, 2: 2}\ntry:\n    for key in d:\n        d[key + k + 10] = 0\nexcept RuntimeError as e:\n    return x "
     "+ len(d), str(e)\nreturn x\n"},
    {"d = {1.0: \"a\", True: \"b\", k: \"c\"}\nreturn x + len(d), list(d.items())\n", "", "2", "1", "0"},
    {"d = {(1, k): x, \"t\": (k,)}\nreturn d[1, k] * 2, d.get((1, 5)), \"t\" in d\n"},
    {"d = {\"a\": 1, \"b\": k}\nreturn x, {v: key for key, v in d.items()}, max(d, key=d.get), list(reversed(d))\n"},
    {"d = collections.defaultdict(list)\nd[k].append(1)\nd[k + 1]\nreturn x + len(d), dict(d), d.get(99)\n",
     kCollections},
    {"d = collections.defaultdict(lambda: k)\nd[\"a\"] += 1\nreturn x + d[\"a\"] + d[\"b\"], list(d)\n", kCollections},
    {"d = collections.OrderedDict(a=1, b=k, c=3)\nd.move_to_end(\"a\")\nd.move_to_end(\"c\", last=False)\nreturn x + "
     "d[\"b\"], list(d)\n",
     kCollections},
    {"c = collections.Counter([1, 1, k, 3])\nc.update([k])\nreturn x + c[k], c.most_common(1), c[77], len(c)\n",
     kCollections},
    {"c = collections.ChainMap({\"a\": k}, {\"a\": 1, \"b\": 2})\nc[\"b\"] = 5\nreturn x + c[\"a\"], c[\"b\"], "
     "c.maps[1][\"b\"]\n",
     kCollections},
    {"q = collections.deque([1, 2, 3], maxlen=3)\nq.append(k)\nq.rotate(1)\nreturn x + q[0], list(q), q.maxlen\n",
     kCollections},
    {"q = collections.deque([x, x + 1])\nq.appendleft(x * k)\ny = q.pop()\nreturn y + q.popleft(), len(q)\n",
     kCollections},
    {"q = collections.deque(range(5))\nq.extendleft([k, 8])\nq.remove(3)\nreturn x + q.index(k), list(q), q.count(1)\n",
     kCollections},
    {"d = Missing(a=1)\nreturn x + d[k], \"a\" in d, d.get(k), len(d)\n", kMissing},
    {"d = Loud(a=1)\nd[\"b\"] = k\nd.update(c=5)\nreturn x + d[\"b\"], dict(d)\n", kLoud},
    {"items = Counting([1])\nitems.append(k)\nitems += [3]\nreturn x + items.added, list(items), items[1:], "
     "type(items[1:]).__name__\n",
     kCounting},
    {"s = {1, 2, k}\ns.discard(1)\ns ^= {2, 9}\nreturn x + len(s), sorted(s), k in s\n"},
    {"a, b = {1, 2, k}, {2, 3}\nreturn x + len(a & b), sorted(a | b), sorted(a - b), a >= b, a.isdisjoint(b)\n"},
    {"s = frozenset([1, k])\nd = {s: 5}\nreturn x + d[frozenset([k, 1])], len(s | {7})\n"},
    {"items = [1, 2, 3, 4]\nitems[1:3] = [k] * 3\ndel items[0]\nitems[::2] = [0] * len(items[::2])\nreturn x + "
     "len(items), items\n"},
    {"items = [3, 1, k]\nitems.sort(reverse=True)\nitems.insert(1, 9)\nreturn x + items.index(k), items, items.pop(0), "
     "items.count(9)\n"},
    {"items = [[0] * 2] * 2\nitems[0][1] = k\nreturn x + items[1][1], items\n"},
    {"items = [x]\nalias = items\nalias += [x * k]\nitems = items + [x]\nreturn len(alias), len(items), alias[1]\n"},
    {"items = [1, 2, 3, 4]\nfor i in items:\n    if i == k:\n        items.remove(i)\nreturn x + len(items), items\n"},
    {"items = list(range(6))\nreturn x + items[k], items[-k:], items[:k:-1], items[k:k], items[slice(None, k)]\n", "",
     "2", "3", "1"},
    {"a, (b, *c), d = 1, (2, k, 4), 5\nreturn x + b, c, d\n"},
    {"t = (1, [2], k)\nt[1].append(k)\ntry:\n    t[1] += [9]\nexcept TypeError:\n    pass\nreturn x + len(t[1]), t\n"},
    {"return x + (1, 2, k).count(k), (1, k) < (1, 3), (1, 2) * 2, ((1,) + (k,)).index(k)\n"},
    {"p = Point(x, k)\nq = p._replace(a=k)\nreturn p.a + q.a, q, p._fields, q._asdict(), isinstance(p, tuple)\n",
     kPoint},
    {"p = Point(k)\na, b = p\nreturn x + a + b, p == (k, 5), p[1:], repr(p)\n", kPoint},
    {"p = Pair(x, k)\nreturn p.total(), Pair(x).b, p\n", kTyped},
    {"d = Data(k)\ne = dataclasses.replace(d, c=k)\nreturn x + e.c, d.b, d == e, dataclasses.asdict(d), repr(d)\n",
     kData},
    {"a, b = Ordered(k), Ordered(2, \"c\")\nreturn x + (a < b), max(a, b).a, hash(a) == hash(Ordered(k)), a == "
     "Ordered(k)\n",
     kOrdered},
    {"a = Ordered(k)\ntry:\n    a.a = 5\nexcept dataclasses.FrozenInstanceError as e:\n    return x + a.a, "
     "type(e).__name__\n",
     kOrdered},
    {"c = Colour(k)\nreturn x + c, c.name, c is Colour.BLUE, c < Colour.GREEN, [one.value for one in Colour]\n", kEnum,
     "2", "3", "1"},
    {"try:\n    c = Colour(k)\nexcept ValueError as e:\n    return x, str(e)\nreturn x * c.value, f\"{c!r}\"\n", kEnum},
    {"a = [1, [2, k]]\nb = copy.copy(a)\nc = copy.deepcopy(a)\na[1].append(9)\nreturn x + len(b[1]), c, b is a, b[1] "
     "is a[1]\n",
     kCopy},
    {"a = {\"x\": x, \"k\": [k]}\nb = copy.deepcopy(a)\nb[\"x\"].add_(1)\nb[\"k\"].append(1)\nreturn a, b\n", kCopy},
    {"a = [k]\na.append(a)\nb = copy.deepcopy(a)\nreturn x + b[0], b[1] is b, b is a\n", kCopy},
    {"y = [x, x]\nz = copy.deepcopy(y)\nz[0].add_(k)\nreturn z, z[0] is z[1], y[0] is x\n", kCopy},
    {"y = copy.copy(x)\ny.add_(k)\nreturn x, y, y is x\n", kCopy},
    {"items = sorted([(k, \"b\"), (1, \"c\"), (k, \"a\")], key=lambda pair: pair[0])\nreturn x + items[0][0], items\n"},
    {"import bisect\n\nitems = [1, 3, 5]\nbisect.insort(items, k)\nreturn x + bisect.bisect_left(items, 3), items\n"},
    {"import heapq\n\nheap = [5, k, 4]\nheapq.heapify(heap)\nsmallest = heapq.heappop(heap)\nreturn x + smallest, "
     "sorted(heap), heapq.nlargest(1, heap)\n"},
});

const Register<Table, SnippetTable> registered(
    "containers", "what is done to a container, a subclass or a copy, where the value comes from that changes",
    kSnippets);

}  // namespace
}  // namespace jp::seedgen::containers_table
