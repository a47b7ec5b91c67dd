// Where a job's time goes. A job has one clock, on which exactly one phase is current: what passes is charged to it.
// Work says its phase with a scope; of nested scopes the innermost is charged. Phases are reported and decide nothing:
// no test may depend on a clock.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace jp::campaign {

enum class Phase {
  kDraw,          // drawing seeds and what is to be done with them
  kMutate,        // applying mutations and checking what they promised
  kProfile,       // instrumented eager runs: facts for mutations
  kEager,         // eager runs of tests
  kCompiled,      // compiling and running tests, by backend
  kCxx,           // of that, and not counted there: processes that it waited for (the C++ compiler), in processor time
  kJudge,         // comparing, and what test runs took beyond themselves (processes, a first run that seemed to hang)
  kJudgeAlone,    // running a divergence again alone
  kQuestions,     // control runs that the oracle asked for, of tests and of divergences run again
  kAttribute,     // lower backends that show the divergence
  kCause,         // first wrong value, Inductor's bisector
  kConfirm,       // confirming, and finding out what a flaky divergence depends on
  kReduceNew,     // reducing new findings
  kReduceKnown,   // reducing known bugs, and divergences that turned out to be earlier findings
  kCompareKnown,  // comparing with known bugs, and looking behind them
  kStore,         // journal, test log, tables of the next epoch
  kIdle,          // waiting for other jobs
  kFinish,        // everything after the last test
  kOther,         // what no phase was named for
};

/// "draw", "reduce_new", …; as it is stored and printed.
std::string_view phase_name(Phase phase);
/// The phase of that name, if there is one.
std::optional<Phase> phase_named(std::string_view name);

/// A line of the table: `backend` is "" but for kCompiled.
struct PhaseLine {
  Phase phase = Phase::kOther;
  std::string backend = "";
  auto operator<=>(const PhaseLine&) const = default;
};

/// Seconds by line; the lines add up to the whole.
using PhaseTable = std::map<PhaseLine, double>;

/// Adds every line of `more` to `table`.
void add(PhaseTable& table, const PhaseTable& more);
double total(const PhaseTable& table);

/// Thread-safe: others may look while its job works.
class PhaseClock {
 public:
  /// Starts now, in kOther. `now` returns seconds and never goes back; by default those of the steady clock.
  explicit PhaseClock(std::function<double()> now = {});

  /// Makes `phase` the current one, and returns the one before.
  Phase enter(Phase phase);
  /// Charges `seconds` of what was charged to `from` to another line: for what is known only afterwards.
  void move(const PhaseLine& from, const PhaseLine& to, double seconds);
  /// What was charged until now.
  PhaseTable table() const;

 private:
  void charge() const;

  const std::function<double()> now_;
  mutable std::mutex mutex_;  // guards everything below
  mutable PhaseTable table_;
  mutable double since_ = 0;  // until when time has been charged
  Phase current_ = Phase::kOther;
};

/// Makes a clock that of this thread while in scope. Threads without one are not measured.
class UseClock {
 public:
  explicit UseClock(PhaseClock& clock);
  ~UseClock();
  UseClock(const UseClock&) = delete;
  UseClock& operator=(const UseClock&) = delete;

 private:
  PhaseClock* former_;
};

/// The phase of this thread's clock while in scope; then the phase before continues.
class PhaseScope {
 public:
  explicit PhaseScope(Phase phase);
  ~PhaseScope();
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  PhaseClock* clock_;
  Phase former_ = Phase::kOther;
};

/// PhaseClock::move on this thread's clock, if it has one.
void move_phase(const PhaseLine& from, const PhaseLine& to, double seconds);

}  // namespace jp::campaign
