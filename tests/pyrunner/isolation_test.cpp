// Nothing leaks from run to run; batch, fork and new interpreter agree; nothing outlives its owner.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include "codec/codec.h"
#include "common.h"
#include "pyrunner/processes.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kVaried = R"(
import random
import torch
scale = torch.ones(2, requires_grad=True)
def make_inputs():
    x = torch.randn(3, 2)
    return [(x, 2), (x, 3)]
def program(x, n):
    print(n, random.random() < 2)
    return (x * scale).relu().sum(0) * n, {"n": n, "shape": x.shape}
)";

// Everything in an outcome except its time and its counters.
std::string text_of(Outcome outcome) {
  outcome.seconds = 0;
  if (Finished* finished = std::get_if<Finished>(&outcome.ending)) finished->counters = {};
  return codec::text(codec::to_json(outcome));
}

// A child of the batch ends after so many runs: tests that need the same one throughout begin with a new one.
void begin_batch() { run_one("import os\ndef program():\n    os._exit(1)\n", eager(), Isolation::kBatch); }

TEST(Isolation, BatchForkAndNewInterpreterAgree) {
  Runner& runner = shared_runner();
  std::vector<RunRequest> requests = {eager(), compiled("aot_eager")};
  std::vector<Outcome> batch = runner.run(program_of(kVaried), requests, Isolation::kBatch);
  std::vector<Outcome> again = runner.run(program_of(kVaried), requests, Isolation::kBatch);
  std::vector<Outcome> fork = runner.run(program_of(kVaried), requests, Isolation::kFresh);
  std::vector<Outcome> series = runner.run(program_of(kVaried), requests, Isolation::kSeries);
  std::vector<Outcome> exec = runner.run(program_of(kVaried), requests, Isolation::kExec);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    EXPECT_EQ(text_of(batch[i]), text_of(again[i]));
    EXPECT_EQ(text_of(batch[i]), text_of(fork[i]));
    EXPECT_EQ(text_of(batch[i]), text_of(series[i]));
    EXPECT_EQ(text_of(batch[i]), text_of(exec[i]));
  }
}

TEST(Isolation, ASeriesHasAChildOfItsOwn) {
  Runner& runner = shared_runner();
  begin_batch();
  const auto process = [&](Isolation isolation) {
    std::vector<std::string> pids;
    for (const Outcome& outcome :
         runner.run(program_of("import os\ndef program():\n    return os.getpid()\n"), {eager(), eager()}, isolation))
      pids.push_back(std::get<Finished>(outcome.ending).observation.calls.at(0).output.text);
    return pids;
  };
  const auto batch = process(Isolation::kBatch);
  const auto series = process(Isolation::kSeries);
  EXPECT_EQ(series[0], series[1]);
  EXPECT_NE(series[0], batch[0]);
  EXPECT_NE(series, process(Isolation::kSeries));
  EXPECT_EQ(batch, process(Isolation::kBatch)) << "the batch goes on behind it";
}

TEST(Isolation, StateIsPutBackWithinABatch) {
  std::string spoils = R"(
import os, sys, torch, warnings
torch.set_default_dtype(torch.float64)
torch.set_grad_enabled(False)
torch.use_deterministic_algorithms(True)
torch._dynamo.config.recompile_limit = 1
torch.set_default_device("meta")
os.environ["SPOILT"] = "1"
sys.path.insert(0, "/spoilt")
sys.modules["spoilt"] = sys
torch.relu = None
torch.autocast("cpu").__enter__()
warnings.simplefilter("ignore")
torch.set_num_threads(3)
def program():
    pass
)";
  std::string looks = R"(
import os, sys, torch, warnings
def program():
    return (str(torch.get_default_dtype()), torch.is_grad_enabled(), torch.are_deterministic_algorithms_enabled(),
            torch._dynamo.config.recompile_limit, str(torch.ones(1).device), os.environ.get("SPOILT"), "/spoilt" in sys.path,
            "spoilt" in sys.modules, str(warnings.filters), callable(torch.relu), torch.is_autocast_enabled("cpu"),
            torch.get_num_threads(), os.getpid())
)";
  Runner& runner = shared_runner();
  begin_batch();
  Observation before = observe(looks);
  runner.run(program_of(spoils), {eager()}, Isolation::kBatch);
  Observation after = observe(looks);
  EXPECT_EQ(before.calls.at(0).output, after.calls.at(0).output) << "state differs, or the batch had to end";
  EXPECT_EQ(before.calls.at(0).mode, after.calls.at(0).mode);
}

