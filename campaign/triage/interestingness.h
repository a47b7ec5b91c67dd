// Asks whether candidates of a reduction still diverge in the same way: several runners side by side, one list of
// candidates at a time, always the first one that does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/triage/candidate_results.h"
#include "core/facts.h"
#include "mutate/syntax/syntax.h"
#include "oracle/reduce/engine.h"

namespace jp::campaign {

/// Threads that have a runner each and do one piece of work together.
class RunnerPool {
 public:
  /// Starts the runners; an Error when the first of them can't be started. `jobs` is at least 1.
  static Result<std::unique_ptr<RunnerPool>> start(const pyrunner::RunnerOptions& options, std::size_t jobs);
  /// A crew of one that works in the caller's thread with the caller's runner, which must outlive it.
  static std::unique_ptr<RunnerPool> of(pyrunner::Runner& runner);
  ~RunnerPool();
  RunnerPool(const RunnerPool&) = delete;
  RunnerPool& operator=(const RunnerPool&) = delete;

  /// Every thread does the work with its own runner; back when all have ended. What one of them throws is thrown here.
  void work(const std::function<void(pyrunner::Runner&)>& work);
  /// The same for the first thread alone.
  void work_alone(const std::function<void(pyrunner::Runner&)>& work);
  /// Between pieces of work.
  void set_limits(const pyrunner::Limits& limits);
  const pyrunner::Limits& limits() const { return any().options().limits; }
  /// The version of the torch under test.
  const std::string& torch() const { return any().info().torch; }

 private:
  const pyrunner::Runner& any() const { return borrowed_ ? *borrowed_ : *runners_.front(); }
  RunnerPool() = default;
  void live(std::size_t number);
  void hand_out(const std::function<void(pyrunner::Runner&)>& work, std::size_t takers);

  pyrunner::Runner* borrowed_ = nullptr;
  std::vector<std::unique_ptr<pyrunner::Runner>> runners_;
  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  const std::function<void(pyrunner::Runner&)>* work_ = nullptr;
  std::uint64_t round_ = 0;
  std::size_t takers_ = 0;
  std::size_t busy_ = 0;
  bool over_ = false;
  std::exception_ptr thrown_;  // by the work of this round
};

/// "Diverges in the same way", asked of many programs: briefly, with the few further runs that most often decide, until
/// it is told to judge fully. What was answered before is not run again.
class InterestingnessTest {
 public:
  /// When it answers no more. Either may be empty.
  struct Ends {
    /// No further program of a list is looked at.
    std::function<bool()> stop;
    /// The runners have given up: what they say of the program under way means nothing.
    std::function<bool()> given_up;
  };

  InterestingnessTest(RunnerPool& pool, const oracle::Oracle& oracle, oracle::PlanOptions options, Signature signature,
                      CandidateResults& answers, Ends ends, std::string behind = "")
      : pool_(pool),
        oracle_(oracle),
        options_(std::move(options)),
        signature_(std::move(signature)),
        ends_(std::move(ends)),
        behind_(std::move(behind)),
        answers_(answers) {
    options_.brief = true;
  }

  /// The index of the first that does. Whether later ones do is not always looked at.
  std::optional<std::size_t> first(const std::vector<Program>& programs);
  void judge_fully() { options_.brief = false; }
  bool given_up() const { return ends_.given_up && ends_.given_up(); }
  /// What an eager run of the program shows; empty when it has none.
  Facts facts(const mutate::Parsed& parsed);

  /// Programs judged, those answered before among them, and runs made for it.
  std::int64_t judged() const { return judged_; }
  std::int64_t runs() const { return runs_; }
  /// The first program met for every other way of diverging, by the signature's ID.
  const std::map<std::string, Program>& others() const { return others_; }
  /// That answers could not be kept.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool diverges(pyrunner::Runner& runner, const Program& program);
  std::optional<CandidateResults::Answer> known(const std::string& sha256);
  std::optional<CandidateResults::Answer> judged_now(pyrunner::Runner& runner, const Program& program);

  RunnerPool& pool_;
  const oracle::Oracle& oracle_;
  oracle::PlanOptions options_;
  const Signature signature_;
  const Ends ends_;
  const std::string behind_;  // an avoid line behind which it must diverge in the same way, too

  std::mutex mutex_;  // of all that follows
  CandidateResults& answers_;
  std::atomic<std::int64_t> judged_ = 0;  // read without it
  std::int64_t runs_ = 0;
  std::map<std::string, Program> others_;
  std::optional<Error> failure_;
};

/// The output that a difference is about: 3 for "output[3].x"; nothing for other places.
std::optional<std::size_t> output_of(const Difference& difference);

}  // namespace jp::campaign
