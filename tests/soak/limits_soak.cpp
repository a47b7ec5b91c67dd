// The runner's promises about time: compiling is warm from the first time on, a busy machine makes no hang, and nothing
// outlives a run that was ended.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include "pyrunner/probes.h"
#include "pyrunner/processes.h"
#include "pyrunner/temporary.h"
#include "seedgen/generate.h"
#include "tests/soak/common.h"

namespace jp::soak {
namespace {

using pyrunner::Isolation;
using pyrunner::Runner;

RunRequest compiled(const std::string& backend) { return {.role = "compiled", .compiled = true, .backend = backend}; }

Program generated(std::uint64_t seed, int operators) {
  Result<Program> program = seedgen::generate(seed, {.operators = operators});
  if (!program.ok()) leave(program.error());
  return std::move(program).value();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Processes that do nothing but keep processors busy, until it ends.
class Load {
 public:
  explicit Load(unsigned processes) {
    for (unsigned i = 0; i < processes; ++i) {
      const pid_t process = fork();
      if (process < 0) leave(Error{"no process can be started"});
      if (process == 0)
        for (volatile std::uint64_t spun = 0;;) spun = spun + 1;
      processes_.push_back(process);
    }
  }
  ~Load() {
    for (const pid_t process : processes_) {
      kill(process, SIGKILL);
      waitpid(process, nullptr, 0);
    }
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

 private:
  std::vector<pid_t> processes_;
};

/// Those of a set of processes that still live, after two seconds at most.
std::vector<pid_t> left_of(const std::set<pid_t>& processes) {
  std::vector<pid_t> living;
  for (int look = 0; look < 200; ++look) {
    living.clear();
    for (const pid_t process : processes)
      if (pyrunner::resident_bytes(process) > 0) living.push_back(process);
    if (living.empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return living;
}

std::set<std::string> temporary_folders() {
  std::set<std::string> names;
  const Result<std::string> base = pyrunner::users_folder();
  if (!base.ok()) leave(base.error());
  for (const auto& entry : std::filesystem::directory_iterator(base.value())) names.insert(entry.path().filename());
  return names;
}

constexpr const char* kEndedInCompiler = "ended after g++ began";

/// A run with a limit of one second; what was below the guard meanwhile has gone after two more.
void end_a_run(Runner& runner, const Program& program, const RunRequest& request, std::uint64_t round, Report& report,
               std::map<std::string, int>& endings) {
  constexpr const char* kCompiler = "cc1plus";
  std::set<pid_t> seen;
  std::atomic<bool> compiled = false;
  std::atomic<bool> over = false;
  std::thread watcher([&] {
    while (!over) {
      for (const pid_t process : pyrunner::tree_of(runner.guard_pid())) {
        seen.insert(process);
        if (read(fmt::format("/proc/{}/comm", process)).starts_with(kCompiler)) compiled = true;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  });
  const Outcome outcome = runner.run(program, {request}, Isolation::kFresh).at(0);
  over = true;
  watcher.join();
  ++endings[label(outcome.ending)];
  if (compiled && std::holds_alternative<TimedOut>(outcome.ending)) ++endings[kEndedInCompiler];
  for (const pid_t process : {runner.guard_pid(), runner.zygote_pid()}) seen.erase(process);
  if (const std::vector<pid_t> left = left_of(seen); !left.empty())
    report.breach(round,
                  fmt::format("{} of {} processes are left after {}", left.size(), seen.size(), label(outcome.ending)));
}

/// A driver of its own, killed while its run compiles: neither a process nor a folder of it stays.
void kill_a_driver(const Program& program, std::uint64_t round, Report& report) {
  const std::set<std::string> before = temporary_folders();
  const pid_t driver = fork();
  if (driver == 0) {
    std::unique_ptr<Runner> runner = start({"inductor"});
    runner->run(program, {compiled("inductor")}, Isolation::kFresh);
    pause();
    _exit(0);
  }
  // Long enough for a start and the beginning of a compile, and another moment in each round.
  std::this_thread::sleep_for(std::chrono::milliseconds(4000 + 311 * (round % 20)));
  std::set<pid_t> seen;
  for (const pid_t process : pyrunner::tree_of(driver)) seen.insert(process);
  seen.erase(driver);
  kill(driver, SIGKILL);
  waitpid(driver, nullptr, 0);
  if (seen.empty()) report.breach(round, "the driver had no processes when it was killed");
  if (const std::vector<pid_t> left = left_of(seen); !left.empty())
    report.breach(round, fmt::format("{} of {} processes are left after a driver", left.size(), seen.size()));
  for (const std::string& name : temporary_folders())
    if (!before.contains(name)) report.breach(round, fmt::format("the folder {} is left", name));
}

}  // namespace

/// A child's first compile takes at most 1.4 times what it takes in a child that has compiled nine others, in the
/// median; a program per round.
int warm(const Range& range) {
  constexpr double kMost = 1.4;
  constexpr std::uint64_t kBefore = 9;
  constexpr int kOperators = 10;
  std::unique_ptr<Runner> runner = start({"aot_eager", "inductor"});
  runner->set_limits({.seconds = 120, .tests_per_child = 1'000'000});
  const auto seconds = [&](const Program& program, const std::string& backend, Isolation isolation) {
    const Outcome outcome = runner->run(program, {compiled(backend)}, isolation).at(0);
    return std::holds_alternative<Finished>(outcome.ending) ? outcome.seconds : 0;
  };
  Report report;
  std::map<std::string, std::vector<double>> ratios;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    const Program program = generated(round, kOperators);
    std::string figures;
    for (const char* backend : {"aot_eager", "inductor"}) {
      if (round == range.first)
        for (std::uint64_t before = 1; before <= kBefore; ++before)
          seconds(generated(range.first + range.count + before, kOperators), backend, Isolation::kBatch);
      const double later = seconds(program, backend, Isolation::kBatch);
      const double first = seconds(program, backend, Isolation::kFresh);
      if (first > 0 && later > 0) ratios[backend].push_back(first / later);
      figures +=
          fmt::format("{}: {:.2f} in the median of {}  ", backend, median(ratios[backend]), ratios[backend].size());
    }
    report.tick(round, range, figures);
  }
  for (const auto& [backend, of] : ratios)
    if (2 * of.size() < range.count || median(of) > kMost)
      report.breach(range.first + range.count,
                    fmt::format("{}: {:.2f} times in the median of {}", backend, median(of), of.size()));
  return report.status();
}

/// Limits are measured on a free machine; then four busy processes a processor run beside. A good program never counts
/// as a hang, and one that hangs does; a program per round, and each kind of hang every fiftieth.
int overload(const Range& range) {
  constexpr std::uint64_t kEvery = 50;
  constexpr int kOperators = 10;
  std::unique_ptr<Runner> runner = start();
  const pyrunner::Limits limits = pyrunner::measure(*runner, "aot_eager");
  runner->set_limits(limits);
  const std::vector<Program> hangs = {program_of(read(JITPROBE_TEST_DIR "/hostile/endless_loop.py")),
                                      program_of(read(JITPROBE_TEST_DIR "/hostile/sleep_in_c.py"))};
  const Load load(4 * std::max(1U, std::thread::hardware_concurrency()));
  Report report;
  std::map<std::string, int> endings;
  double slowest = 0;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    const std::vector<Outcome> outcomes =
        runner->run(generated(round, kOperators), {{.role = "eager"}, compiled("aot_eager")}, Isolation::kBatch);
    for (const Outcome& outcome : outcomes) {
      ++endings[label(outcome.ending)];
      slowest = std::max(slowest, outcome.seconds);
      if (!std::holds_alternative<Finished>(outcome.ending))
        report.breach(round, fmt::format("a good program is labelled {}", label(outcome.ending)));
    }
    if (round % kEvery == kEvery - 1)
      for (const Program& hang : hangs) {
        const std::string shown = label(runner->run(hang, {{.role = "eager"}}, Isolation::kFresh).at(0).ending);
        if (!shown.starts_with("timed_out")) report.breach(round, fmt::format("a hang is labelled {}", shown));
      }
    std::string figures = fmt::format("limit {:.0f} s, slowest {:.1f} s; ", limits.seconds, slowest);
    for (const auto& [name, count] : endings) figures += fmt::format("{} {}  ", count, name);
    report.tick(round, range, figures);
  }
  return report.status();
}

/// A run of Inductor that is ended after a second, as a rule while g++ runs, each round; a daemon with a session of its
/// own every tenth; a driver that is killed every twenty-fifth.
int ends(const Range& range) {
  constexpr std::uint64_t kDaemon = 10, kDriver = 25;
  constexpr int kOperators = 40;
  std::unique_ptr<Runner> runner = start({"inductor"});
  runner->set_limits({.seconds = 1, .hang_retry_factor = 0});
  const Program daemon = program_of(read(JITPROBE_TEST_DIR "/hostile/daemon.py"));
  const std::set<std::string> folders = temporary_folders();
  Report report;
  std::map<std::string, int> endings;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    const Program program = generated(round, kOperators);
    end_a_run(*runner, program, compiled("inductor"), round, report, endings);
    if (round % kDaemon == 0) end_a_run(*runner, daemon, {.role = "eager"}, round, report, endings);
    if (round % kDriver == 0) kill_a_driver(program, round, report);
    std::string figures = fmt::format("{} temporary folders; ", temporary_folders().size());
    for (const auto& [name, count] : endings) figures += fmt::format("{} {}  ", count, name);
    report.tick(round, range, figures);
  }
  for (const std::string& name : temporary_folders())
    if (!folders.contains(name)) report.breach(range.first + range.count, fmt::format("the folder {} is left", name));
  if (endings[kEndedInCompiler] == 0)
    report.breach(range.first + range.count, "g++ had begun in no run that was ended");
  return report.status();
}

}  // namespace jp::soak
