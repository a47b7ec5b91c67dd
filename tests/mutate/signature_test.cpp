// What a statement range reads, writes, returns and carries, and why a range is refused.
#include "mutate/outline/signature.h"

#include "helpers.h"
#include "mutate/outline/convention.h"

namespace jp::mutate {
namespace {

using testing::parsed_from;

/// The signature of the statements [first, last] of a program, by their IDs. `parsed` must outlive it.
BodySignature signature_of(const Parsed& parsed, std::string_view first, std::string_view last) {
  return find_signature(parsed, *parsed.find(first), *parsed.find(last));
}

std::string refusal_of(const std::string& body) {
  Parsed parsed = parsed_from("import torch\ndef program(v0, v1):\n" + body);
  return std::string(signature_of(parsed, "s2", "s2").refused);
}

using Texts = std::vector<std::string>;

TEST(Signature, InputsAndOutputs) {
  Parsed parsed = parsed_from(
      "import torch\n"
      "def program(v0, v1):\n"
      "    v2 = v0 + 1\n"
      "    v3 = v2 * 2\n"
      "    v1 = v1 + v3\n"
      "    return v1, v3\n");
  const BodySignature found = signature_of(parsed, "s2", "s4");
  ASSERT_TRUE(found) << found.refused;
  EXPECT_EQ(found.inputs(), (Texts{"v1", "v0"})) << "v1 is written too, and v0 is only read";
  EXPECT_EQ(found.outputs(), (Texts{"v1", "v3"})) << "nothing uses v2 afterwards";
  EXPECT_EQ(found.readable, Texts{"v0"});
  EXPECT_TRUE(found.returns_all() && found.is_self_contained(parsed));
  EXPECT_TRUE(found.writes("v2") && !found.writes("v0") && found.knows("v0"));

  const Convention captured(found, Channel::kReturn, false);
  EXPECT_EQ(captured.call_of("f"), "f(v1)") << "v0 is captured";
  EXPECT_EQ(captured.results, (Texts{"v1", "v2", "v3"}));
  const Convention shared(found, Channel::kNonlocal, false);
  EXPECT_EQ(shared.call_of("f"), "f()");
  EXPECT_EQ(shared.nonlocals, (Texts{"v1", "v2", "v3"}));
}

TEST(Signature, ACapturedNameStaysTheSameVariable) {
  Parsed parsed = parsed_from(
      "def program(v0):\n"
      "    v1 = v0 + 1\n"
      "    def inner():\n"
      "        return v1\n"
      "    return inner()\n");
  const BodySignature found = signature_of(parsed, "s1", "s1");
  ASSERT_TRUE(found) << found.refused;
  EXPECT_TRUE(found.written[0].by_nonlocal && !found.written[0].by_value);
  EXPECT_FALSE(found.returns_all());
}

TEST(Signature, RefusesForAReason) {
  EXPECT_EQ(refusal_of("    return v0\n"), "control leaves the range");
  EXPECT_EQ(refusal_of("    del v0\n"), "a name is deleted or bound by a generator");
  EXPECT_EQ(refusal_of("    global v2\n"), "a name is declared");
  EXPECT_EQ(refusal_of("    v2: int = 1\n"), "a name is annotated");
  EXPECT_EQ(refusal_of("    v2 = super()\n"), "super() needs its method");
  EXPECT_EQ(refusal_of("    v2 = any(v3 := v for v in v0)\n"), "a name is deleted or bound by a generator");
  EXPECT_EQ(refusal_of("    if v0:\n        v2 = 1\n    return v2\n"), "a name can't come back");
  EXPECT_EQ(refusal_of("    v2 = 1; v3 = 2\n"), "no statements can be inserted");
  EXPECT_EQ(refusal_of("    v2 = v0 + v1\n"), "");
}

LoopSignature loop_signature_of(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements())
    if (statement.kind() == "for_statement") return find_loop_signature(parsed, statement);
  return {};
}

TEST(Signature, WhatALoopCarries) {
  Parsed parsed = parsed_from(
      "def program(v0):\n"
      "    total = v0\n"
      "    for i in range(3):\n"
      "        step = v0[i]\n"
      "        total = total + step\n"
      "    return total\n");
  const LoopSignature found = loop_signature_of(parsed);
  ASSERT_TRUE(found.body) << found.body.refused;
  EXPECT_EQ(found.body.outputs(), Texts{"total"});
  EXPECT_EQ(found.parameter, "i");
}

TEST(Signature, ALoopTargetThatIsReadAfterTheLoopIsCarried) {
  Parsed parsed = parsed_from(
      "def program(v0):\n"
      "    total = v0\n"
      "    for i in range(3):\n"
      "        total = total + i\n"
      "    return total, i\n");
  const LoopSignature found = loop_signature_of(parsed);
  ASSERT_TRUE(found.body) << found.body.refused;
  EXPECT_EQ(found.body.outputs(), (Texts{"total", "i"}));
  EXPECT_EQ(found.parameter, "") << "the body assigns its argument to i";
  const Convention way(found.body, Channel::kNonlocal, false);
  EXPECT_EQ(way.nonlocals, (Texts{"total", "i"}));
  ASSERT_EQ(way.prelude.size(), 2U);
  EXPECT_EQ(way.prelude[0].text, "if False:");
  EXPECT_EQ(way.prelude[1].text, "i = None");
}

TEST(Signature, ALoopThatIsLeftHasNone) {
  Parsed parsed = parsed_from("def program(v0):\n    for i in range(3):\n        return i\n");
  EXPECT_FALSE(loop_signature_of(parsed).body);
  Parsed rebinds = parsed_from("def program(v0):\n    for i in range(3):\n        i = i + 1\n    return v0\n");
  EXPECT_FALSE(loop_signature_of(rebinds).body);
}

}  // namespace
}  // namespace jp::mutate
