// Short reproducers and unit tests are run as their readers run them. The programs themselves test whether they are
// being compiled, so no bug of torch has to exist.
#include <gtest/gtest.h>

#include "interpreters.h"
#include "report/files.h"
#include "report/plain.h"
#include "report/short_form.h"
#include "report/unit_test.h"
#include "tests/report/forms.h"

namespace jp::report::test {
namespace {

// The exit status of a file that holds the text, in a folder of its own; `said`: its output.
int status_of(const std::string& text, std::string& said, Interpreter in = Interpreter::kForked) {
  Folder folder;
  EXPECT_TRUE(write_file(folder / "test_it.py", text).ok());
  const int status = run_in(in, folder, "test_it.py");
  said = read_file(folder / "output").value() + text;
  return status;
}

// The same of `python WORDS test_it.py`, in a new interpreter.
int status_with(const std::string& text, std::vector<std::string> words, std::string& said) {
  Folder folder;
  EXPECT_TRUE(write_file(folder / "test_it.py", text).ok());
  words.push_back("test_it.py");
  const int status = run_python(folder, words);
  said = read_file(folder / "output").value() + text;
  return status;
}

struct Case {
  const char* name;
  const char* backend;
  Mismatch mismatch;
  const char* where;
  const char* body;  // of the program
  const char* inputs;
  bool several = false;
  const char* options = "";
};

std::string source_of(const Case& kind, const std::string& body) {
  return std::string("import torch\n\n\n") + kind.options + "def make_inputs():\n    return " + kind.inputs +
         "\n\n\ndef program(x):\n" + body;
}

Finding finding_for(const Case& kind, const std::string& source) {
  Finding finding = short_finding(source, kind.backend, kind.mismatch, kind.where);
  for (Outcome& outcome : finding.outcomes) {
    auto& calls = std::get<Finished>(outcome.ending).observation.calls;
    if (kind.several) calls.push_back(calls.front());
  }
  return finding;
}

class Forms : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << python() << " is not there";
  }
};

TEST_P(Forms, ShowTheDifference) {
  const Case& kind = GetParam();
  const Finding finding = finding_for(kind, source_of(kind, kind.body));
  ASSERT_TRUE(short_form(finding));
  // One of each style of torch's test cases in new interpreters.
  const std::string name = kind.name;
  const bool is_new = name == "output" || name == "gradients" || name == "common";
  std::string said;
  const auto run = [&](const std::string& text) {
    return status_of(text, said, is_new ? Interpreter::kNew : Interpreter::kForked);
  };
  const std::string repro = plain_reproducer(finding, {"0.1.0"}).value();
  EXPECT_EQ(status_with(repro, {"-W", "error", "-m", "py_compile"}, said), 0) << said;
  EXPECT_EQ(run(repro), 1) << said;
  EXPECT_NE(said.find("torch 2."), std::string::npos);
  const std::string test = unit_test(finding, false, {"0.1.0"}).text;
  EXPECT_EQ(status_with(test, {"-W", "error", "-m", "py_compile"}, said), 0) << said;
  EXPECT_EQ(run(test), 1) << said;
  EXPECT_NE(said.find("Ran 1 test"), std::string::npos) << said;
}

constexpr const char* kValue = "    if torch.compiler.is_compiling():\n        return x * 2\n    return x * 3\n";
constexpr const char* kOne = "(torch.tensor([1.0, 2.0], requires_grad=True),)";
constexpr const char* kPlain = "(torch.tensor([1.0, 2.0]),)";

const Case kCases[] = {
    {"output", "eager", Mismatch::kValue, "output", kValue, kOne},
    {"several_calls", "eager", Mismatch::kValue, "output", kValue, "[(torch.ones(2),), (torch.ones(3),)]", true},
    {"inputs", "aot_eager", Mismatch::kStateAfter, "inputs[0]",
     "    x.add_(1 if torch.compiler.is_compiling() else 2)\n    return x\n", kPlain},
    {"gradients", "aot_eager", Mismatch::kGradient, "gradients[inputs[0]]", kValue, kOne},
    {"raises", "eager", Mismatch::kCompilerError, "call", "    torch._dynamo.graph_break()\n    return x + 1\n", kPlain,
     false, "COMPILE_OPTIONS = {\"fullgraph\": True}\n\n\n"},
    {"accepts", "eager", Mismatch::kAccepts, "call",
     "    if not torch.compiler.is_compiling():\n        raise ValueError(\"no\")\n    return x + 1\n", kPlain},
    {"common", "inductor", Mismatch::kValue, "output", kValue, kPlain},
};

INSTANTIATE_TEST_SUITE_P(Kinds, Forms, testing::ValuesIn(kCases),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

class Absent : public Forms {};

TEST_P(Absent, WithoutTheDifferenceAllIsWell) {
  const Case& kind = GetParam();
  const Finding finding = finding_for(kind, source_of(kind, "    return x * 3\n"));
  std::string said;
  EXPECT_EQ(status_of(plain_reproducer(finding).value(), said), 0) << said;
  EXPECT_EQ(status_of(unit_test(finding, false).text, said), 0) << said;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Absent, testing::Values(kCases[0], kCases[3]),
                         [](const auto& chosen) { return std::string(chosen.param.name); });

TEST_F(Forms, ExpectedFailuresPass) {
  const Finding finding = finding_for(kCases[0], source_of(kCases[0], kValue));
  std::string said;
  EXPECT_EQ(status_of(unit_test(finding, true).text, said), 0) << said;
  EXPECT_EQ(status_of(unit_test_of_process(finding, true).text, said), 0) << said;
  EXPECT_EQ(status_of(unit_test_of_process(finding, false).text, said), 1) << said;
}

TEST_F(Forms, WhatCanNotBeJudgedExitsWithTwo) {
  std::string said;
  const Finding fails = finding_for(kCases[0], source_of(kCases[0], "    raise ValueError(\"no\")\n"));
  EXPECT_EQ(status_of(plain_reproducer(fails).value(), said), 2) << said;
  const Finding moves = finding_for(kCases[0], source_of(kCases[0], "    return x + torch.rand(2)\n"));
  std::string text = plain_reproducer(moves).value();
  EXPECT_EQ(status_of(text, said), 0) << "seeded: " << said;
  const std::size_t at = text.find("    torch.manual_seed(0)\n");
  ASSERT_NE(at, std::string::npos);
  text.erase(at, 25);
  EXPECT_EQ(status_of(text, said), 2) << said;
  EXPECT_EQ(status_with(plain_reproducer(fails).value(), {"-S", "-E", "-I"}, said), 2) << "without torch: " << said;
}

}  // namespace
}  // namespace jp::report::test
