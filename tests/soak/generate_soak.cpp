// generate_soak FIRST COUNT OPERATORS [THREADS]: makes the programs of COUNT seeds and names every seed for which an
// invariant of the generator breaks, or whose text is not a program. Exits with 1 if there is one.
//
// Every half a minute, and when it is interrupted, it prints up to which seed all are done; a later run can continue
// from there.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "core/internal_error.h"
#include "seedgen/generate.h"

namespace {

using namespace jp;

constexpr std::uint64_t kPiece = 1000;
constexpr auto kPause = std::chrono::seconds(30);

std::atomic<bool> stop_asked{false};

class Soak {
 public:
  Soak(std::uint64_t first, std::uint64_t count, int operators)
      : first_(first), end_(first + count), operators_(operators), next_(first) {}

  int run(int threads) {
    std::vector<std::thread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& worker : workers) worker.join();
    say("made");
    return failures_ > 0 || done_ < end_ ? 1 : 0;
  }

 private:
  void work() {
    while (const std::optional<std::uint64_t> begin = take()) {
      for (std::uint64_t seed = *begin; seed < std::min(end_, *begin + kPiece); ++seed) {
        if (stop_asked) return;  // the piece is made again
        make(seed);
      }
      give_back(*begin);
    }
  }

  // The first seed of the next piece; nothing if there is none.
  std::optional<std::uint64_t> take() {
    std::lock_guard lock(mutex_);
    if (stop_asked || next_ >= end_) return std::nullopt;
    const std::uint64_t begin = next_;
    next_ = std::min(end_, next_ + kPiece);
    under_way_.insert(begin);
    return begin;
  }

  void give_back(std::uint64_t begin) {
    std::lock_guard lock(mutex_);
    under_way_.erase(begin);
    done_ = under_way_.empty() ? next_ : *under_way_.begin();
    if (const auto now = Clock::now(); now - told_ >= kPause) {
      told_ = now;
      say("so far");
    }
  }

  void make(std::uint64_t seed) {
    try {
      const Result<Program> program = seedgen::generate(seed, {.operators = operators_});
      if (program.ok())
        bytes_ += program.value().source().size();
      else
        report(seed, program.error().message);
    } catch (const InternalError& error) {
      report(seed, error.what());
    }
  }

  void report(std::uint64_t seed, const std::string& what) {
    ++failures_;
    fmt::print("seed {} --ops {}: {}\n", seed, operators_, what);
    std::fflush(stdout);
  }

  void say(const char* when) {
    const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
    fmt::print("{}: {} programs of {} operators, seeds {} to {}, {} MB, {} broken, {:.0f} a second{}\n", when,
               done_ - first_, operators_, first_, done_, bytes_ / 1000000, failures_.load(),
               static_cast<double>(done_ - first_) / seconds,
               done_ < end_ ? fmt::format("; go on with --first {} --count {}", done_, end_ - done_) : "");
    std::fflush(stdout);
  }

  using Clock = std::chrono::steady_clock;
  const std::uint64_t first_;
  const std::uint64_t end_;
  const int operators_;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> failures_ = 0;
  const Clock::time_point started_ = Clock::now();

  std::mutex mutex_;  // guards everything below
  std::uint64_t next_;
  std::set<std::uint64_t> under_way_;  // pieces, by their first seed
  std::uint64_t done_ = first_;        // all seeds below it are done
  Clock::time_point told_ = started_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: generate_soak FIRST COUNT OPERATORS [THREADS]\n");
    return 2;
  }
  std::signal(SIGINT, [](int) { stop_asked = true; });
  std::signal(SIGTERM, [](int) { stop_asked = true; });
  const int threads = argc > 4 ? std::atoi(argv[4]) : static_cast<int>(std::thread::hardware_concurrency());
  Soak soak(std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]));
  return soak.run(std::max(threads, 1));
}
