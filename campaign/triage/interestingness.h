// Asks whether candidates of a reduction still diverge in the same way: several runners work in parallel on one list of
// candidates at a time, and the first one that does wins.
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
  /// Starts the runners; an Error if the first of them can't be started. `jobs` is at least 1.
  static Result<std::unique_ptr<RunnerPool>> start(const pyrunner::RunnerOptions& options, std::size_t jobs);
  /// A pool of one that works in the caller's thread with the caller's runner, which must outlive it.
  static std::unique_ptr<RunnerPool> of(pyrunner::Runner& runner);
  ~RunnerPool();
  RunnerPool(const RunnerPool&) = delete;
  RunnerPool& operator=(const RunnerPool&) = delete;

  /// Every thread does the work with its own runner; returns when all have ended. What one of them throws is thrown
  /// here.
  void work(const std::function<void(pyrunner::Runner&)>& work);
  /// The same for the first thread alone.
  void work_alone(const std::function<void(pyrunner::Runner&)>& work);
  /// To be called between pieces of work.
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
  std::exception_ptr thrown_;  // thrown by the work of this round
};

/// Where the candidates of a reduction may be judged briefly: in a child that serves many (kBatch), which costs half as
/// much as a fork for each run, or in fresh ones (kFresh) if that child could be lost or changed. The latter holds for
/// what dies, hangs or fills the memory, for what depends on a condition, and for a program that changes more than its
/// own names when it is loaded: one with an avoid line, for example.
pyrunner::Isolation isolation_for(const mutate::Parsed& start, const Signature& signature,
                                  const oracle::PlanOptions& options);

/// The interestingness test "diverges in the same way", or in any way if there is no signature: judged briefly, with
/// the few further runs that most often decide, until it is told to judge fully, which is always in fresh processes. A
/// program that was answered before is not run again.
class InterestingnessTest {
 public:
  /// When it stops answering. Either may be empty.
  struct Ends {
    /// No further program of a list is judged.
    std::function<bool()> stop;
    /// The runners have given up: their answer on the program under way is meaningless.
    std::function<bool()> given_up;
  };

  InterestingnessTest(RunnerPool& pool, const oracle::Oracle& oracle, oracle::PlanOptions options,
                      std::optional<Signature> signature, CandidateResults& answers, Ends ends,
                      pyrunner::Isolation isolation, std::string behind = "")
      : pool_(pool),
        oracle_(oracle),
        options_(std::move(options)),
        signature_(std::move(signature)),
        ends_(std::move(ends)),
        isolation_(isolation),
        behind_(std::move(behind)),
        answers_(answers) {
    options_.brief = true;
  }

  /// The index of the first program that does. Later ones are not always judged.
  std::optional<std::size_t> first(const std::vector<Program>& programs);
  void judge_fully() {
    options_.brief = false;
    isolation_ = pyrunner::Isolation::kFresh;
  }
  /// From now on no program is interesting that differs on purpose (depends_on_being_compiled): the program to reduce
  /// does not.
  void refuse_differences_on_purpose() { refuses_purpose_ = true; }
  bool given_up() const { return ends_.given_up && ends_.given_up(); }
  /// The facts of an eager run of the program; empty if it fails.
  Facts facts(const mutate::Parsed& parsed);

  /// Programs judged, including those answered before, and runs made for that.
  std::int64_t judged() const { return judged_; }
  std::int64_t runs() const { return runs_; }
  /// The first program met for every other way of diverging, by the signature's ID.
  const std::map<std::string, Program>& others() const { return others_; }
  /// An error in storing answers.
  const std::optional<Error>& failure() const { return failure_; }

 private:
  bool diverges(pyrunner::Runner& runner, const Program& program);
  std::optional<CandidateResults::Answer> known(const std::string& sha256);
  std::optional<CandidateResults::Answer> judged_now(pyrunner::Runner& runner, const Program& program);

  RunnerPool& pool_;
  const oracle::Oracle& oracle_;
  oracle::PlanOptions options_;
  const std::optional<Signature> signature_;
  const Ends ends_;
  pyrunner::Isolation isolation_;
  bool refuses_purpose_ = false;
  const std::string behind_;  // an avoid line under which the program must diverge in the same way, too

  std::mutex mutex_;  // guards everything below
  CandidateResults& answers_;
  std::atomic<std::int64_t> judged_ = 0;  // read without it
  std::int64_t runs_ = 0;
  std::map<std::string, Program> others_;
  std::optional<Error> failure_;
};

/// The output that a difference is about: 3 for "output[3].x"; nothing for other places.
std::optional<std::size_t> output_of(const Difference& difference);

}  // namespace jp::campaign