TEST(Isolation, WhatGuardsLeaveIsPutBackWithinABatch) {
  const std::string looks = R"(
import os, torch
def program():
    twice = torch.vmap(torch.vmap(lambda one: one * 2))(torch.ones(2, 3))
    return (twice, torch._C._dispatch_tls_local_exclude_set().raw_repr(), torch._C._functorch.get_dynamic_layer_stack_depth(),
            torch.autograd.forward_ad._current_level, torch._C._is_fwd_grad_enabled(),
            torch._C._autograd._top_saved_tensors_default_hooks(True) is None,
            torch._C._autograd._saved_tensors_hooks_is_enabled(), os.getpid())
)";
  const std::vector<std::string> spoils = {
      // The one that was made first ends first, and the other restores what that one had set.
      "one, other = torch._C._DisableFuncTorch(), torch._C._DisableFuncTorch()\n    del one, other",
      "torch._C._functorch._vmap_increment_nesting(2, 'error')",
      "torch._C._functorch._grad_increment_nesting()",
      "torch.autograd.forward_ad.enter_dual_level()",
      "torch._C._set_fwd_grad_enabled(False)",
      "torch.autograd.graph.saved_tensors_hooks(lambda one: one, lambda one: one).__enter__()",
      "torch._C._autograd._saved_tensors_hooks_disable('no')",
  };
  begin_batch();
  const Observation before = observe(looks);
  for (const std::string& statement : spoils) {
    const std::string spoiling = "import torch\ndef program():\n    " + statement + "\n";
    shared_runner().run(program_of(spoiling), {eager()}, Isolation::kBatch);
    const Value after = observe(looks).calls.at(0).output;
    for (std::size_t i = 0; i < after.items.size(); ++i)
      EXPECT_EQ(before.calls.at(0).output.items.at(i).text, after.items[i].text) << statement << i;
  }
}

// One after the other in the same process, so that leftovers of the first would hide what the next ones do.
TEST(Isolation, TablesArePutBackWithinABatch) {
  const std::string looks = R"(
import builtins, json, os, sys, torch
def program():
    import torch.nn.functional as F
    return (callable(F.relu), callable(torch.Tensor.add), hasattr(torch.Tensor, "spoilt"), len([1]), hasattr(builtins, "spoilt"),
            torch._inductor.config.max_fusion_size, torch._dynamo.config.verbose, callable(torch.nn.Module.forward),
            callable(torch.neg), json is sys.modules["json"], sys.modules["torch"] is torch, torch._inductor.config.deterministic,
            torch.are_deterministic_algorithms_enabled(), os.getpid())
)";
  Runner& runner = shared_runner();
  begin_batch();
  const Observation before = observe(looks);
  for (const char* spoils : {
           "torch.nn.functional.relu = None",
           "torch.Tensor.add = 1",
           "torch.Tensor.spoilt = 1",
           "import builtins; builtins.len = None",
           "import builtins; builtins.spoilt = 1",
           "import builtins; f = builtins.len; del builtins.len; builtins.len = f",
           "torch._inductor.config.max_fusion_size = 1",
           "torch._dynamo.config.verbose = not torch._dynamo.config.verbose",
           "import contextvars; contextvars.ContextVar('own').set(1); torch._dynamo.config.verbose = 1",
           "torch.use_deterministic_algorithms(True)",
           "torch.nn.Module.forward = None",
           "del torch.neg",
           "f = torch.neg; del torch.neg; torch.neg = f",
           "del sys.modules['json']",
           "sys.modules['json'] = sys.modules.pop('json')",
           "sys.modules = dict(sys.modules)",
           "sys.modules = {}",
       }) {
    runner.run(program_of(std::string("import sys, torch\n") + spoils + "\ndef program():\n    return 1\n"), {eager()},
               Isolation::kBatch);
    EXPECT_EQ(before.calls.at(0).output, observe(looks).calls.at(0).output) << spoils;
  }
}

TEST(Isolation, AChildThatRunsOnEndsTheBatch) {
  const std::string looks = "import os\ndef program():\n    return os.getpid()\n";
  Runner& runner = shared_runner();
  for (const char* leaves :
       {"subprocess.Popen(['sleep', '100'])",
        "threading.Thread(target=lambda: subprocess.Popen(['sleep', '100'])).start()", "subprocess.Popen(['true'])"}) {
    const Observation before = observe(looks);
    runner.run(
        program_of(std::string("import subprocess, threading\nkept = ") + leaves + "\ndef program():\n    return 1\n"),
        {eager()}, Isolation::kBatch);
    EXPECT_NE(before.calls.at(0).output, observe(looks).calls.at(0).output) << leaves;
  }
  const Observation before = observe(looks);
  runner.run(program_of("import subprocess\nsubprocess.run(['true'])\ndef program():\n    return 1\n"), {eager()},
             Isolation::kBatch);
  EXPECT_EQ(before.calls.at(0).output, observe(looks).calls.at(0).output);
}

