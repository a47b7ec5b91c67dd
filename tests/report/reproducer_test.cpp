// The reproducer's text. reproducer_run_test.cpp tests that it runs.
#include "report/reproducer.h"

#include <gtest/gtest.h>

#include "report/issue.h"
#include "report/short_form.h"
#include "report/summary.h"
#include "report/unit_test.h"
#include "tests/oracle/build.h"
#include "tests/oracle/unusual_oracle.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

const std::string kSource =
    "import torch\n\n\ndef make_inputs():\n    return (torch.ones(2),)\n\n\ndef program(x):\n    return x + 1\n";

std::string text_of(Mismatch mismatch, const std::string& where, const std::string& backend = "aot_eager") {
  return reproducer(finding_of(kSource, backend, mismatch, where), {"0.1.0", "2.13.0", "3.11.2", ""});
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Reproducer, HoldsTheProgramAsItIs) {
  const std::string text = text_of(Mismatch::kValue, "output");
  EXPECT_TRUE(has(text, kSource));
  EXPECT_TRUE(has(text, "torch.compile(module.program, backend=\"aot_eager\")"));
}

TEST(Reproducer, NamesUsOnce) {
  for (const auto& where : {"output", "gradients[v0]", "state", "call", "process"}) {
    const std::string text = text_of(Mismatch::kValue, where);
    const std::size_t first = text.find("jitprobe");
    ASSERT_NE(first, std::string::npos);
    EXPECT_EQ(text.find("jitprobe", first + 1), std::string::npos);
    EXPECT_TRUE(has(text, "jitprobe 0.1.0 with torch 2.13.0, Python 3.11.2"));
  }
}

TEST(Reproducer, HoldsOnlyWhatItNeeds) {
  const std::string output = text_of(Mismatch::kValue, "output[0]");
  EXPECT_FALSE(has(output, "def backward"));
  EXPECT_FALSE(has(output, "def state"));
  EXPECT_FALSE(has(output, "subprocess"));
  EXPECT_TRUE(has(text_of(Mismatch::kGradient, "gradients[v0]"), "def backward"));
  EXPECT_TRUE(has(text_of(Mismatch::kStateAfter, "state['n']"), "def state"));
  EXPECT_TRUE(has(text_of(Mismatch::kDeath, "process"), "subprocess"));
}

TEST(Reproducer, BackendsAsText) {
  EXPECT_TRUE(has(text_of(Mismatch::kValue, "output", "torch:tvm"), "backend=\"tvm\""));
  EXPECT_TRUE(has(text_of(Mismatch::kValue, "output", "mine.deep:make"), "import_module(\"mine.deep\")"));
  EXPECT_TRUE(has(text_of(Mismatch::kValue, "output", "file:/nowhere/b.py"),
                  "spec_from_file_location(\"backend\", \"/nowhere/b.py\")"));
  const std::string inlined = reproducer(finding_of(kSource, "file:/nowhere/b.py", Mismatch::kValue, "output"),
                                         {"", "", "", "def compile(fn, **options):\n    return fn\n"});
  EXPECT_TRUE(has(inlined, "r'''def compile(fn, **options):\n    return fn\n'''"));
  EXPECT_FALSE(has(inlined, "/nowhere"));
}

TEST(Reproducer, CompileOptions) {
  Finding finding = finding_of(kSource, "eager", Mismatch::kValue, "output");
  finding.plan.runs[1].options = {{"dynamic", "True"}};
  EXPECT_TRUE(has(reproducer(finding), "backend=\"eager\", dynamic=True)"));
  finding.program = program_of("COMPILE_OPTIONS = {\"fullgraph\": True}\n" + kSource);
  EXPECT_TRUE(has(reproducer(finding), "**(getattr(module, \"COMPILE_OPTIONS\", {}) | {\"dynamic\": True})"));
}

TEST(Reproducer, AMainBlockOfItsOwnDoesNotRunAndFutureImportsComeFirst) {
  const std::string text = reproducer(finding_of(
      "from __future__ import annotations\nimport torch\nif __name__ == \"__main__\":\n    raise SystemExit(9)\n",
      "eager", Mismatch::kValue, "output"));
  EXPECT_TRUE(has(text, "if __name__ == \"__never__\":"));
  EXPECT_LT(text.find("from __future__"), text.find("import os"));
}

TEST(Reproducer, FutureImportsComeFirstHoweverTheyAreWritten) {
  const std::string futures =
      "from __future__ import (  # (\n    annotations,\n)\nfrom __future__ \\\n    import division\n";
  const std::string text = reproducer(finding_of("TEXT = '''\nif __name__ == \"__main__\":\n'''\n" + futures + kSource,
                                                 "eager", Mismatch::kValue, "output"));
  EXPECT_TRUE(has(text, "\n" + futures + "if __name__ == \"__main__\":  # what fails")) << text;
  EXPECT_TRUE(has(text, "TEXT = '''\nif __name__ == \"__main__\":\n'''\nimport torch\n")) << "a string";
}

