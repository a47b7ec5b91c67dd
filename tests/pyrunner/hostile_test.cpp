// Each program of tests/hostile does something harmful and says in its second line what the outcome must be. After each
// the next test must run, and nothing of it may be left.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "codec/codec.h"
#include "common.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> hostile_programs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(std::string(JITPROBE_TEST_DIR) + "/hostile")) {
    if (entry.path().extension() == ".py") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string expectation(const std::string& source) {
  constexpr std::string_view kMark = "# expect: ";
  std::size_t begin = source.find(kMark);
  if (begin == std::string::npos) return "nothing said";
  begin += kMark.size();
  return source.substr(begin, source.find('\n', begin) - begin);
}

// A hang must end soon; memory must run out before time does, also on a busy machine.
Limits hunting(const std::string& expected) {
  Limits limits = short_limits();
  limits.seconds = expected.starts_with("timed_out") ? 1.5 : 30;
  limits.memory_bytes = std::int64_t{512} << 20;
  return limits;
}

void expect_shown(const Outcome& outcome, const std::string& expected) {
  std::istringstream words(expected);
  std::string ending, detail;
  words >> ending >> detail;
  ASSERT_EQ(ending_name(outcome.ending), ending) << describe(outcome);
  if (const TimedOut* timed_out = std::get_if<TimedOut>(&outcome.ending); timed_out && !detail.empty()) {
    ASSERT_FALSE(timed_out->stack.empty());
    EXPECT_EQ(timed_out->stack[0].function, detail);
    EXPECT_EQ(timed_out->stack[0].file, "program");
  }
  if (const Finished* finished = std::get_if<Finished>(&outcome.ending)) {
    ASSERT_EQ(finished->observation.calls.size(), 1u);
    const auto& exception = finished->observation.calls[0].exception;
    EXPECT_EQ(exception ? exception->type : "", detail.empty() ? "" : "builtins." + detail);
  }
  if (std::holds_alternative<Died>(outcome.ending)) {
    EXPECT_TRUE(describe(outcome).starts_with(expected)) << describe(outcome);
  }
}

class Hostile : public testing::TestWithParam<std::string> {};

TEST_P(Hostile, IsAnOutcomeAndLeavesNothing) {
  Runner& runner = shared_runner();
  pid_t zygote = runner.zygote_pid();
  std::string source = read(std::string(JITPROBE_TEST_DIR) + "/hostile/" + GetParam() + ".py");
  const std::string expected = expectation(source);
  runner.set_limits(hunting(expected));
  std::vector<Outcome> outcomes = runner.run(program_of(source), {eager()}, Isolation::kBatch);
  runner.set_limits(short_limits());
  expect_shown(outcomes.at(0), expected);

  Observation next = observe("import torch\ndef program():\n    return len([torch.relu(torch.tensor(-1.0))])\n");
  ASSERT_EQ(next.calls.size(), 1u);
  ASSERT_EQ(next.calls[0].output.text, "1");
  EXPECT_EQ(runner.zygote_pid(), zygote) << "the zygote had to be replaced";
  runner.run(program_of("import os\ndef program():\n    os._exit(0)\n"), {eager()}, Isolation::kBatch);
  EXPECT_TRUE(becomes_clean(runner)) << strays(runner).size() << " processes are left";
}

INSTANTIATE_TEST_SUITE_P(Programs, Hostile, testing::ValuesIn(hostile_programs()),
                         [](const auto& one) { return one.param; });

}  // namespace
}  // namespace jp::pyrunner::test
