// Exports: short reproducers, unit tests, issues. forms_run_test.cpp tests that they run.
#include "tests/report/forms.h"

#include <gtest/gtest.h>

#include "report/evidence.h"
#include "report/issue.h"
#include "report/plain.h"
#include "report/short_form.h"
#include "report/summary.h"
#include "report/unit_test.h"

namespace jp::report::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t times(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(ShortForm, FitsPlainFunctionsOnly) {
  EXPECT_TRUE(short_form(short_finding(kShort, "aot_eager", Mismatch::kValue, "output[0]")));
  EXPECT_TRUE(short_form(short_finding(kShort, "torch:tvm", Mismatch::kValue, "output[0]")));
  EXPECT_FALSE(short_form(short_finding(kShort, "file:/b.py", Mismatch::kValue, "output")));
  EXPECT_FALSE(short_form(short_finding(kShort, "aot_eager", Mismatch::kMode, "mode.grad")));
  EXPECT_FALSE(short_form(short_finding(kShort, "aot_eager", Mismatch::kDeath, "process")));
  const std::string state = "import torch\n\ncounter = {}\n" + kShort.substr(13);
  EXPECT_FALSE(short_form(short_finding(state, "aot_eager", Mismatch::kValue, "output")));
  EXPECT_FALSE(
      short_form(short_finding(kShort + "\n\ndef before_call(i):\n    pass\n", "eager", Mismatch::kValue, "output")));
}

TEST(ShortForm, SaysWhatItIsAbout) {
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kGradient, "gradients[inputs[0]]");
  EXPECT_EQ(symptom(finding), "wrong gradient: relu");
  EXPECT_EQ(title(finding), "[aot_autograd] wrong gradient: relu");
  const auto about_state = [](const char* where) {
    return symptom(short_finding(kShort, "aot_eager", Mismatch::kStateAfter, where));
  };
  EXPECT_EQ(about_state("inputs[0]"), "argument is wrong afterwards: relu");
  EXPECT_EQ(about_state("shared[output, tensor 0]"), "output shares memory with what was there before: relu");
  EXPECT_EQ(about_state("overwritten[output, tensor 0]"), "later call writes to an earlier result: relu");
  Signature signature{.backend = "inductor", .stage = "dynamo", .kind = "compiler_error"};
  EXPECT_EQ(component(signature), "inductor") << "the rungs below agree";
  EXPECT_EQ(effect(signature), "crash");
  signature = {.backend = "file:b.py", .stage = "", .kind = "value"};
  EXPECT_EQ(component(signature), "file:b.py");
  EXPECT_EQ(effect(signature), "inconsistent");
  signature.kind = "hang";
  EXPECT_EQ(effect(signature), "hang");
}

TEST(Title, SaysWhatIsSeenAndWhereItComesFrom) {
  const Finding value = short_finding(kShort, "inductor", Mismatch::kValue, "output");
  Cause cause{.intermediate = Intermediate{.name = "output", .words = "F.pad over a floor division"},
              .bisection = "backend: inductor\nsubsystem: lowerings\nnumber: 3\nconstant_pad_nd_2\n"};
  EXPECT_EQ(title(value, cause), "[inductor] wrong values: F.pad over a floor division (lowerings, constant_pad_nd)");
  cause.bisection = "backend: inductor\nsubsystem: post_grad_passes\n";
  EXPECT_EQ(title(value, cause), "[inductor] wrong values: F.pad over a floor division (post_grad_passes)");
  EXPECT_EQ(title(value), "[inductor] wrong values: relu") << "as far as it was measured";
  const Finding shape =
      short_finding("import torch\n\n\ndef program(x):\n    return x + 1\n", "eager", Mismatch::kShape, "output[0]");
  EXPECT_EQ(title(shape), "[dynamo] wrong shape: in output") << "never the symptom alone";
  EXPECT_EQ(title(shape, {Intermediate{.words = "an addition"}, ""}), "[dynamo] wrong shape: an addition");
}

TEST(Title, SaysHowAProcessDiesAndWhatIsLeftChanged) {
  const std::string plain = "import torch\n\n\ndef program(x):\n    return x + 1\n";
  Finding death = short_finding(plain, "inductor", Mismatch::kDeath, "process");
  death.signature.frames = {"SIGSEGV", "at::native::add_out", "c10::Dispatcher::call"};
  EXPECT_EQ(title(death), "[inductor] process dies (SIGSEGV in at::native::add_out)");
  death.signature.frames = {"exit", "oracle config_vs_config"};
  EXPECT_EQ(title(death), "[inductor] process dies (exit)");
  const Finding mode = short_finding(plain, "eager", Mismatch::kMode, "mode.default_dtype");
  EXPECT_EQ(title(mode), "[dynamo] leaves default_dtype changed");
}

