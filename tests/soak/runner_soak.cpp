// The runner's promises at full size: runner_soak NAME FIRST COUNT.
//
// Rounds are numbered, so that a long run can be made in parts. Each prints its figures every hundred rounds and at the
// end; violations are printed at once, and the exit status is 1 then. `./dev soak` calls it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>

#include "campaign/common/judging.h"
#include "pyrunner/processes.h"
#include "seedgen/generate.h"
#include "tests/soak/common.h"

namespace jp::soak {
namespace {

using pyrunner::Isolation;
using pyrunner::Runner;

std::size_t open_descriptors() {
  std::filesystem::directory_iterator folder("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(folder), end(folder)));
}

/// Each kind of death once per round, with a limit of one second.
int deaths(const Range& range) {
  const std::map<std::string, std::string> kinds = {{"segfault", "died signal 11"}, {"abort", "died signal 6"},
                                                    {"exit_now", "died exit"},      {"endless_loop", "timed_out"},
                                                    {"memory", "out_of_memory"},    {"closed_all", "died protocol"}};
  std::map<std::string, Program> programs;
  for (const auto& [kind, expected] : kinds)
    programs.emplace(kind, program_of(read(fmt::format("{}/hostile/{}.py", JITPROBE_TEST_DIR, kind))));
  std::unique_ptr<Runner> runner = start();
  const pid_t zygote = runner->zygote_pid(), guard = runner->guard_pid();
  const std::int64_t zygote_bytes = pyrunner::resident_bytes(zygote);
  const std::int64_t own_bytes = pyrunner::resident_bytes(getpid());
  const std::size_t descriptors = open_descriptors();
  Report report;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    for (const auto& [kind, expected] : kinds) {
      // An endless loop need not be tried again; a run that was only slow on a busy machine must be.
      runner->set_limits({.seconds = 1,
                          .hang_retry_factor = expected == "timed_out" ? 0.0 : 5.0,
                          .memory_bytes = std::int64_t{256} << 20});
      std::string shown = label(runner->run(programs.at(kind), {{.role = "eager"}}, Isolation::kBatch).at(0).ending);
      if (!shown.starts_with(expected)) report.breach(round, fmt::format("{} is labelled {}", kind, shown));
    }
    if (runner->zygote_pid() != zygote || runner->guard_pid() != guard) report.breach(round, "another zygote or guard");
    if (open_descriptors() > descriptors + 2) report.breach(round, "descriptors are left open");
    report.tick(round, range,
                fmt::format("zygote grew {} kB, driver {} kB, {} descriptors, {} processes below the guard",
                            (pyrunner::resident_bytes(zygote) - zygote_bytes) / 1024,
                            (pyrunner::resident_bytes(getpid()) - own_bytes) / 1024, open_descriptors(),
                            pyrunner::tree_of(guard).size() - 1));
  }
  return report.status();
}

/// One fork per round; every second one raises OpenMP's threads to four and computes with them.
int forks(const Range& range) {
  const Program program = program_of(R"(
import os, torch
def program():
    total = (torch.ones(1 << 18).sin() > 0).sum().item()
    return total == 1 << 18 and len(os.listdir("/proc/self/task")) >= torch.get_num_threads(), torch.get_num_threads()
)");
  std::unique_ptr<Runner> runner = start();
  runner->set_limits({.seconds = 30, .hang_retry_factor = 0});
  const pid_t zygote = runner->zygote_pid();
  Report report;
  double slowest = 0;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    RunRequest request{.role = "eager", .threads = round % 2 == 0 ? 1 : 4};
    Outcome outcome = runner->run(program, {request}, Isolation::kFresh).at(0);
    slowest = std::max(slowest, outcome.seconds);
    const Finished* finished = std::get_if<Finished>(&outcome.ending);
    if (!finished) {
      report.breach(round, fmt::format("{} threads: {}", request.threads, label(outcome.ending)));
    } else {
      const std::vector<Value>& output = finished->observation.calls.at(0).output.items;
      if (output.size() != 2 || output[0].text != "True" || output[1].text != std::to_string(request.threads))
        report.breach(round, fmt::format("{} threads: another result", request.threads));
    }
    if (runner->zygote_pid() != zygote) report.breach(round, "another zygote");
    report.tick(round, range, fmt::format("slowest {:.2f} s", slowest));
  }
  return report.status();
}

/// A generated program per round, judged in a batch, in forks and in new interpreters: the same verdict and signature.
/// Every second one goes through a backend with a planted fault, so that there are signatures to compare.
int isolation(const Range& range) {
  const std::string faulty = fmt::format("file:{}/puzzles/lost_view_write.py", JITPROBE_TEST_DIR);
  std::unique_ptr<Runner> runner = start();
  const oracle::Oracle& oracle = campaign::need_oracle("eager_vs_compiled");
  Report report;
  std::map<std::string, int> verdicts;
  for (std::uint64_t round = range.first; round < range.first + range.count; ++round) {
    Result<Program> program = seedgen::generate(round, {});
    if (!program.ok()) leave(program.error());
    const oracle::PlanOptions plan{.backend = round % 2 == 0 ? "aot_eager" : faulty, .full = true};
    std::vector<std::string> shown;
    for (Isolation kind : {Isolation::kBatch, Isolation::kFresh, Isolation::kExec}) {
      campaign::JudgedProgram judged = campaign::judge(*runner, oracle, program.value(), plan, kind);
      bool diverges = judged.verdict.kind == Verdict::Kind::kDiverge;
      shown.push_back(fmt::format("{} {} {}", verdict_name(judged.verdict.kind), judged.verdict.rule,
                                  diverges ? judged.signature.id() : ""));
      if (kind == Isolation::kExec) ++verdicts[std::string(verdict_name(judged.verdict.kind))];
    }
    if (shown[0] != shown[2] || shown[1] != shown[2])
      report.breach(round, fmt::format("batch: {}; fork: {}; new interpreter: {}", shown[0], shown[1], shown[2]));
    std::string figures;
    for (const auto& [name, count] : verdicts) figures += fmt::format("{} {}  ", count, name);
    report.tick(round, range, figures);
  }
  return report.status();
}

}  // namespace
}  // namespace jp::soak

int main(int argc, char** argv) {
  using namespace jp::soak;
  const std::map<std::string_view, int (*)(const Range&)> forms = {{"deaths", deaths},       {"forks", forks},
                                                                   {"isolation", isolation}, {"warm", warm},
                                                                   {"overload", overload},   {"ends", ends}};
  if (argc != 4 || !forms.contains(argv[1])) {
    fmt::print(stderr, "usage: runner_soak deaths|forks|isolation|warm|overload|ends FIRST COUNT\n");
    return 2;
  }
  return forms.at(argv[1])({std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10)});
}
