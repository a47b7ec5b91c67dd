// Reproducers are run as their readers run them: a fresh folder, an interpreter with torch, no part of jitprobe.
#include <gtest/gtest.h>

#include "interpreters.h"
#include "report/files.h"
#include "report/reproducer.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

// `calls` and `counter` let each kind of difference show.
const std::string kProgram = R"(import torch

counter = {"calls": 0}


def make_inputs():
    x = torch.arange(6.0).reshape(2, 3)
    return [(x.clone().requires_grad_(),), (x + 1,)]


def before_call(i):
    counter["calls"] += 10


def program(x):
    counter["calls"] += 1
    print("called")
    return x * 2


def observe():
    return counter
)";

// Its result requires a gradient, and no argument gets one.
const std::string kOwnGradient = R"(import torch


def make_inputs():
    return (torch.ones(2),)


def program(x):
    return x.clone().requires_grad_()
)";

const std::string kRefused = R"(import torch


def program():
    return torch.ones(2) + torch.ones(3)
)";

struct Case {
  const char* fault;
  Mismatch mismatch;
  const char* where;
  const std::string& program = kProgram;
};

class Faults : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << python() << " is not there";
  }
};

// The compiler fails on what eager refuses, too.
bool refused(const Case& kind) { return kind.program == kRefused && kind.mismatch == Mismatch::kCompilerError; }

Finding finding_for(const Case& kind, const std::string& source, const std::string& backend) {
  Finding finding = finding_of(source, backend, kind.mismatch, kind.where);
  if (kind.mismatch == Mismatch::kMemory) finding.outcomes = {{"compiled", OutOfMemory{4LL << 30}, 1}};
  if (refused(kind)) {
    Finished eager;
    eager.observation.calls.emplace_back().exception = ExceptionRecord{};
    finding.outcomes = {{"eager", eager, 0}};
  }
  return finding;
}

void write_repro(const Folder& folder, std::string text, Mismatch mismatch = Mismatch::kValue) {
  // Seconds. The planted hang takes all of them; each side is a new interpreter, which starts for up to 10 s.
  const std::string limit = "LIMIT = 120";
  if (const std::size_t at = text.find(limit); at != std::string::npos && mismatch == Mismatch::kHang)
    text.replace(at, limit.size(), "LIMIT = 40");
  ASSERT_TRUE(write_file(folder / "repro.py", text).ok());
}

TEST_P(Faults, PresentWithTheFaultAndAbsentWithout) {
  const Case kind = GetParam();
  const std::string backend = "file:" JITPROBE_TEST_DIR "/report_run/faulty.py";
  Folder folder;
  write_repro(folder, reproducer(finding_for(kind, kind.program, backend), {"0.1.0", "2.13.0", "3.11", ""}),
              kind.mismatch);
  EXPECT_EQ(run_python(folder, {"-W", "error", "-m", "py_compile", "repro.py"}), 0)
      << read_file(folder / "output").value();
  // Some of them in new interpreters.
  const bool is_new = std::string(kind.fault) == "value" || std::string(kind.fault) == "mode";
  const auto run = [&](const std::string& fault) {
    return run_in(is_new ? Interpreter::kNew : Interpreter::kForked, folder, "repro.py", fault);
  };
  EXPECT_EQ(run(kind.fault), 1) << read_file(folder / "output").value();
  EXPECT_NE(read_file(folder / "output").value().find("torch 2."), std::string::npos);
  EXPECT_EQ(run_in(Interpreter::kForked, folder, "repro.py", ""), 0) << read_file(folder / "output").value();
  if (!refused(kind)) return;
  for (const char* alike : {"words", "cause", "dimension"})
    EXPECT_EQ(run(alike), 0) << alike << read_file(folder / "output").value();
  EXPECT_EQ(run("hidden"), 1) << read_file(folder / "output").value();
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, Faults,
    testing::Values(Case{"value", Mismatch::kValue, "output"}, Case{"dtype", Mismatch::kDtype, "output"},
                    Case{"gradient", Mismatch::kGradient, "gradients[inputs[0]]"},
                    Case{"detached", Mismatch::kGradient, "gradients", kOwnGradient},
                    Case{"inputs", Mismatch::kStateAfter, "inputs[0]"},
                    Case{"state", Mismatch::kStateAfter, "state['counter']['calls']"},
                    Case{"state", Mismatch::kStateAfter, "observed['calls']"},
                    Case{"printed", Mismatch::kStateAfter, "printed"}, Case{"mode", Mismatch::kMode, "mode.grad"},
                    Case{"raises", Mismatch::kRaises, "call"}, Case{"backward", Mismatch::kRaises, "backward"},
                    Case{"compile", Mismatch::kCompilerError, "compile"},
                    Case{"raises", Mismatch::kCompilerError, "call", kRefused},
                    Case{"accepts", Mismatch::kAccepts, "call", kRefused}, Case{"death", Mismatch::kDeath, "process"},
                    Case{"hang", Mismatch::kHang, "process"}, Case{"memory", Mismatch::kMemory, "process"}),
    [](const auto& chosen) {
      return std::string(chosen.param.fault) +
             (std::string(chosen.param.where).starts_with("observed") ? "_observed" : "") +
             (refused(chosen.param) ? "_refused" : "");
    });

class Judging : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << python() << " is not there";
  }
};