TEST(Isolation, CountersTellOfTheirOwnRunOnly) {
  std::string source = "import torch\ndef make_inputs(): return (torch.ones(3),)\ndef program(x): return x + 1\n";
  for (int i = 0; i < 2; ++i) {
    Outcome outcome = run_one(source, compiled("aot_eager"));
    const Finished& finished = std::get<Finished>(outcome.ending);
    EXPECT_TRUE(finished.counters.known);
    EXPECT_EQ(finished.counters.frames_compiled, 1);
    EXPECT_EQ(finished.counters.graphs, 1);
  }
}

TEST(Isolation, RecompileLimitIsCounted) {
  std::string source = R"(
import torch
COMPILE_OPTIONS = {"dynamic": False}
def make_inputs():
    return [(torch.ones(i),) for i in range(2, 14)]
def program(x):
    return x + 1
)";
  Outcome outcome = run_one(source, compiled("eager"));
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_GT(finished->counters.recompile_limit_hits, 0);
}

TEST(Isolation, ABatchGoesOnAfterADeath) {
  std::string source = "import os\ndef program():\n    os._exit(5)\n";
  std::vector<Outcome> outcomes = shared_runner().run(program_of(source), {eager(), eager()}, Isolation::kBatch);
  ASSERT_EQ(outcomes.size(), 2u);
  for (const Outcome& outcome : outcomes) EXPECT_TRUE(describe(outcome).starts_with("died exit 5"));
}

// How long a run that does nothing takes on this machine now: the slowest of three, in seconds.
double seconds_of_nothing() {
  double slowest = 0;
  for (int i = 0; i < 3; ++i)
    slowest = std::max(slowest, run_one("def program():\n    return 1\n", eager(), Isolation::kFresh).seconds);
  return slowest;
}

TEST(Isolation, AHangIsTriedAgainWithMoreTime) {
  Runner& runner = shared_runner();
  Limits limits = short_limits();
  // Too little for the program; four times as much is enough for it and what a run takes by itself.
  limits.seconds = 1 + 5 * seconds_of_nothing();
  limits.hang_retry_factor = 4;
  runner.set_limits(limits);
  const std::string slow =
      fmt::format("import time\ndef program():\n    time.sleep({})\n    return 1\n", 1.8 * limits.seconds);
  Outcome outcome = runner.run(program_of(slow), {compiled("eager")}, Isolation::kBatch).at(0);
  runner.set_limits(short_limits());
  EXPECT_EQ(ending_name(outcome.ending), "finished");
}

TEST(Isolation, AHangWithoutTheCompilerEndsTheRuns) {
  Runner& runner = shared_runner();
  Limits limits = short_limits();
  limits.seconds = 1;
  limits.hang_retry_factor = 3;
  runner.set_limits(limits);
  const Program hanging = program_of("def program():\n    while True:\n        pass\n");
  std::vector<Outcome> outcomes = runner.run(hanging, {eager(), compiled("eager")}, Isolation::kBatch);
  runner.set_limits(short_limits());
  ASSERT_EQ(outcomes.size(), 2u);
  const TimedOut* hang = std::get_if<TimedOut>(&outcomes[0].ending);
  ASSERT_NE(hang, nullptr);
  EXPECT_EQ(hang->seconds, 1);  // it was not tried again with more time
  const Died* other = std::get_if<Died>(&outcomes[1].ending);
  ASSERT_NE(other, nullptr);
  EXPECT_TRUE(other->last_words.starts_with("not run")) << other->last_words;
}

