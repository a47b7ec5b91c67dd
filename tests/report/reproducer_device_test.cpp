// Texts of reproducers whose run under test is not on the CPU. report_run/device_run_test.cpp tests that they run.
#include <gtest/gtest.h>

#include "report/reproducer.h"
#include "report/short_form.h"
#include "report/unit_test.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

const std::string kSource =
    "import torch\n\n\ndef make_inputs():\n    return (torch.ones(2),)\n\n\ndef before_call(i):\n    pass\n\n\n"
    "def program(x):\n    return x + 1\n";

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

Finding on_cuda(Mismatch mismatch, const std::string& where) {
  Finding finding = finding_of(kSource, "aot_eager", mismatch, where);
  finding.plan = plan_on("cuda", "aot_eager");
  return finding;
}

Finding on_both(Mismatch mismatch, const std::string& where, const std::string& reference,
                const std::string& under_test) {
  Finding finding = finding_of(kSource, "aot_eager", mismatch, where);
  finding.plan = plan_on_both("cuda", "aot_eager");
  finding.verdict.reference = reference;
  finding.verdict.under_test = under_test;
  return finding;
}

TEST(ReproducerOnADevice, MovesArgumentsAndGlobalsAsAWorkerDoes) {
  const std::string text = reproducer(on_cuda(Mismatch::kValue, "output"));
  for (const char* part :
       {"# Needs a device that torch calls \"cuda\".\n", "    DEVICE = \"cuda\"\n", "so this can't be judged: {error}",
        "        sys.exit(2)\n", "torch.backends.cudnn.allow_tf32 = False\n",
        "torch.set_float32_matmul_precision(\"highest\")\n", "class Moving:", "    import types\n",
        "        torch.set_default_device(None)  # the file", "def run(compile_it):\n",
        "            calls, moving = moved_to(DEVICE, module, calls)\n",
        "                    module.before_call(i)\n                    moving.globals(module)\n"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_LT(text.find("moved_to(DEVICE"), text.find("entry = compiled(module)")) << "it is compiled where it runs";
  EXPECT_FALSE(has(text, ".cpu()")) << "both sides are on one device";
}

TEST(ReproducerOnADevice, OfTheCpuHasNoneOfIt) {
  for (const char* where : {"output", "gradients[v0]", "state", "mode.grad", "process"}) {
    const std::string text = reproducer(finding_of(kSource, "aot_eager", Mismatch::kValue, where));
    for (const char* part : {"DEVICE", "Moving", "tf32", ".cpu()"}) EXPECT_FALSE(has(text, part)) << where << part;
    EXPECT_EQ(has(text, "device"), has(text, "def modes")) << where << ": one mode is the default device";
  }
}

TEST(ReproducerOnADevice, HelpersWorkThere) {
  const std::string gradient = reproducer(on_cuda(Mismatch::kGradient, "gradients[inputs[0]]"));
  EXPECT_TRUE(has(gradient, ".reshape(root.shape).to(root.device))\n")) << gradient;
  const std::string mode = reproducer(on_cuda(Mismatch::kMode, "mode.grad"));
  EXPECT_TRUE(has(mode, "torch.tensor([1e-310], dtype=torch.float64, device=\"cpu\")")) << mode;
  const std::string death = reproducer(on_cuda(Mismatch::kDeath, "process"));
  EXPECT_TRUE(has(death, "torch.cuda.synchronize()")) << "a kernel that fails later fails here";
  Finding memory = on_cuda(Mismatch::kMemory, "process");
  memory.outcomes = {{"compiled", OutOfMemory{4LL << 30}, 1}};
  EXPECT_TRUE(has(reproducer(memory), "set_per_process_memory_fraction(min(1.0, 4294967296 / whole))"));
}

TEST(ReproducerOnADevice, OfTwoDevicesRunsOneSideOnEach) {
  const Finding finding = on_both(Mismatch::kValue, "output", "compiled", "cuda");
  const std::string text = reproducer(finding);
  for (const char* part :
       {"#   compiled:         1\n#   compiled on cuda: 2\n", "def run(compile_it, device):\n",
        "            if device != \"cpu\":\n                calls, moving = moved_to(device, module, calls)\n",
        "                    if device != \"cpu\":\n                        moving.globals(module)\n",
        "here = run(True, \"cpu\")\n", "differences(run(False, \"cpu\"), run(False, DEVICE))",
        "eager differs between the devices: this can't be judged", "differences(here, run(True, DEVICE))",
        "x.detach().cpu().clone()"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(ReproducerOnADevice, OfADeathOfDeviceVsDeviceIsOfThatDevice) {
  const std::string there = reproducer(on_both(Mismatch::kDeath, "process", "eager_cuda", "cuda"));
  EXPECT_TRUE(has(there, "moved_to(DEVICE, module, calls)")) << there;
  const std::string here = reproducer(on_both(Mismatch::kDeath, "process", "eager", "compiled"));
  EXPECT_FALSE(has(here, "DEVICE")) << "the CPU's run died";
}

TEST(ReproducerOnADevice, HasNoShortFormAndItsUnitTestSkipsWithoutAGpu) {
  const Finding finding = on_cuda(Mismatch::kValue, "output");
  EXPECT_FALSE(short_form(finding));
  const std::string text = unit_test(finding, true).text;
  EXPECT_TRUE(has(text, "import unittest\n")) << text;
  EXPECT_TRUE(has(text,
                  "    @unittest.skipUnless(torch.cuda.is_available(), \"needs a GPU\")\n"
                  "    @unittest.expectedFailure\n    def test_"))
      << text;
  EXPECT_FALSE(has(unit_test(finding_of(kSource, "aot_eager", Mismatch::kDeath, "process"), false).text, "skipUnless"));
}

}  // namespace
}  // namespace jp::report::test
