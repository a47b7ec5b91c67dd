#include "campaign/common/phases.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace jp::campaign {
namespace {

// In the order of Phase.
constexpr std::array<std::string_view, 19> kNames = {"draw",  "mutate",  "profile",     "eager",        "compiled",
                                                     "cxx",   "judge",   "judge_alone", "questions",    "attribute",
                                                     "cause", "confirm", "reduce_new",  "reduce_known", "compare_known",
                                                     "store", "idle",    "finish",      "other"};
static_assert(kNames.size() == static_cast<std::size_t>(Phase::kOther) + 1);

thread_local PhaseClock* clock_of_thread = nullptr;

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string_view phase_name(Phase phase) { return kNames[static_cast<std::size_t>(phase)]; }

std::optional<Phase> phase_named(std::string_view name) {
  const auto found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Phase>(found - kNames.begin());
}

void add(PhaseTable& table, const PhaseTable& more) {
  for (const auto& [line, seconds] : more) table[line] += seconds;
}

double total(const PhaseTable& table) {
  double sum = 0;
  for (const auto& [line, seconds] : table) sum += seconds;
  return sum;
}

PhaseClock::PhaseClock(std::function<double()> now) : now_(now ? std::move(now) : steady_seconds), since_(now_()) {}

void PhaseClock::charge() const {
  const double until = now_();
  table_[{current_}] += until - std::exchange(since_, until);
}

Phase PhaseClock::enter(Phase phase) {
  std::lock_guard lock(mutex_);
  charge();
  return std::exchange(current_, phase);
}

void PhaseClock::move(const PhaseLine& from, const PhaseLine& to, double seconds) {
  std::lock_guard lock(mutex_);
  charge();
  table_[from] -= seconds;
  table_[to] += seconds;
}

PhaseTable PhaseClock::table() const {
  std::lock_guard lock(mutex_);
  charge();
  return table_;
}

UseClock::UseClock(PhaseClock& clock) : former_(std::exchange(clock_of_thread, &clock)) {}

UseClock::~UseClock() { clock_of_thread = former_; }

PhaseScope::PhaseScope(Phase phase) : clock_(clock_of_thread) {
  if (clock_) former_ = clock_->enter(phase);
}

PhaseScope::~PhaseScope() {
  if (clock_) clock_->enter(former_);
}

void move_phase(const PhaseLine& from, const PhaseLine& to, double seconds) {
  if (clock_of_thread) clock_of_thread->move(from, to, seconds);
}

}  // namespace jp::campaign