TEST(Cause, IsKeptBesideTheFinding) {
  Folder folder;
  EXPECT_EQ(load_cause(folder.path(), "0123"), Cause{});
  const Cause cause{Intermediate{.name = "v",
                                 .statement = "v = x // y",
                                 .line = 3,
                                 .reference = "1",
                                 .observed = "2",
                                 .bisected = true,
                                 .form = "//",
                                 .words = "a floor division"},
                    "backend: inductor\n"};
  ASSERT_TRUE(keep_cause(folder.path(), "0123", cause).ok());
  EXPECT_EQ(load_cause(folder.path(), "0123"), cause);
}

TEST(PlainReproducer, IsShortAndNamesUsOnce) {
  const std::string text =
      plain_reproducer(short_finding(kShort, "inductor", Mismatch::kValue, "output"), {"0.1.0"}).value();
  EXPECT_EQ(times(text, "jitprobe"), 1u) << text;
  EXPECT_TRUE(has(text, "# Found by jitprobe 0.1.0"));
  EXPECT_TRUE(has(text, "torch.compile(program, backend=\"inductor\")"));
  EXPECT_TRUE(text.ends_with("    torch.testing.assert_close(compiled, eager, equal_nan=True)\n")) << text;
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 45);
}

TEST(PlainReproducer, KeepsStatementsWhole) {
  const std::string imports = "from collections import (OrderedDict,\n    deque)\nfrom os import \\\n    path\n";
  const std::string source = "# of COMPILE_OPTIONS\n" + imports + kShort;
  const std::string text = plain_reproducer(short_finding(source, "eager", Mismatch::kValue, "output")).value();
  EXPECT_TRUE(has(text, "os._exit(2))\n\n" + imports + "import torch\n"))
      << "an import that fails exits with 2" << text;
  EXPECT_FALSE(has(text, "**COMPILE_OPTIONS")) << text;
}

TEST(ShortForm, DrawsEagersRandomNumbers) {
  const std::string source = kShort.substr(0, kShort.find("relu")) + "rand_like(x)\n";
  const Finding finding = short_finding(source, "inductor", Mismatch::kValue, "output");
  EXPECT_TRUE(has(plain_reproducer(finding).value(), "torch._inductor.config.fallback_random = True"));
  const std::string unit = unit_test(finding, false).text;
  EXPECT_TRUE(has(unit, "    @torch._inductor.config.patch(fallback_random=True)\n    def test_")) << unit;
  EXPECT_TRUE(has(unit, "torch.manual_seed(0)")) << unit;
  EXPECT_FALSE(has(unit, "numpy")) << unit;
  const Finding of_numpy = short_finding("import numpy\n" + source, "inductor", Mismatch::kValue, "output");
  EXPECT_TRUE(has(plain_reproducer(of_numpy).value(), "torch._dynamo.config.use_numpy_random_stream = True"));
  EXPECT_TRUE(has(unit_test(of_numpy, false).text, "    @torch._dynamo.config.patch(use_numpy_random_stream=True)\n"));
}

TEST(UnitTest, LandsByComponent) {
  const auto home = [](const std::string& backend, const std::string& source = kShort) {
    return unit_test(short_finding(source, backend, Mismatch::kValue, "output"), false).home;
  };
  EXPECT_EQ(home("eager"), "test/dynamo/test_functions.py");
  EXPECT_EQ(home("aot_eager"), "test/functorch/test_aotdispatch.py");
  EXPECT_EQ(home("inductor"), "test/inductor/test_torchinductor.py");
  Finding generator = short_finding(kShort + "    yield x\n", "eager", Mismatch::kValue, "output");
  EXPECT_EQ(test_home(generator), "test/dynamo/test_generator.py");
  Finding death = short_finding(kShort, "inductor", Mismatch::kDeath, "process");
  EXPECT_EQ(test_home(death), "test/inductor/test_cpu_repro.py");
}

TEST(UnitTest, IsInTheStyleOfItsFile) {
  const std::string dynamo = unit_test(short_finding(kShort, "eager", Mismatch::kValue, "output"), false).text;
  EXPECT_TRUE(has(dynamo, "(torch._dynamo.test_case.TestCase):\n    def test_wrong_values_relu(self):\n")) << dynamo;
  EXPECT_FALSE(has(dynamo, "expectedFailure"));
  const std::string inductor = unit_test(short_finding(kShort, "inductor", Mismatch::kValue, "output"), true).text;
  EXPECT_TRUE(has(inductor, "self.common(program, make_inputs())")) << inductor;
  EXPECT_TRUE(has(inductor, "import unittest\n\nimport torch\n"));
  EXPECT_TRUE(has(inductor, "    @unittest.expectedFailure\n    def test_"));
  const std::string aot =
      unit_test(short_finding(kShort, "aot_eager", Mismatch::kGradient, "gradients[inputs[0]]"), false).text;
  EXPECT_TRUE(has(aot, "(x * w).sum()")) << aot;
  for (const std::string& text : {dynamo, inductor, aot}) EXPECT_EQ(times(text, "jitprobe"), 1u) << text;
}

TEST(UnitTest, RunsAProcessForWhatNeedsOne) {
  const std::string text =
      unit_test(short_finding(kShort, "inductor", Mismatch::kDeath, "process"), false, {"0.1.0"}).text;
  EXPECT_TRUE(has(text, "subprocess.run([sys.executable, path]")) << text;
  EXPECT_EQ(times(text, "jitprobe"), 1u) << text;
}

