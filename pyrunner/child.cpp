#include "pyrunner/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>

#include "codec/codec.h"
#include "pyrunner/facts.h"
#include "pyrunner/left_files.h"
#include "pyrunner/processes.h"
#include "pyrunner/protocol.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using codec::Json;

constexpr double kReadySeconds = 60;
constexpr double kReadyFreshSeconds = 300;
constexpr double kEndSeconds = 2;
constexpr int kTickMilliseconds = 100;
// A run is given the time for which it waited for a free processor, and that which C++ compilers took, each up to so
// many limits more. Waiting ends by itself unless the run's own processes crowd each other out.
constexpr double kMostWaiting = 10;
constexpr double kMostCompiling = 3;
constexpr double kDiskSeconds = 0.5;
constexpr std::size_t kMostOutput = 8 << 20;
constexpr std::size_t kLastWords = 4096;
// A hundred frames for each thread are far less. Chosen, not measured.
constexpr std::size_t kMostStack = 4 << 20;
// A child that takes nothing in is stopped, or lost. Chosen, not measured.
constexpr int kSendSeconds = 30;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::string executable_of(pid_t process) {
  std::error_code error;
  return fs::read_symlink(fmt::format("/proc/{}/exe", process), error).string();
}

}  // namespace

Result<std::unique_ptr<Child>> Child::make(std::shared_ptr<Zygote> zygote, const Birth& birth,
                                           const std::function<bool()>& given_up) {
  std::error_code error;
  fs::create_directories(birth.folder, error);
  if (error) return Error{fmt::format("the folder {} can't be made: {}", birth.folder, error.message())};
  Result<Forked> forked = zygote->fork(birth, given_up);
  if (!forked.ok()) return forked.error();
  std::unique_ptr<Child> child(new Child(zygote, std::move(forked.value()), birth.folder));
  if (birth.fresh_interpreter) {
    child->base_memory_ = 0;
    if (!write_frame(child->forked_.socket.get(), zygote->configuration())) return Error{"a new child ended at once"};
  }
  Reply ready = child->wait(
      {.seconds = birth.fresh_interpreter ? kReadyFreshSeconds : kReadySeconds, .memory_bytes = 0, .disk_bytes = 0});
  const Json* greeting = std::get_if<Json>(&ready);
  if (greeting == nullptr) return Error{"a new child did not greet: " + child->last_words()};
  if (greeting->contains("broken")) return Error{"a new child is broken: " + greeting->value("broken", "")};
  return child;
}

Child::Child(std::shared_ptr<Zygote> zygote, Forked forked, std::string folder)
    : zygote_(std::move(zygote)),
      forked_(std::move(forked)),
      process_(Process::held(forked_.pid, {zygote_->pid()})),
      folder_(std::move(folder)),
      program_(executable_of(zygote_->pid())),
      base_memory_(zygote_->resident()) {
  send_within(forked_.socket.get(), kSendSeconds);
}

Child::~Child() { kill_tree(process_); }

Reply Child::ask(const Json& request, const Limits& limits, const FileNames& names,
                 const std::function<bool()>& given_up) {
  wear_ += request.value("record", true) ? kWearOfRecording : 1;
  names_ = names;
  mark_files();
  if (!write_frame(forked_.socket.get(), codec::pack(request))) return ended();
  return wait(limits, given_up);
}

