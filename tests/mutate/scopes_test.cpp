#include "mutate/names/scopes.h"

#include "helpers.h"

namespace jp::mutate {
namespace {

using testing::parsed_from;

/// "x:owner's first line or builtin", for each mention of the name in source order.
std::vector<std::string> owners(const Parsed& parsed, std::string_view name) {
  std::vector<std::string> found;
  for (const Use& use : parsed.scopes().uses()) {
    if (use.name != name) continue;
    if (use.owner < 0) {
      found.emplace_back("builtin");
      continue;
    }
    const Scope& owner = parsed.scopes().scope(use.owner);
    Node called = owner.node.field("name");
    found.push_back(owner.kind == Scope::Kind::kModule ? "module"
                    : called                           ? std::string(called.text())
                                                       : std::string(owner.node.kind()));
  }
  return found;
}

using Owners = std::vector<std::string>;

TEST(Scopes, NestedFunctionsDoNotSeeClassNames) {
  Parsed parsed = parsed_from(
      "x = 0\n"
      "class A:\n"
      "    x = 1\n"
      "    y = x\n"
      "    z = [x for _ in range(x)]\n"
      "    def m(self, d=x):\n"
      "        return x\n");
  EXPECT_EQ(owners(parsed, "x"), (Owners{"module", "A", "A", "module", "A", "A", "module"}));
}

TEST(Scopes, APartThatIsAddedToIsReadOnce) {
  EXPECT_EQ(owners(parsed_from("def f(x):\n    x[1:] += x.y\n"), "x"), (Owners{"f", "f", "f"}));
  EXPECT_EQ(owners(parsed_from("def f(x):\n    x.y += 1\n"), "x"), (Owners{"f", "f"}));
  EXPECT_EQ(owners(parsed_from("def f(x):\n    x += 1\n"), "x"), (Owners{"f", "f", "f"})) << "read and bound";
}

TEST(Scopes, GlobalAndNonlocal) {
  Parsed parsed = parsed_from(
      "def f(a):\n"
      "    b = 1\n"
      "    def g():\n"
      "        nonlocal b\n"
      "        global c\n"
      "        b = a\n"
      "        c = b\n"
      "        def h():\n"
      "            return b, c\n"
      "    return c\n");
  EXPECT_EQ(owners(parsed, "b"), (Owners{"f", "f", "f", "f"}));
  EXPECT_EQ(owners(parsed, "c"), (Owners{"module", "module", "module"}));
  EXPECT_TRUE(
      parsed.scopes().captured(parsed.scopes().resolve("b", parsed.scopes().scope_of(*parsed.find("s1"))), "b"));
}

TEST(Scopes, ComprehensionsLambdasWalrus) {
  Parsed parsed = parsed_from(
      "def f(xs):\n"
      "    ys = [x for x in xs if (last := x)]\n"
      "    g = (last for xs in xs)\n"
      "    h = lambda x, *r, k=last, **s: (x, r, k, s, last)\n"
      "    return {a: b for a, b in ys for c in a}\n");
  EXPECT_EQ(owners(parsed, "last"), (Owners{"f", "f", "f", "f"}));
  EXPECT_EQ(owners(parsed, "xs"), (Owners{"f", "f", "generator_expression", "f"}));
  EXPECT_EQ(owners(parsed, "a"),
            (Owners{"dictionary_comprehension", "dictionary_comprehension", "dictionary_comprehension"}));
  const Scopes& scopes = parsed.scopes();
  int f = scopes.scope_of(*parsed.find("s1"));
  EXPECT_TRUE(scopes.captured(f, "last")) << "a generator runs later";
  EXPECT_FALSE(scopes.captured(f, "ys"));
}

TEST(Scopes, EveryWayToBind) {
  Parsed parsed = parsed_from(
      "def f():\n"
      "    import a.b, c as d\n"
      "    from e import g, h as i\n"
      "    for j, (k, *l) in m: pass\n"
      "    with n() as o, p() as (q, r): pass\n"
      "    try: pass\n"
      "    except (E1, E2) as s: pass\n"
      "    match t:\n"
      "        case [u, *v] | {'k': w, **x}: pass\n"
      "        case K(y, z=aa) as bb: pass\n"
      "        case m.N | -1 | 'text': pass\n"
      "    cc: int = 1\n"
      "    dd[0], ee.ff = 1, 2\n"
      "    gg += 1\n"
      "    def hh(): pass\n"
      "    class ii: pass\n"
      "    jj = kk = 1\n");
  const Scopes& scopes = parsed.scopes();
  int f = scopes.scope_of(*parsed.find("s1"));
  NameSet expected = {"a", "d", "g", "i", "j",  "k",  "l",  "o",  "q",  "r",  "s",  "u",
                      "v", "w", "x", "y", "aa", "bb", "cc", "gg", "hh", "ii", "jj", "kk"};
  EXPECT_EQ(scopes.scope(f).bound, expected);
  EXPECT_EQ(owners(parsed, "K"), Owners{"builtin"});
  EXPECT_EQ(owners(parsed, "N"), Owners{});
}

TEST(Scopes, DefaultsAndDecoratorsAreEvaluatedOutside) {
  Parsed parsed = parsed_from("def f(x):\n    @x\n    def g(x: x = x) -> x:\n        return x\n");
  EXPECT_EQ(owners(parsed, "x"), (Owners{"f", "f", "g", "f", "f", "f", "g"}));
}

TEST(Scopes, DynamicFunctions) {
  Parsed parsed =
      parsed_from("def f():\n    def g():\n        return locals()\ndef h():\n    locals = 1\n    return locals\n");
  const Scopes& scopes = parsed.scopes();
  EXPECT_TRUE(scopes.scope(scopes.scope_of(*parsed.find("s1"))).dynamic);
  EXPECT_FALSE(scopes.scope(scopes.scope_of(*parsed.find("s4"))).dynamic);
}

NameSet bound_before(const std::string& body, std::string_view marker) {
  Parsed parsed = parsed_from("def f(p):\n" + body);
  for (const Statement& statement : parsed.statements())
    if (statement.node.text() == marker) return parsed.surely_bound(statement);
  return {"no such statement"};
}

TEST(Flow, Branches) {
  EXPECT_EQ(
      bound_before("    if p:\n        a = 1; b = 1\n    elif q:\n        a = 2\n    else:\n        a = 3\n    here\n",
                   "here"),
      (NameSet{"a", "p"}));
  EXPECT_EQ(bound_before("    if p:\n        a = 1\n    else:\n        return\n    here\n", "here"),
            (NameSet{"a", "p"}));
  EXPECT_EQ(bound_before("    if p:\n        a = 1\n    here\n", "here"), NameSet{"p"});
}

TEST(Flow, LoopsTriesAndWiths) {
  EXPECT_EQ(bound_before("    for i in p:\n        a = 1\n        here\n", "here"), (NameSet{"a", "i", "p"}));
  EXPECT_EQ(bound_before("    c = 1\n    for i in p:\n        a = 1\n        del c\n    here\n", "here"), NameSet{"p"});
  EXPECT_EQ(
      bound_before("    try:\n        a = 1\n        b = 1\n    except E as e:\n        a = 2\n    here\n", "here"),
      (NameSet{"a", "p"}));
  EXPECT_EQ(bound_before("    try:\n        a = 1\n    except E as e:\n        here\n", "here"), (NameSet{"e", "p"}));
  EXPECT_EQ(bound_before("    try:\n        a = 1\n    finally:\n        b = 1\n    here\n", "here"),
            (NameSet{"a", "b", "p"}));
  EXPECT_EQ(bound_before("    with q as w:\n        a = 1\n    here\n", "here"), (NameSet{"p", "w"}));
  EXPECT_EQ(bound_before("    with torch.no_grad():\n        a = 1\n    here\n", "here"), (NameSet{"a", "p"}));
}

TEST(Flow, RunsReadEarly) {
  Parsed parsed =
      parsed_from("def f(p):\n    for i in p:\n        a = b\n        b = a + i\n        c = [a for a in p]\n");
  RunFlow flow = flow_of(parsed, *parsed.find("s2"), *parsed.find("s4"), {"p"});
  EXPECT_EQ(flow.early_reads, (NameSet{"b", "i"}));
  EXPECT_EQ(flow.bound_after, (NameSet{"a", "b", "c", "p"}));
}

TEST(Names, Fresh) {
  Parsed parsed = parsed_from("t7 = 1\n# t7_1\n");
  EXPECT_EQ(fresh_name(parsed, "t", 7), "t7_2");
  EXPECT_EQ(fresh_name(parsed, "t", 8), "t8");
  EXPECT_EQ(fresh_name(parsed, "t", 8, {"t8"}), "t8_1");
}

TEST(Names, OfTorch) {
  auto name = [](const std::string& source) {
    Parsed parsed = parsed_from(source);
    return torch_name(parsed, parsed.statements().back());
  };
  EXPECT_EQ(name("import torch\nimport torch.nn\ndef f():\n    pass\n"), "torch");
  EXPECT_EQ(name("import torch as th\ndef f():\n    pass\n"), "th");
  EXPECT_EQ(name("import torch\ndef f(torch):\n    pass\n"), "");
  EXPECT_EQ(name("import torch\ntorch = 1\ndef f():\n    pass\n"), "");
}

}  // namespace
}  // namespace jp::mutate
