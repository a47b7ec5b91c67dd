// What a run changes that is put back behind it, and what ends its process because nothing can put it back.
#include <string>
#include <vector>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

// The process of the batch; other text if something in it differs.
constexpr const char* kLooks = R"(
import os, torch
def program():
    return os.getpid(), str(torch.compiler.config.job_id)
)";

// A child of the batch ends after so many runs: tests that need the same one throughout begin with a new one.
void begin_batch() { run_one("import os\ndef program():\n    os._exit(1)\n", eager(), Isolation::kBatch); }

void spoil(const std::string& statement, const RunRequest& request = eager()) {
  shared_runner().run(program_of("import os, resource, signal, sys\nimport torch\nfrom torch import nn\n"
                                 "def program():\n    " +
                                 statement + "\n    return 1\n"),
                      {request}, Isolation::kBatch);
}

TEST(Restored, InTheSameProcess) {
  begin_batch();
  const Value before = observe(kLooks).calls.at(0).output;
  for (const char* statement :
       {"torch.compiler.config.job_id = 'spoilt'", "torch.relu = torch.relu", "torch.nn.Module.spoilt = 1",
        "os.environ['SPOILT'] = '1'", "sys.stdout = None", "sys.stdout.close()", "pass"}) {
    spoil(statement);
    EXPECT_EQ(before, observe(kLooks).calls.at(0).output) << statement;
  }
}

TEST(Restored, ByAnotherProcess) {
  begin_batch();
  for (const char* statement :
       {"os.close(0)", "os.dup2(os.open('/dev/null', os.O_WRONLY), 2)", "sys.stderr.close()",
        "signal.signal(signal.SIGUSR2, print)", "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})",
        "resource.setrlimit(resource.RLIMIT_NOFILE, (512, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))",
        "torch.nn.Linear.forward = torch.nn.Linear.forward", "nn.Linear.forward, a = nn.Linear.forward, 1",
        "setattr(nn.Linear, 'spoilt', 1)", "torch.nn.modules.linear.spoilt = 1"}) {
    const Value before = observe(kLooks).calls.at(0).output;
    spoil(statement);
    EXPECT_NE(before, observe(kLooks).calls.at(0).output) << statement;
  }
}

TEST(Restored, AStanceEndsWithItsRun) {
  spoil("torch.compiler.set_stance('force_eager')");
  const Outcome outcome =
      run_one("import torch\ndef make_inputs(): return (torch.ones(3),)\ndef program(x): return x + 1\n",
              compiled("aot_eager"));
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_EQ(finished->counters.frames_compiled, 1);
}

// In a series, too: control runs of a program that patches torch must not see each other's patches.
TEST(Restored, PatchesOfTorchDoNotPileUp) {
  const Program patches = program_of(R"(
import torch
before = torch.nn.Linear.forward
torch.nn.Linear.forward = lambda self, x: before(self, x) + 1
def make_inputs():
    return (torch.zeros(1, 1),)
def program(x):
    with torch.no_grad():
        layer = torch.nn.Linear(1, 1)
        layer.bias.zero_()
        return layer(x).item()
)");
  for (const Outcome& outcome : shared_runner().run(patches, {eager(), eager(), eager()}, Isolation::kSeries)) {
    const Finished* finished = std::get_if<Finished>(&outcome.ending);
    ASSERT_NE(finished, nullptr) << describe(outcome);
    EXPECT_EQ(finished->observation.calls.at(0).output.text, "0x1.0000000000000p+0");
  }
}

}  // namespace
}  // namespace jp::pyrunner::test