// Memory or disk of 0: not watched.
Reply Child::wait(const Limits& limits, const std::function<bool()>& given_up) {
  const double seconds = limits.seconds;
  auto start = Clock::now();
  auto looked = start;
  auto weighed = start;
  std::optional<Starvation> starvation;  // created late: most runs are over before it is needed
  double compiled_before = 0;
  double limit = seconds;
  while (true) {
    pollfd watched{forked_.socket.get(), POLLIN, 0};
    double left = limit - since(start);
    int tick = std::clamp(static_cast<int>(left * 1000) + 1, 0, kTickMilliseconds);
    if (poll(&watched, 1, tick) > 0) {
      FrameReader::State state = reader_.pump(forked_.socket.get());
      if (state == FrameReader::State::kFrame) {
        Result<Json> answer = read_answer(reader_.take());
        if (answer.ok() && answer.value().is_object()) return std::move(answer).value();
        return Died{.how = "protocol", .last_words = last_words()};
      }
      if (state != FrameReader::State::kPartial) return ended();
    }
    if (since(start) >= limit) {
      if (starvation) {
        const double compiled = std::max(0.0, seconds_of_others(forked_.pid, program_) - compiled_before);
        limit = seconds + std::min(starvation->look(), kMostWaiting * seconds) +
                std::min(compiled, kMostCompiling * seconds);
      }
      if (since(start) >= limit) return timed_out(seconds);
    }
    if (since(looked) * 1000 < kTickMilliseconds) continue;
    looked = Clock::now();
    if (!starvation) {
      starvation.emplace(forked_.pid);
      compiled_before = seconds_of_others(forked_.pid, program_);
    }
    starvation->look();
    if (given_up && given_up()) {
      kill_tree(process_);
      return Died{.how = "protocol", .last_words = "given up"};
    }
    bound_output();
    if (limits.disk_bytes > 0 && since(weighed) >= kDiskSeconds) {
      weighed = Clock::now();
      if (fills(folder_, limits.disk_bytes)) {
        kill_tree(process_);
        return Died{.how = "disk", .last_words = last_words()};
      }
    }
    if (limits.memory_bytes == 0) continue;
    std::int64_t growth = tree_growth(forked_.pid, base_memory_, program_);
    if (growth > limits.memory_bytes) {
      kill_tree(process_);
      return OutOfMemory{growth};
    }
  }
}

// The socket is closed: the process has ended, or is about to, or only lost its descriptors.
Reply Child::ended() {
  std::optional<int> status = zygote_->exit_status(forked_.pid, kEndSeconds);
  kill_tree(process_);
  if (!status) return Died{.how = "protocol", .last_words = last_words()};
  return died(*status);
}

Died Child::died(int status) {
  Died died;
  died.last_words = last_words();
  if (WIFSIGNALED(status)) {
    died.how = "signal";
    died.signal = WTERMSIG(status);
    died.frames = native_stack(since_mark(kNative));
    for (const Frame& frame : python_stack(since_mark(kStack), names_)) {
      died.frames.push_back(frame.file + ":" + frame.function);
    }
  } else {
    died.exit_code = WEXITSTATUS(status);
    died.how = died.exit_code == kLostSocket ? "protocol" : "exit";
  }
  return died;
}

TimedOut Child::timed_out(double seconds) {
  // faulthandler writes the stacks; they are complete when the file has stopped growing.
  process_.signal(SIGUSR1);
  std::string path = folder_ + "/" + std::string(kStack);
  std::size_t before = stack_mark_;
  for (int quiet = 0, round = 0; quiet < 3 && round < 200; ++round) {
    usleep(10'000);
    std::size_t now = left_size(path);
    quiet = now > stack_mark_ && now == before ? quiet + 1 : 0;
    before = now;
  }
  TimedOut timed_out{.seconds = seconds, .stack = python_stack(since_mark(kStack), names_)};
  kill_tree(process_);
  return timed_out;
}

void Child::mark_files() {
  stack_mark_ = left_size(folder_ + "/" + std::string(kStack));
  native_mark_ = left_size(folder_ + "/" + std::string(kNative));
}

// The files are open for appending: after truncation the next write starts at the beginning.
void Child::bound_output() {
  for (std::string_view name : {kStdout, kStderr}) bound_left(folder_ + "/" + std::string(name), kMostOutput);
}

std::string Child::since_mark(std::string_view name) const {
  return left_text(folder_ + "/" + std::string(name), name == kStack ? stack_mark_ : native_mark_, kMostStack);
}

std::string Child::last_words() const {
  std::string path = folder_ + "/" + std::string(kStderr);
  std::size_t size = left_size(path);
  return left_text(path, size > kLastWords ? size - kLastWords : 0, kLastWords);
}

}  // namespace jp::pyrunner