TEST_F(Judging, FailedImportsAndUnstableProgramsCannotBeJudged) {
  const Case value{"value", Mismatch::kValue, "output"};
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"import no_such_module\n" + kProgram, "eager"},
      {kProgram, "file:/no/such/folder/backend.py"},
      {kProgram, "no_such_module:compile"},
      {"import time\n\n\ndef program():\n    return time.perf_counter_ns()\n", "eager"}};
  for (const auto& [source, backend] : cases) {
    Folder folder;
    write_repro(folder, reproducer(finding_for(value, source, backend)));
    EXPECT_EQ(run_forked(folder, "repro.py"), 2) << backend << "\n" << read_file(folder / "output").value();
  }
}

TEST_F(Judging, TheCompilersThemselvesAgreeOnASoundProgram) {
  // Each compiler once, each place twice: the reproducers' texts for a place are the same whatever the compiler.
  const std::pair<const char*, const char*> cases[] = {{"eager", "gradients[inputs[0]]"},
                                                       {"aot_eager", "gradients[inputs[0]]"},
                                                       {"aot_eager_decomp_partition", "output"},
                                                       {"torch:aot_eager", "output"}};
  for (const auto& [backend, where] : cases) {
    Folder folder;
    write_repro(folder, reproducer(finding_of(kProgram, backend, Mismatch::kValue, where)));
    EXPECT_EQ(run_forked(folder, "repro.py"), 0) << backend << "\n" << read_file(folder / "output").value();
  }
}

// Exit status and output of the reproducer of a wrong output.
int judged(const Folder& folder, const Finding& finding, const char* fault = "",
           Interpreter in = Interpreter::kForked) {
  ReproducerOptions options;
  options.python_folder = JITPROBE_SOURCE_DIR "/pyrunner";
  const std::string text = reproducer(finding, options);
  EXPECT_EQ(text.find("jitprobe_runtime"), std::string::npos) << "it needs what only we have";
  write_repro(folder, text);
  return run_in(in, folder, "repro.py", fault);
}

Finding switched(const std::string& backend, const std::vector<std::string>& switches) {
  Finding finding = finding_of(kProgram, backend, Mismatch::kValue, "output");
  finding.plan.oracle = "config_vs_config";
  RunRequest run = finding.plan.runs.back();
  run.role = "switched";
  run.switches = switches;
  finding.plan.runs.push_back(run);
  finding.verdict.reference = "compiled";
  finding.verdict.under_test = run.role;
  return finding;
}

TEST_F(Judging, BackendsOfOursAndTheirSwitchesAreBroughtAlong) {
  const std::vector<Finding> sound = {switched("aot_eager", {"dynamic"}), switched("passes", {"cse", "dce"}),
                                      switched("inductor", {"plain_partition"}),
                                      finding_of(kProgram, "passes", Mismatch::kValue, "output")};
  for (const Finding& finding : sound) {
    Folder folder;
    const auto in = finding.signature.backend == "inductor" ? Interpreter::kNew : Interpreter::kForked;
    EXPECT_EQ(judged(folder, finding, "", in), 0) << finding.signature.backend << "\n"
                                                  << read_file(folder / "output").value();
  }
}

TEST_F(Judging, ASwitchThatChangesTheResult) {
  const std::string backend = "file:" JITPROBE_TEST_DIR "/report_run/switchable.py";
  Folder folder;
  EXPECT_EQ(judged(folder, switched(backend, {"harmless", "wrong"})), 1) << read_file(folder / "output").value();
  EXPECT_EQ(judged(folder, switched(backend, {"harmless"})), 0) << read_file(folder / "output").value();
}

TEST_F(Judging, EagerAfterACompiledRun) {
  Finding finding = finding_of(kProgram, "", Mismatch::kValue, "output");
  finding.plan.oracle = "state_after";
  finding.plan.runs.back() = {.role = "eager_after", .after = "file:" JITPROBE_TEST_DIR "/report_run/leaking.py"};
  finding.verdict.reference = "eager";
  finding.verdict.under_test = "eager_after";
  Folder folder;
  EXPECT_EQ(judged(folder, finding, "leak"), 1) << read_file(folder / "output").value();
  EXPECT_EQ(judged(folder, finding), 0) << read_file(folder / "output").value();
}

TEST_F(Judging, ModulesClassesAndFutureImports) {
  const std::string source = R"(from __future__ import annotations

import dataclasses

import torch


@dataclasses.dataclass
class Point:
    x: torch.Tensor


class Net(torch.nn.Module):
    calls = 0

    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, point: Point) -> Point:
        Net.calls += 1
        return Point(point.x * self.weight)


torch.manual_seed(1)
net = Net()


def inputs():
    return (Point(torch.randn(3)),)


if __name__ == "__main__":
    raise SystemExit(9)
)";
  for (const char* where : {"output.x", "state['Net.calls']", "gradients[net.weight]"}) {
    Finding finding = finding_of(source, "aot_eager", Mismatch::kValue, where);
    finding.program = Program::make(source, {}, "", "net", "inputs").value();
    Folder folder;
    write_repro(folder, reproducer(finding));
    EXPECT_EQ(run_python(folder, {"-W", "error", "-m", "py_compile", "repro.py"}), 0);
    EXPECT_EQ(run_forked(folder, "repro.py"), 0) << where << "\n" << read_file(folder / "output").value();
  }
}

}  // namespace
}  // namespace jp::report::test
