// The labelled set: each file of diverge/ and alike/ is judged as `jitprobe run` judges a program, and must get the
// verdict that its header says. README.md describes the headers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "tests/judge/labelled.h"

namespace jp::labelled {
namespace {

const Ending* ending(const campaign::JudgedProgram& judged, std::string_view role) {
  for (const Outcome& outcome : judged.outcomes)
    if (outcome.role == role) return &outcome.ending;
  return nullptr;
}

// Whether anything observed differs in a bit: what a comparison without rules would report.
bool differs_naively(const campaign::JudgedProgram& judged) {
  const Ending* eager = ending(judged, "eager");
  const Ending* compiled = ending(judged, "compiled");
  if (!eager || !compiled) return true;
  const auto* one = std::get_if<Finished>(eager);
  const auto* other = std::get_if<Finished>(compiled);
  if (!one || !other) return !one || eager->index() != compiled->index();
  return !(one->observation == other->observation);
}

std::string describe(const campaign::JudgedProgram& judged) {
  const Verdict& verdict = judged.verdict;
  std::string text = fmt::format("{} ({}): {}", verdict_name(verdict.kind), verdict.rule, verdict.reason);
  for (const Difference& difference : verdict.differences)
    text += fmt::format("\n  {} at {}", mismatch_name(difference.mismatch), difference.where);
  for (const Difference& difference : verdict.weak)
    text += fmt::format("\n  weak {} at {}", mismatch_name(difference.mismatch), difference.where);
  for (const Decision& decision : verdict.decisions) {
    text += fmt::format("\n  {} {}: {}", decision.rule, decision.where, decision.answer);
    for (const auto& [name, number] : decision.numbers) text += fmt::format(" {}={:.3g}", name, number);
  }
  return text;
}

// "agree or unstable" is used if rounding decides: which of the two it is depends on the machine's own bits, and
// neither is reported.
bool allows(const std::string& label, std::string_view verdict) {
  return label == verdict || (label == "agree or unstable" && (verdict == "agree" || verdict == "unstable"));
}

class Labelled : public testing::TestWithParam<std::string> {};

TEST_P(Labelled, IsJudgedAsItsHeaderSays) {
  const std::string path = (folder() / (GetParam() + ".py")).string();
  const std::string source = read(path);
  const Header header = header_of(source);
  Result<Program> program = Program::make(source, {}, path);
  ASSERT_TRUE(program.ok()) << program.error().message;
  ASSERT_TRUE(oracle_of(header)) << "no oracle named " << at(header, "oracle");
  const campaign::JudgedProgram judged = judge(program.value(), header);
  const std::string label = at(header, "judge");
  EXPECT_TRUE(allows(label, verdict_name(judged.verdict.kind))) << label << " is not " << describe(judged);
  if (label == "diverge") {
    const std::vector<Difference>& found = judged.verdict.differences;
    EXPECT_TRUE(std::any_of(
        found.begin(), found.end(),
        [&](const Difference& difference) { return mismatch_name(difference.mismatch) == at(header, "class"); }))
        << "no difference of class " << at(header, "class") << " in " << describe(judged);
  }
  EXPECT_TRUE(label == "diverge" || differs_naively(judged)) << "both runs show the same, bit for bit";
  if (std::getenv("JUDGE_TELL")) std::cout << GetParam() << ": " << describe(judged) << "\n";
}

INSTANTIATE_TEST_SUITE_P(Set, Labelled, testing::ValuesIn(names()),
                         [](const auto& chosen) { return test_name(chosen.param); });

TEST(TheSet, IsLargeAndBalanced) {
  std::map<std::string, int> halves;
  for (const std::string& name : names()) {
    const Header header = header_of(read(folder() / (name + ".py")));
    EXPECT_EQ(name.starts_with("diverge/"), at(header, "judge") == "diverge") << name;
    ++halves[at(header, "judge") == "diverge" ? "diverge" : "alike"];
    for (const char* key : {"judge", "backend", "construct", "class", "why"})
      EXPECT_TRUE(header.contains(key)) << name << ": " << key;
    EXPECT_TRUE(at(header, "judge") == "diverge" || header.contains("rule")) << name;
  }
  EXPECT_GE(halves["diverge"], 65);
  EXPECT_GE(halves["alike"], 65);
}

TEST(TheSet, NoTwoFilesShareOperatorAndConstruct) {
  std::map<std::string, std::string> seen;
  for (const std::string& name : names()) {
    const std::string construct = at(header_of(read(folder() / (name + ".py"))), "construct");
    const auto [first, is_new] = seen.emplace(construct, name);
    EXPECT_TRUE(is_new) << name << " and " << first->second << ": " << construct;
  }
}

}  // namespace
}  // namespace jp::labelled