TEST(Reproducer, AsksTheLoadedFileForItsNames) {
  const std::string text = reproducer(finding_of("# before_call, make_inputs, observe\ndef program():\n    pass\n",
                                                 "eager", Mismatch::kStateAfter, "observed"));
  for (const char* part :
       {"calls = module.make_inputs() if hasattr(module, \"make_inputs\") else ()\n",
        "if callable(getattr(module, \"before_call\", None)):\n", "if callable(getattr(module, \"observe\", None)):\n"})
    EXPECT_TRUE(has(text, part)) << part << text;
}

TEST(Reproducer, RunsAsAWorkerDoes) {
  const std::string text = text_of(Mismatch::kMode, "mode.matmul_precision");
  for (const char* part :
       {"torch._inductor.config.fallback_random = True",
        "\"matmul_precision\": ", "\"rng_numpy\": ", "        put_modes_back()\n",
        "        except KeyboardInterrupt:\n            raise\n        except BaseException as error:\n"})
    EXPECT_TRUE(has(text, part)) << part << text;
  const std::string death = text_of(Mismatch::kDeath, "process");
  EXPECT_TRUE(has(death, "    if ended == 2:\n")) << death;
  EXPECT_TRUE(has(death, "        finally:\n            if process.poll() is None:")) << death;
}

TEST(Reproducer, HostileTextsStayInTheirComment) {
  Finding finding = finding_of(kSource, "eager", Mismatch::kValue, "output");
  finding.verdict.reason = "one\nimport os; os.abort()\n\x01";
  finding.verdict.differences[0].reference = "two\r\nraise SystemExit";
  const std::string text = reproducer(finding);
  EXPECT_FALSE(has(text, "\nimport os; os.abort()"));
  EXPECT_FALSE(has(text, "\nraise SystemExit"));
}

TEST(Reproducer, SetsTheConditionThatItDependsOn) {
  Finding finding = finding_of(kSource, "aot_eager", Mismatch::kValue, "output");
  EXPECT_FALSE(has(reproducer(finding), "fill_memory"));
  finding.plan.depends_on = "unwritten memory";
  for (RunRequest& run : finding.plan.runs) run.memory_fill = 0xB4;
  const std::string filled = reproducer(finding);
  EXPECT_TRUE(has(filled, "# The difference depends on unwritten memory (every fresh byte is 0x4b)."));
  EXPECT_TRUE(has(filled, "    BYTE = 0x4b\n"));
  EXPECT_TRUE(has(filled, "    fill_memory(~BYTE & 0xFF)\n    again = run(False)\n    fill_memory(BYTE)\n"))
      << "eager must give the same with other memory";
  EXPECT_FALSE(short_form(finding)) << "it would leave the condition out";
  finding.plan.depends_on = "threads";
  for (RunRequest& run : finding.plan.runs) run = {.role = run.role, .compiled = run.compiled, .backend = run.backend};
  for (RunRequest& run : finding.plan.runs) run.threads = 8;
  const std::string threads = reproducer(finding);
  EXPECT_TRUE(has(threads, "    torch.set_num_threads(1)\n    again = run(False)\n    torch.set_num_threads(8)\n"));
  EXPECT_FALSE(has(threads, "mallopt"));
  finding.plan.depends_on = "addresses";
  for (RunRequest& run : finding.plan.runs) run.fixed_addresses = true;
  const std::string fixed = reproducer(finding);
  EXPECT_LT(fixed.find("personality(0x0040000)"), fixed.find("import torch"));
}

// What an oracle that names its runs itself found: eager gives 1, the run under test 2, and a third run 3.
Finding finding_of_second_opinion(std::vector<std::string> switches = {}) {
  using oracle::test::floats;
  using oracle::test::returning;
  const oracle::Oracle& oracle = *oracle::find_oracle("second_opinion");
  Finding finding = finding_of(kSource, "aot_eager", Mismatch::kValue, "output");
  finding.plan = oracle.plan(finding.program, {.backend = "aot_eager", .switches = std::move(switches)});
  finding.outcomes = {returning(floats({3})).outcome("bystander"), returning(floats({1})).outcome("opinion"),
                      returning(floats({2})).outcome("counter_opinion")};
  finding.verdict = oracle::test::verdict_of_oracle("second_opinion", finding.plan, finding.outcomes);
  return finding;
}