// A process that keeps a processor busy until it is destroyed.
class Spinning {
 public:
  explicit Spinning(int processor) : process_(fork()) {
    if (process_ != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setsid();  // as workers are: otherwise the scheduler would weigh its group by this test's own
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(static_cast<std::size_t>(processor), &one);
    sched_setaffinity(0, sizeof(one), &one);
    for (volatile bool busy = true; busy;) continue;
  }
  ~Spinning() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  Spinning(const Spinning&) = delete;
  Spinning& operator=(const Spinning&) = delete;

 private:
  pid_t process_;
};

TEST(Isolation, WaitingForAProcessorIsNoHang) {
  const int processor = sched_getcpu();
  if (waited_for_processor(getpid()) == 0) GTEST_SKIP() << "the kernel doesn't count how long processes wait";
  Runner& runner = shared_runner();
  Limits limits = short_limits();
  const double nothing = seconds_of_nothing();
  // Alone it would end at three quarters of the limit; together with a busy process it takes one and a half times the
  // limit.
  limits.seconds = 2 + 20 * nothing;
  runner.set_limits(limits);
  Outcome outcome;
  {
    Spinning beside(processor);
    std::string slow = "import os, time\ndef program():\n    os.sched_setaffinity(0, {" + std::to_string(processor) +
                       "})\n    end = time.process_time() + " + std::to_string(0.75 * limits.seconds) +
                       "\n    while time.process_time() < end:\n"
                       "        pass\n    return 1\n";
    outcome = runner.run(program_of(slow), {eager()}, Isolation::kFresh).at(0);
  }
  runner.set_limits(short_limits());
  EXPECT_EQ(ending_name(outcome.ending), "finished");
  EXPECT_GT(outcome.seconds, limits.seconds) << "it had the processor for itself: nothing was tested";
}

TEST(Isolation, WhatACompilerTakesIsNoHang) {
  Runner& runner = shared_runner();
  Limits limits = short_limits();
  limits.seconds = 2 + 20 * seconds_of_nothing();
  runner.set_limits(limits);
  const std::string busy =
      "import time\nwhile time.process_time() < " + std::to_string(1.2 * limits.seconds) + ": pass";
  const Program slow =
      program_of("import subprocess, sys\ndef program():\n    return subprocess.run([sys.executable, '-Sc', \"\"\"" +
                 busy + "\"\"\"]).returncode\n");
  const Outcome outcome = runner.run(slow, {eager()}, Isolation::kFresh).at(0);
  runner.set_limits(short_limits());
  EXPECT_EQ(ending_name(outcome.ending), "finished");
  EXPECT_GT(outcome.seconds, limits.seconds) << "nothing was tested";
}

TEST(Isolation, TheEmbeddedPythonIsTheVenvs) {
  const WorkerInfo& info = shared_runner().info();
  EXPECT_EQ(info.executable, shared_runner().options().python);
  EXPECT_EQ(info.prefix, std::filesystem::path(info.executable).parent_path().parent_path());
  EXPECT_EQ(info.threads, 1);
  Observation seen =
      observe("import sys\ndef program():\n    return sys.flags.utf8_mode, hash('a'), sys.flags.isolated\n");
  EXPECT_EQ(seen.calls.at(0).output.items.at(0).text, "1");
  EXPECT_EQ(seen.calls.at(0).output.items.at(2).text, "1");
}

TEST(Isolation, UserFilesSeeTheirFolder) {
  std::string folder = testing::TempDir() + "jitprobe_user";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/neighbour.py") << "VALUE = 41\n";
  std::string source = "import neighbour\ndef program():\n    return neighbour.VALUE, __file__\n";
  std::ofstream(folder + "/user.py") << source;
  Program program = Program::make(source, {}, folder + "/user.py").value();
  Outcome outcome = shared_runner().run(program, {eager()}, Isolation::kBatch).at(0);
  ASSERT_TRUE(std::holds_alternative<Finished>(outcome.ending)) << describe(outcome);
  const Value& output = std::get<Finished>(outcome.ending).observation.calls.at(0).output;
  EXPECT_EQ(output.items.at(0).text, "41");
  EXPECT_EQ(output.items.at(1).text, folder + "/user.py");
}

// A driver that is killed while a test with a daemon runs: guard, zygote and all children end with it.
TEST(Isolation, NothingOutlivesAKilledDriver) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  pid_t driver = fork();
  if (driver == 0) {
    RunnerOptions options = default_options().value();
    options.backends = {"plain"};
    options.limits = short_limits();
    auto runner = Runner::start(options);
    pid_t guard = runner.ok() ? runner.value()->guard_pid() : 0;
    if (write(ends[1], &guard, sizeof guard) != sizeof guard) _exit(1);
    std::string source =
        "import os, time\ndef program():\n    if os.fork() == 0:\n        os.setsid()\n        os.fork()\n"
        "        time.sleep(600)\n    time.sleep(600)\n";
    runner.value()->run(program_of(source), {eager()}, Isolation::kBatch);
    _exit(0);
  }
  pid_t guard = 0;
  ASSERT_EQ(::read(ends[0], &guard, sizeof guard), static_cast<ssize_t>(sizeof guard));
  ASSERT_GT(guard, 0);
  std::vector<pid_t> tree = tree_of(guard);
  for (int i = 0; i < 6000 && tree.size() < 5; ++i, tree = tree_of(guard)) usleep(10'000);
  EXPECT_GE(tree.size(), 5u);  // guard, zygote, child, two daemons
  kill(driver, SIGKILL);
  waitpid(driver, nullptr, 0);
  auto alive = [&] {
    return std::count_if(tree.begin(), tree.end(), [](pid_t process) { return resident_bytes(process) > 0; });
  };
  for (int i = 0; i < 6000 && alive() > 0; ++i) usleep(10'000);
  EXPECT_EQ(alive(), 0);
}

}  // namespace
}  // namespace jp::pyrunner::test
