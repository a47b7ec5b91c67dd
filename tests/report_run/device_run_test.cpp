// Reproducers for another device, run on a machine that may have none: "cpu:0" is the CPU by another name, and its
// tensors are taken for tensors that still have to be moved.
#include <gtest/gtest.h>

#include "interpreters.h"
#include "report/files.h"
#include "report/reproducer.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

// The exit status of the file in a folder of its own, with its output.
struct Ended {
  int status = -1;
  std::string said;
};
Ended run_file(const std::string& text, const std::string& fault = "", Interpreter in = Interpreter::kForked) {
  Folder folder;
  EXPECT_TRUE(write_file(folder / "repro.py", text).ok());
  const int status = run_in(in, folder, "repro.py", fault);
  return {status, read_file(folder / "output").value()};
}

std::string moving_all(std::string text) {
  const std::string there = "if x.device.type == self.device.type:";
  const std::size_t at = text.find(there);
  EXPECT_NE(at, std::string::npos) << text;
  return at == std::string::npos ? text : text.replace(at, there.size(), "if False:");
}

// Arguments that share memory, a leaf, a view of what requires gradients, a module, globals, defaults.
const std::string kProgram = R"(import torch

shared = torch.arange(6.0)
kept = {"part": shared[2:4], "calls": 0}
model = torch.nn.Linear(3, 2)


def make_inputs():
    x = torch.arange(6.0).reshape(2, 3)
    leaf = torch.ones(3, requires_grad=True)
    return (x, x.t(), leaf, (leaf * 2)[1:])


def before_call(i):
    kept["added"] = torch.ones(2) * i


def program(x, turned, leaf, view, more=torch.ones(1)):
    kept["calls"] += 1
    x.add_(1)
    return model(x) + turned.sum() + view.sum() + kept["part"] + kept["added"] + more
)";

class OnADevice : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_python()) GTEST_SKIP() << python() << " is not there";
  }
};

const std::string kFaulty = "file:" JITPROBE_TEST_DIR "/report_run/faulty.py";
const std::string kWrongElsewhere = "file:" JITPROBE_TEST_DIR "/report_run/wrong_elsewhere.py";

Finding on_device(const std::string& device, Mismatch mismatch, const std::string& where) {
  Finding finding = finding_of(kProgram, kFaulty, mismatch, where);
  finding.plan = plan_on(device, kFaulty);
  return finding;
}

TEST_F(OnADevice, PresentWithTheFaultAndAbsentWithout) {
  struct Case {
    const char* fault;
    Mismatch mismatch;
    const char* where;
  };
  for (const Case& one :
       {Case{"value", Mismatch::kValue, "output"}, Case{"gradient", Mismatch::kGradient, "gradients[model.weight]"},
        Case{"inputs", Mismatch::kStateAfter, "inputs[0]"}, Case{"mode", Mismatch::kMode, "mode.grad"},
        Case{"raises", Mismatch::kRaises, "call"}, Case{"death", Mismatch::kDeath, "process"}}) {
    const std::string text = moving_all(reproducer(on_device("cpu:0", one.mismatch, one.where)));
    const Ended with = run_file(text, one.fault);
    EXPECT_EQ(with.status, 1) << one.fault << "\n" << with.said << text;
    const Ended without = run_file(text);
    EXPECT_EQ(without.status, 0) << one.fault << "\n" << without.said;
  }
}

TEST_F(OnADevice, ThatTorchLacksCannotBeJudged) {
  for (Mismatch mismatch : {Mismatch::kValue, Mismatch::kDeath}) {
    const char* where = mismatch == Mismatch::kValue ? "output" : "process";
    const Ended ended = run_file(reproducer(on_device("xpu:7", mismatch, where)), "value");
    EXPECT_EQ(ended.status, 2) << ended.said;
    EXPECT_NE(ended.said.find("torch can't use the device xpu:7 here, so this can't be judged"), std::string::npos)
        << ended.said;
  }
}

Finding on_two(const std::string& source) {
  Finding finding = finding_of(source, kWrongElsewhere, Mismatch::kValue, "output");
  finding.plan = plan_on_both("cpu:0", kWrongElsewhere);
  finding.verdict.reference = "compiled";
  finding.verdict.under_test = "cuda";
  return finding;
}

const std::string kSmall =
    "import torch\n\n\ndef make_inputs():\n    return (torch.arange(3.0),)\n\n\ndef program(x):\n    return x * "
    "FACTOR\n";

std::string small(const std::string& factor) {
  std::string source = kSmall;
  return source.replace(source.find("FACTOR"), 6, factor);
}

TEST_F(OnADevice, ADifferenceBetweenDevicesIsThereOnlyIfEagerAgrees) {
  const Ended wrong = run_file(moving_all(reproducer(on_two(small("2")))), "", Interpreter::kNew);
  EXPECT_EQ(wrong.status, 1) << wrong.said;
  EXPECT_NE(wrong.said.find("compiled on cpu:0: "), std::string::npos) << wrong.said;
  const Ended eager_differs =
      run_file(moving_all(reproducer(on_two(small("(1 if torch.get_default_device().index is None else 2)")))));
  EXPECT_EQ(eager_differs.status, 2) << eager_differs.said;
  EXPECT_NE(eager_differs.said.find("eager differs between the devices"), std::string::npos) << eager_differs.said;
  Finding sound = on_two(small("2"));
  for (RunRequest& run : sound.plan.runs)
    if (run.compiled) run.backend = kFaulty;
  const Ended right = run_file(moving_all(reproducer(sound)));
  EXPECT_EQ(right.status, 0) << right.said;
}

}  // namespace
}  // namespace jp::report::test