Evidence some_evidence() {
  Evidence evidence;
  evidence.torch = "2.13.0+cpu";
  evidence.environment = "PyTorch version: 2.13.0+cpu\n";
  evidence.ablation = {{"eager", "agree", "", "all equal", false},
                       {"aot_eager", "diverge", "value", "output | differs", true},
                       {"inductor, dynamic=True", "vacuous", "", "nothing was compiled", false}};
  evidence.intermediate = Intermediate{"y", "y = torch.relu(x)", 9, "1", "2", true};
  evidence.bisection = "backend: inductor\n";
  return evidence;
}

TEST(Issue, HoldsAllThatIsAskedFor) {
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  const Finding sibling = short_finding(kShort, "inductor", Mismatch::kGradient, "gradients[inputs[0]]");
  const std::string text = issue_text(finding, some_evidence(), "import torch\n", {sibling});
  for (const char* part :
       {"# [aot_autograd] wrong values: ", "made by a fuzzer", "A person has to review", "```python\nimport torch\n```",
        "| aot_eager | **differs in the same way** |", "| eager | agrees with eager |", "vacuous: nothing was compiled",
        "PyTorch version: 2.13.0+cpu", "`y`, line 9", "few values", "backend: inductor", "5 of 5 fresh",
        "| inductor | gradient"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(Issue, NamesWhatIsWrongFirst) {
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  Evidence evidence = some_evidence();
  evidence.bisection.clear();
  evidence.intermediate->words = "torch.relu";
  const std::string text = issue_text(finding, evidence, "import torch\n");
  EXPECT_TRUE(text.starts_with("# [aot_autograd] wrong values: torch.relu\n")) << text;
  evidence.intermediate->name = "gradient of y";
  EXPECT_TRUE(has(issue_text(finding, evidence, "import torch\n"), "differs is the gradient of `y`, line 9"));
}

TEST(Issue, SaysHowManyElementsAreWrong) {
  Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  finding.verdict.differences[0].numbers = {{"differing", 7}, {"elements", 2}, {"count", 12}};
  EXPECT_TRUE(has(issue_text(finding, {}, "import torch\n"), "(2 of 12 elements differ)"));
}

TEST(Issue, FencesCanNotBeClosedFromInside) {
  Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  EXPECT_TRUE(has(issue_text(finding, {}, "x = '''```'''\n"), "````python\nx = '''```'''\n````\n"));
  EXPECT_EQ(ablation_table({{"a|b", "diverge", "value", "c|d", false}}),
            "| how it is run | result |\n|---|---|\n| a\\|b | value: c\\|d |\n");
}

TEST(Evidence, IsKeptAndComesBack) {
  Folder folder;
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  const std::string sha = finding.program.sha256();
  EXPECT_FALSE(load_evidence(folder.path(), "ab", sha));
  Evidence evidence = some_evidence();
  evidence.of = sha;
  evidence.plain = finding;
  ASSERT_TRUE(keep_evidence(folder.path(), "ab", evidence).ok());
  const Evidence again = load_evidence(folder.path(), "ab", sha).value();
  EXPECT_EQ(again.ablation, evidence.ablation);
  EXPECT_EQ(again.intermediate, evidence.intermediate);
  EXPECT_EQ(again.environment, evidence.environment);
  EXPECT_EQ(again.plain->program.source(), kShort);
  EXPECT_FALSE(load_evidence(folder.path(), "ab", program_of(kShort + "# other\n").sha256())) << "of another program";
}

TEST(Label, IsKeptAndTakenBack) {
  Folder folder;
  EXPECT_EQ(load_label(folder.path(), "ab"), Label{});
  ASSERT_TRUE(keep_label(folder.path(), "ab", {"known", "pytorch#1"}).ok());
  EXPECT_EQ(load_label(folder.path(), "ab"), (Label{"known", "pytorch#1"}));
  ASSERT_TRUE(keep_label(folder.path(), "ab", {}).ok());
  EXPECT_EQ(load_label(folder.path(), "ab"), Label{});
}

TEST(Reduced, IsKept) {
  Folder folder;
  EXPECT_FALSE(load_reduced(folder.path(), "ab"));
  ASSERT_TRUE(keep_reduced(folder.path(), "ab", program_of(kShort)).ok());
  EXPECT_EQ(load_reduced(folder.path(), "ab").value().source(), kShort);
}

TEST(Summary, TellsWhatWasMeasured) {
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  const std::string plain = finding_summary(finding, some_evidence(), {"known", "pytorch#1"});
  for (const char* part :
       {"differs in the same way", "First wrong value", "y = torch.relu(x)", "labelled known: pytorch#1"})
    EXPECT_TRUE(has(plain, part)) << part << "\n" << plain;
  EXPECT_FALSE(has(plain, "\033"));
  EXPECT_TRUE(has(finding_summary(finding, some_evidence(), {}, true), "\033[1m"));
}

}  // namespace
}  // namespace jp::report::test
