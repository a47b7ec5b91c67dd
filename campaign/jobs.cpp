#include "campaign/jobs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "campaign/common/free_memory.h"
#include "campaign/common/internal_errors.h"
#include "core/check.h"
#include "core/text.h"

namespace jp::campaign {

// The number below which all tests have their verdicts.
std::uint64_t Campaign::border() const { return options_.only ? report::kNoTest : store_.first_unfinished(); }

// The number below which all tests have their verdicts, and their divergences have their decisions.
std::uint64_t Campaign::decided() const {
  // In this order: a case is entered before its test has its verdict, so that none below the border is missed.
  const std::uint64_t ended = store_.first_unfinished();
  return std::min(ended, cases_->first().value_or(ended));
}

bool Campaign::over() {
  std::lock_guard lock(mutex_);
  return stop_condition_.reached() || failure_;
}

// What a job does when there is nothing better to do: it continues a deferred reduction, or sleeps until there is.
void Campaign::bide(pyrunner::Runner& runner) {
  const PhaseScope phase(Phase::kIdle);
  const bool tests_left = !options_.tests || border() < *options_.tests;
  // To stop one costs a judgement in full, and many processes may wait for the decision that needs it.
  const bool between = options_.reduce > 0 && !options_.only && !pool_ && options_.finish.value_or(true);
  const bool may = tests_left ? between : wants_finish();
  const auto enough = [&] { return over() || has_work() || is_done(); };
  Result<bool> reduced = false;
  if (may)
    if (const auto what = broken_in([&] { reduced = triager_->reduce_deferred(runner, enough); })) note_broken(*what);
  if (!reduced.ok()) fail(reduced.error());
  if (reduced.ok() && reduced.value()) return_free_memory();
  if (enough()) return;
  std::unique_lock lock(mutex_);
  if (!reduced.ok() || !reduced.value()) progressed_.wait_for(lock, StopCondition::kPolled);
}

// Whether a job could do something other than waiting.
bool Campaign::has_work() {
  {
    std::lock_guard lock(mutex_);
    if (!finishing_ && (triager_->has_left() && !options_.only)) return true;
  }
  return cases_->has_turn(border()) || has_next();
}

// Whether all tests have ended that can, and all cases are decided that can be.
bool Campaign::is_done() {
  {
    std::lock_guard lock(mutex_);
    if (making_ > 0 || finishing_ || looking_) return false;
  }
  if (pool_ && !(options_.tests && border() >= *options_.tests)) return false;
  const std::optional<std::uint64_t> first = cases_->first();
  return !has_work() && (!first || *first >= border());
}

// Decides the first case, if it is its turn and no other job decides one; false if not. What earlier runs of the
// campaign left comes first.
bool Campaign::decide_next(pyrunner::Runner& runner) {
  if (over() || enough_) return false;
  const bool left = !options_.only && triager_->has_left();
  {
    std::lock_guard lock(mutex_);
    if (finishing_) return false;
    finishing_ = left;
  }
  if (left) {
    if (Status finished = finish_earlier(runner); !finished.ok()) fail(finished.error());
    end_if_enough();
    std::lock_guard lock(mutex_);
    finishing_ = false;
    return true;
  }
  Result<std::optional<OpenCases::Taken>> taken = cases_->take_first(border());
  if (!taken.ok()) fail(taken.error());
  if (!taken.ok() || !taken.value()) return false;
  // It may have become the first because enough was found.
  if (enough_) {
    cases_->give_back(*taken.value());
    return false;
  }
  if (Status decided = decide(runner, *taken.value()); !decided.ok()) fail(decided.error());
  return_free_memory();
  return true;
}

// Finishes what earlier runs of the campaign left.
Status Campaign::finish_earlier(pyrunner::Runner& runner) {
  return as_far_as_it_goes([&] { return triager_->finish_earlier(runner); });
}

Status Campaign::decide(pyrunner::Runner& runner, const OpenCases::Taken& taken) {
  const std::uint64_t number = taken.one.test;
  if (Status sealed = tables_->seal(number); !sealed.ok()) return sealed;
  Result<bool> decided = false;
  const std::optional<std::string> what = broken_in([&] {
    const CheckContext context(fmt::format("seed {}, test {}", options_.maker.seed, number));
    decided = triager_->decide(runner, taken.one, *taken.memory);
  });
  // Before the next case may be taken.
  end_if_enough();
  if (what) {
    if (Status closed = cases_->decided(taken); !closed.ok()) return closed;
    return end_broken({.number = number, .broken = *what});
  }
  if (!decided.ok()) return decided.error();
  if (decided.value()) return cases_->decided(taken);
  // The end came before: what was answered since means nothing.
  taken.memory->forget();
  cases_->give_back(taken);
  return Done{};
}

// Findings are decided in the order of tests, so that those of one seed are the same whenever this ends the campaign.
void Campaign::end_if_enough() {
  const std::uint64_t found = triager_->counts().findings;
  if (!options_.until_findings || found < *options_.until_findings) return;
  if (enough_.exchange(true)) return;
  std::lock_guard lock(mutex_);
  // What follows the tests is reductions, and these go on.
  if (testing_ > 0) stop_condition_.reach();
  events_.note(fmt::format("enough is found: {} confirmed", plural(found, "new finding")));
}

OpenCases::WorthAhead Campaign::worth_ahead(bool alike) const {
  return {.known = [this](const Signature& signature) { return triager_->has_alike(signature); },
          .place = [this](const Signature& signature) { return triager_->wants_place(signature); },
          .alike = alike};
}

// Makes runs about a case whose turn has not come; false if there is none that is worth it. If other processes make the
// tests, they do this, too.
bool Campaign::study_ahead(pyrunner::Runner& runner) {
  if (over() || enough_ || pool_) return false;
  Result<std::optional<OpenCases::Taken>> taken = cases_->take_ahead(worth_ahead(false));
  if (!taken.ok()) fail(taken.error());
  if (!taken.ok() || !taken.value()) return false;
  const OpenCases::Taken& one = *taken.value();
  Status studied = Done{};
  // What breaks breaks again when it is decided.
  if (broken_in([&] { studied = triager_->study_ahead(runner, one.one, one.parts, *one.memory); }))
    one.memory->forget();
  if (!studied.ok()) fail(studied.error());
  if (over()) one.memory->forget();
  cases_->give_back(one);
  return true;
}

// Whether there is a test to make now. A resumed campaign skips tests that have a verdict; the numbers in between were
// under way when it ended.
bool Campaign::has_next() {
  std::lock_guard lock(mutex_);
  if (stop_condition_.reached() || failure_ || pool_) return false;
  if (options_.only) return next_ == 0;
  while (store_.is_finished(next_)) ++next_;
  return (!options_.tests || next_ < *options_.tests) && tables_->stand_for(next_);
}

// The number of the next test, if the tables of its epoch stand.
std::optional<std::uint64_t> Campaign::next_number() {
  if (!has_next()) return std::nullopt;
  std::lock_guard lock(mutex_);
  while (!options_.only && store_.is_finished(next_)) ++next_;
  if (options_.only ? next_ > 0 : (options_.tests && next_ >= *options_.tests) || !tables_->stand_for(next_))
    return std::nullopt;
  ++making_;
  ++next_;
  return options_.only ? *options_.only : next_ - 1;
}

void Campaign::job(pyrunner::Runner& runner, PhaseClock& clock) {
  const UseClock use(clock);
  const Look look = [&](const Divergence& met, std::uint64_t number) { return triager_->look(runner, met, number); };
  Tester tester(options_.maker, runner, look, stop_condition_);
  while (!over()) {
    if (!decide_next(runner) && !study_ahead(runner) && !test_next(runner, tester)) {
      if (is_done()) break;
      bide(runner);
    }
    if (runner.failure()) fail(*runner.failure());
    progressed_.notify_all();
    at_work_->say("");
  }
  std::lock_guard lock(mutex_);
  if (--testing_ == 0) tally_.seconds = started_.seconds();
  progressed_.notify_all();
  for (const auto& [what, runs] : runner.broken()) tally_.broken[what] += runs;
  clock.enter(Phase::kIdle);
}

}  // namespace jp::campaign
