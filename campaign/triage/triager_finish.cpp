// What the triager does when there is nothing better to do: reductions are continued to their end. No test may depend
// on them, since how far they get depends on the clock.
#include <fmt/format.h>

#include "campaign/common/confirm.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/triage/slips.h"
#include "campaign/triage/triager.h"
#include "core/check.h"

namespace jp::campaign {

Result<bool> Triager::reduce_deferred(pyrunner::Runner& runner, const std::function<bool()>& enough) {
  DeferredReductions::Item* item = nullptr;
  {
    std::lock_guard lock(mutex_);
    item = deferred_.take();
    at_work_on_.erase(std::this_thread::get_id());
  }
  if (!item) return false;
  Result<bool> done = go_on(runner, *item, enough);
  std::lock_guard lock(mutex_);
  deferred_.give_back(item, done.ok() && done.value());
  if (!done.ok()) return done.error();
  return true;
}

// Whether nothing more is to be done with it.
Result<bool> Triager::go_on(pyrunner::Runner& runner, DeferredReductions::Item& item,
                            const std::function<bool()>& enough) {
  const std::string& id = item.id;
  const CheckContext context(fmt::format("finding {}", id));
  tell_(fmt::format("continuing the reduction of {}", id));
  break_if_asked("aside", 0);
  if (!item.work) {
    Result<Finding> finding = report::load_finding(options_.folder, id);
    if (!finding.ok()) return finding.error();
    item.work.emplace(
        DeferredReductions::Work{finding.value(), Reduction(subject_of(options_.folder, finding.value(), true))});
  }
  Reduction& reducing = item.work->reducing;
  const PhaseScope phase(phase_of_reducing(id));
  const std::unique_ptr<RunnerPool> pool = RunnerPool::of(runner);
  PieceEnds ends;
  ends.stop = enough;
  ends.given_up = [&] { return stop_condition_.reached(); };
  Result<std::optional<Piece>> made = reducing.go_on(*pool, ends);
  if (!made.ok()) return made.error();
  if (stop_condition_.reached()) return false;
  // A finding that does not diverge this time is tried again by the next start.
  if (!made.value()) return true;
  Piece& piece = *made.value();
  // It is not over before what it met is looked at: a campaign that is stopped until then repeats it from its answers.
  Piece so_far = piece;
  so_far.finished = false;
  if (Result<report::ReducedForm> form = keep_piece(options_.folder, id, so_far, reducing); !form.ok())
    return form.error();
  if (piece.finished) {
    item.ended = std::move(piece);
    item.work.reset();
  }
  return false;
}

Result<bool> Triager::keep_late(pyrunner::Runner& runner) {
  DeferredReductions::Item* item = nullptr;
  {
    std::lock_guard lock(mutex_);
    item = deferred_.take_ended();
  }
  if (!item) return false;
  const CheckContext context(fmt::format("finding {}", item->id));
  const Status kept = keep_late_of(runner, *item);
  std::lock_guard lock(mutex_);
  deferred_.give_back(item, kept.ok() && !stop_condition_.reached());
  if (!kept.ok()) return kept.error();
  return true;
}

Status Triager::keep_late_of(pyrunner::Runner& runner, DeferredReductions::Item& item) {
  const std::string& id = item.id;
  const Result<Finding> loaded = report::load_finding(options_.folder, id);
  if (!loaded.ok()) return loaded.error();
  const Finding& finding = loaded.value();
  Reduction reducing(subject_of(options_.folder, finding, true));
  Status counted = Done{};
  const auto keep = [&](const Finding& met) {
    if (Status one = count(runner, met, {}); !one.ok()) counted = one;
    std::lock_guard lock(mutex_);
    if (met.status == Finding::Status::kConfirmed) deferred_.put(met.signature.id(), report::kNoTest);
  };
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const auto explained = [&](const Program& program, const JudgedProgram& judged) {
    const Explained by = runs_.explain(runner, {oracle, plan_options_of(finding.plan), program, judged}, {});
    return !by.bugs.empty() && !by.rest;
  };
  if (report::load_slip(options_.folder, id).depth < kSlipDepth)
    if (Status kept =
            campaign::keep_slips(store_, options_.folder, finding, runner, item.ended->others, keep, explained);
        !kept.ok() || !counted.ok())
      return kept.ok() ? counted : kept;
  if (stop_condition_.reached()) return Done{};
  if (Result<report::ReducedForm> form = keep_piece(options_.folder, id, *item.ended, reducing); !form.ok())
    return form.error();
  if (Status compared = compare_late(runner, finding); !compared.ok()) return compared;
  if (!stop_condition_.reached()) reducing.forget();
  return Done{};
}

}  // namespace jp::campaign
