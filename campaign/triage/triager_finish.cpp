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
  const std::string id = item->finding.signature.id();
  const CheckContext context(fmt::format("finding {}", id));
  tell_(fmt::format("continuing the reduction of {}", id));
  break_if_asked("aside", 0);
  const PhaseScope phase(phase_of_reducing(id));
  const std::unique_ptr<RunnerPool> pool = RunnerPool::of(runner);
  PieceEnds ends;
  ends.stop = enough;
  ends.given_up = [&] { return stop_condition_.reached(); };
  Result<std::optional<Piece>> made = item->reducing.go_on(*pool, ends);
  Status kept = made.ok() ? Status(Done{}) : Status(made.error());
  bool done = false;
  if (made.ok() && !stop_condition_.reached()) {
    const std::optional<Piece>& piece = made.value();
    // A finding that does not diverge this time is tried again by the next start.
    done = !piece || piece->finished;
    if (piece) {
      if (Result<report::ReducedForm> form = keep_piece(options_.folder, id, *piece, item->reducing); !form.ok())
        kept = form.error();
      if (kept.ok() && done) kept = keep_late(runner, item->finding, *piece);
      // A smaller program may turn out to be a known bug.
      if (kept.ok() && done && !stop_condition_.reached())
        if (auto verdict = known_verdict(runner, item->finding); !verdict.ok()) kept = verdict.error();
      if (stop_condition_.reached()) done = false;
      if (kept.ok() && done) item->reducing.forget();
    }
  }
  std::lock_guard lock(mutex_);
  deferred_.give_back(item, done);
  if (!kept.ok()) return kept.error();
  return true;
}

Status Triager::keep_late(pyrunner::Runner& runner, const Finding& finding, const Piece& piece) {
  if (report::load_slip(options_.folder, finding.signature.id()).depth >= kSlipDepth) return Done{};
  Status counted = Done{};
  const auto keep = [&](const Finding& met) {
    if (Status one = count(runner, met); !one.ok()) counted = one;
    std::lock_guard lock(mutex_);
    if (met.status == Finding::Status::kConfirmed)
      deferred_.put(met, Reduction(subject_of(options_.folder, met, true)));
  };
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const auto explained = [&](const Program& program, const JudgedProgram& judged) {
    const Explained by = explain(runner, {oracle, plan_options_of(finding.plan), program, judged}, {});
    return !by.bugs.empty() && !by.rest;
  };
  Status kept = campaign::keep_slips(store_, options_.folder, finding, runner, piece.others, keep, explained);
  return kept.ok() ? counted : kept;
}

Status Triager::finish(pyrunner::Runner& runner) {
  if (Status earlier = finish_earlier(runner); !earlier.ok()) return earlier;
  while (!stop_condition_.reached()) {
    Result<bool> reduced = reduce_deferred(runner, {});
    if (!reduced.ok()) return reduced.error();
    if (!reduced.value()) return Done{};
  }
  return Done{};
}

}  // namespace jp::campaign
