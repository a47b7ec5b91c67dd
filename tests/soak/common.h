// What the long runs of the runner's promises share: rounds, breaches, programs.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/outcome.h"
#include "core/program.h"
#include "pyrunner/paths.h"
#include "pyrunner/runner.h"

namespace jp::soak {

/// Rounds are numbered, so that a long run can be made in parts.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// Counts violations, and prints them.
class Report {
 public:
  void breach(std::uint64_t round, const std::string& what) {
    ++breaches_;
    fmt::print("round {}: {}\n", round, what);
    std::fflush(stdout);
  }
  void tick(std::uint64_t round, const Range& range, const std::string& figures) const {
    std::uint64_t done = round + 1 - range.first;
    if (done % 100 != 0 && done != range.count) return;
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    fmt::print("{} rounds in {:.0f} s, {} breaches; {}\n", done, seconds, breaches_, figures);
    std::fflush(stdout);
  }
  int status() const { return breaches_ == 0 ? 0 : 1; }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::uint64_t breaches_ = 0;
};

[[noreturn]] inline void leave(const Error& error) {
  fmt::print(stderr, "runner_soak: {}\n", error.message);
  std::exit(2);
}

inline std::unique_ptr<pyrunner::Runner> start(std::vector<std::string> backends = {"aot_eager"}) {
  Result<pyrunner::RunnerOptions> options = pyrunner::default_options();
  if (!options.ok()) leave(options.error());
  options.value().backends = std::move(backends);
  Result<std::unique_ptr<pyrunner::Runner>> runner = pyrunner::Runner::start(options.value());
  if (!runner.ok()) leave(runner.error());
  return std::move(runner).value();
}

inline Program program_of(const std::string& source) {
  Result<Program> program = Program::make(source, {});
  if (!program.ok()) leave(program.error());
  return std::move(program).value();
}

inline std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// "died signal 11", "timed_out", "finished".
inline std::string label(const Ending& ending) {
  std::string text(ending_name(ending));
  if (const Died* died = std::get_if<Died>(&ending)) {
    text += " " + died->how;
    if (died->how != "protocol") text += fmt::format(" {}", died->how == "signal" ? died->signal : died->exit_code);
  }
  return text;
}

// In limits_soak.cpp.
int warm(const Range& range);
int overload(const Range& range);
int ends(const Range& range);

}  // namespace jp::soak
