// Processes started by the compiler: backends of tests/hostile/backends.
#include "codec/codec.h"
#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kPlain = R"(
import torch
def make_inputs():
    return (torch.ones(2),)
def program(x):
    return x + 1
)";

Outcome through(const std::string& backend, const Limits& limits, const std::string& source = kPlain) {
  Runner& runner = shared_runner();
  runner.set_limits(limits);
  RunRequest request = compiled("file:" + std::string(JITPROBE_TEST_DIR) + "/hostile/backends/" + backend + ".py");
  Outcome outcome = runner.run(program_of(source), {request}, Isolation::kFresh).at(0);
  runner.set_limits(short_limits());
  EXPECT_TRUE(becomes_clean(runner)) << strays(runner).size() << " processes are left";
  return outcome;
}

TEST(Children, EndedBySignalsAreNamedThoseStoppedOnPurposeAreNot) {
  Outcome outcome = through("child_segfaults", short_limits());
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_EQ(finished->lost_children, (std::vector<std::string>{"sh: signal 11", "a process: signal 7"}));
}

TEST(Children, OfTheProgramItselfAreItsOwnBusiness) {
  Outcome outcome = run_one(R"(
import subprocess
def program():
    return subprocess.run(["sh", "-c", "kill -SEGV $$"]).returncode
)",
                            compiled("eager"), Isolation::kFresh);
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_EQ(finished->observation.calls.at(0).output.text, "-11");
  EXPECT_TRUE(finished->lost_children.empty());
}

TEST(Children, AreWaitedForByWhatTheProgramPasses) {
  const std::string source = R"(
import os
def program():
    def child():
        return os.posix_spawnp("true", ["true"], {})
    return os.wait4(pid=child(), options=0)[1], child() == os.wait3(options=0)[0], os.waitpid(child(), 0)[1]
)";
  for (const RunRequest& request : {eager(), compiled("eager")}) {
    const Outcome outcome = run_one(source, request, Isolation::kFresh);
    ASSERT_TRUE(std::holds_alternative<Finished>(outcome.ending)) << describe(outcome);
    const Observation& seen = std::get<Finished>(outcome.ending).observation;
    ASSERT_FALSE(seen.calls.at(0).exception) << seen.calls[0].exception->message;
    for (std::size_t i : {0, 2}) EXPECT_EQ(out(seen, i).text, "0") << i;
    EXPECT_EQ(out(seen, 1).text, "True");
  }
}

TEST(Children, ThatHangAreAHangOfTheRun) {
  Limits limits = short_limits();
  limits.seconds = 3;
  Outcome outcome = through("child_hangs", limits);
  const TimedOut* timed_out = std::get_if<TimedOut>(&outcome.ending);
  ASSERT_NE(timed_out, nullptr) << describe(outcome);
  auto is_backend = [](const Frame& frame) { return frame.function == "backend"; };
  EXPECT_TRUE(std::any_of(timed_out->stack.begin(), timed_out->stack.end(), is_backend));
}

TEST(Children, ThatEatMemoryEndTheRun) {
  Limits limits = short_limits();
  limits.memory_bytes = std::int64_t{512} << 20;
  Outcome outcome = through("child_eats_memory", limits);
  EXPECT_EQ(ending_name(outcome.ending), "out_of_memory") << describe(outcome);
}

}  // namespace
}  // namespace jp::pyrunner::test
