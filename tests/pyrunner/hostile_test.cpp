// Each program of tests/hostile does something harmful and says in its second line what the outcome must be. After each
// the next test must run, and nothing of it may be left.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "codec/codec.h"
#include "common.h"
#include "pyrunner/sandbox.h"

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

// What follows a mark in the head of a program; "" if it isn't there.
std::string after(const std::string& source, const std::string& mark) {
  std::size_t begin = source.find(mark);
  if (begin == std::string::npos) return "";
  begin += mark.size();
  return source.substr(begin, source.find('\n', begin) - begin);
}

bool can_confine(const std::string& what) {
  const Confinement able = confinement();
  if (what == "files") return able.files();
  if (what == "signals") return able.signals();
  return what.empty() || able.sockets;
}

// A file of ours that no program may see or change. It is larger than what the driver leaves of a program's output.
class Treasure {
 public:
  Treasure() : path_(testing::TempDir() + "/treasure-" + std::to_string(getpid())) {
    std::ofstream(path_) << "gold";
    fs::resize_file(path_, kSize);
  }
  ~Treasure() { fs::remove(path_); }
  Treasure(const Treasure&) = delete;
  Treasure& operator=(const Treasure&) = delete;
  const std::string& path() const { return path_; }
  bool whole() const { return fs::file_size(path_) == kSize && read(path_).starts_with("gold"); }

 private:
  static constexpr std::uintmax_t kSize = 9 << 20;
  std::string path_;
};

// Fails where the program before it in its process has left something of the interpreter or of torch broken.
constexpr const char* kNext = R"(
import os
import torch
def program():
    descriptors = [os.fstat(number) for number in (0, 1, 2)]
    assert isinstance(descriptors, list) and torch.ones(1).add(1).item() == 2
    return len([torch.relu(torch.tensor(-1.0))])
)";

std::string with(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
    text.replace(at, word.size(), value);
  return text;
}

// A hang must end soon; memory must run out before time does, also on a busy machine.
Limits hunting(const std::string& expected) {
  Limits limits = short_limits();
  limits.seconds = expected.starts_with("timed_out") ? 1.5 : 30;
  limits.memory_bytes = std::int64_t{512} << 20;
  limits.disk_bytes = std::int64_t{64} << 20;
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
  const std::string expected = after(source, "# expect: ");
  if (!can_confine(after(source, "# needs: "))) GTEST_SKIP() << "this kernel: " << describe(confinement());
  const Treasure treasure;
  source = with(with(source, "TREASURE", treasure.path()), "DRIVER", std::to_string(getpid()));
  runner.set_limits(hunting(expected));
  std::vector<Outcome> outcomes = runner.run(program_of(source), {eager()}, Isolation::kBatch);
  runner.set_limits(short_limits());
  expect_shown(outcomes.at(0), expected);
  EXPECT_TRUE(treasure.whole());

  Observation next = observe(kNext);
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
