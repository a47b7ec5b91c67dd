// Asks whether candidates of a reduction still diverge in the same way: several runners side by side, one list of
// candidates at a time, always the first one that does.
#pragma once

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

#include "app/judging.h"
#include "core/facts.h"
#include "mutate/syntax.h"
#include "oracle/reduce/engine.h"

namespace jp::app {

/// Threads that have a runner each and do one piece of work together.
class Crew {
 public:
  /// Starts the runners; an Error when the first of them can't be started. `jobs` is at least 1.
  static Result<std::unique_ptr<Crew>> start(const pyrunner::RunnerOptions& options, std::size_t jobs);
  /// A crew of one that works in the caller's thread with the caller's runner, which must outlive it.
  static std::unique_ptr<Crew> of(pyrunner::Runner& runner);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Every thread does the work with its own runner; back when all have ended. What one of them throws is thrown here.
  void work(const std::function<void(pyrunner::Runner&)>& work);
  /// The same for the first thread alone.
  void work_alone(const std::function<void(pyrunner::Runner&)>& work);
  /// Between pieces of work.
  void set_limits(const pyrunner::Limits& limits);

 private:
  Crew() = default;
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
/// it is told to judge fully.
class SameFault {
 public:
  SameFault(Crew& crew, const oracle::Oracle& oracle, oracle::PlanOptions options, Signature signature)
      : crew_(crew), oracle_(oracle), options_(std::move(options)), signature_(std::move(signature)) {
    options_.brief = true;
  }

  /// The index of the first that does. Whether later ones do is not always looked at.
  std::optional<std::size_t> first(const std::vector<Program>& programs);
  void judge_fully() { options_.brief = false; }
  /// What an eager run of the program shows; empty when it has none.
  Facts facts(const mutate::Parsed& parsed);

  /// Programs judged, and runs made for it.
  std::int64_t judged() const { return judged_; }
  std::int64_t runs() const { return runs_; }
  /// The first program met for every other way of diverging, by the signature's ID.
  const std::map<std::string, Program>& others() const { return others_; }

 private:
  bool diverges(pyrunner::Runner& runner, const Program& program);

  Crew& crew_;
  const oracle::Oracle& oracle_;
  oracle::PlanOptions options_;
  Signature signature_;
  std::mutex mutex_;
  std::int64_t judged_ = 0;
  std::int64_t runs_ = 0;
  std::map<std::string, Program> others_;
};

/// The output that a difference is about: 3 for "output[3].x"; nothing for other places.
std::optional<std::size_t> output_of(const Difference& difference);

}  // namespace jp::app