TEST(Oracle, MayNameItsRunsAsItLikes) {
  const Finding finding = finding_of_second_opinion();
  ASSERT_EQ(finding.verdict.under_test, "counter_opinion");
  const std::string text = reproducer(finding);
  EXPECT_TRUE(has(text, "torch.compile(module.program, backend=\"aot_eager\", dynamic=True)")) << text;
  EXPECT_TRUE(has(text, "#   eager:    float32[1] element [0] = 1\n#   compiled: float32[1] element [0] = 2\n"))
      << text;
  const std::string unit = unit_test(finding, false).text;
  EXPECT_TRUE(has(unit, "torch.compile(program, backend=\"aot_eager\", dynamic=True)")) << unit;
  const std::string issue = issue_text(finding, {}, kSource);
  for (const char* part : {"- eager: `float32[1] element [0] = 1`", "- compiled: `float32[1] element [0] = 2`",
                           "Eager:\n\n```\ntorch.tensor([1.0])", "Compiled:\n\n```\ntorch.tensor([2.0])"})
    EXPECT_TRUE(has(issue, part)) << part << issue;
  EXPECT_TRUE(has(finding_summary(finding),
                  "    eager:    float32[1] element [0] = 1\n    compiled: float32[1] element [0] = 2\n"));
}

TEST(Oracle, ConfigurationsAreNamedByTheirSwitches) {
  const Finding finding = finding_of_second_opinion({"unfused"});
  const std::string text = reproducer(finding);
  EXPECT_TRUE(has(text, "#   eager:                 float32[1] element [0] = 1\n")) << text;
  EXPECT_TRUE(has(text, "#   compiled with unfused: float32[1] element [0] = 2\n")) << text;
  EXPECT_TRUE(has(issue_text(finding, {}, kSource), "- compiled with unfused: `float32[1] element [0] = 2`"));
}

TEST(Reproducer, OfARunOfAnotherProgramHoldsThatOne) {
  Finding finding = finding_of(kSource, "aot_eager", Mismatch::kDeath, "process");
  finding.plan.runs.push_back(finding.plan.runs[1]);
  finding.plan.runs.back().role = "compiled_seed";
  finding.plan.runs.back().source = "import torch\n\n\ndef program(x):\n    return x * 3\n";
  finding.verdict.under_test = "compiled_seed";
  const std::string text = reproducer(finding);
  EXPECT_TRUE(has(text, "return x * 3"));
  EXPECT_FALSE(has(text, "return x + 1"));
}

TEST(Issue, NamesTheConditionAndWhatWasTried) {
  Finding finding = finding_of(kSource, "inductor", Mismatch::kValue, "output");
  finding.plan.depends_on = "unwritten memory";
  for (RunRequest& run : finding.plan.runs) run.memory_fill = 0xB4;
  finding.trials = {{"as it is", 2, 4}, {"every fresh byte is 0x4b", 5, 5}};
  EXPECT_TRUE(has(title(finding), "depends on unwritten memory"));
  const std::string text = issue_text(finding, {}, kSource, {}, {});
  for (const char* part :
       {"depends on unwritten memory (every fresh byte is 0x4b)", "| as it is | 2 of 4 |", "one thread"})
    EXPECT_TRUE(has(text, part)) << part << text;
  const std::string summary = finding_summary(finding);
  for (const char* part : {"depends on unwritten memory", "2 of 4", "every fresh byte is 0x4b"})
    EXPECT_TRUE(has(summary, part)) << part << summary;
}

TEST(PythonLiteral, IsExact) {
  EXPECT_EQ(python_literal("a"), "\"a\"");
  EXPECT_EQ(python_literal("a\"\\"), "\"a\\\"\\\\\"");
  EXPECT_EQ(python_literal("a\nb\n"), "r'''a\nb\n'''");
  EXPECT_EQ(python_literal("a\n'''"), "\"a\\n'''\"");
  EXPECT_EQ(python_literal("a\n\x02"), "\"a\\n\\x02\"");
}

TEST(Summary, TellsTheWholeStory) {
  Finding finding = finding_of(kSource, "aot_eager", Mismatch::kGradient, "gradients[v0]");
  Lineage lineage;
  lineage.seed.origin = Seed::Origin::kGenerated;
  lineage.seed.seed = 42;
  lineage.steps = {{1, "true_block", {"s3", "s5"}, {std::int64_t{1}, std::string("x > 0")}}};
  finding.program = Program::make(kSource, lineage).value();
  const std::string text = finding_summary(finding);
  for (const char* part : {"gradient on aot_eager", "confirmed: 5 of 5", "gradients[v0]", "max_abs 1", "seed 42",
                           "1 true_block@s3:s5=1,'x > 0'", "compiled: aot_eager"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

}  // namespace
}  // namespace jp::report::test
