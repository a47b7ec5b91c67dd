// What the triager measures of a divergence's cause: where it first goes wrong, what Inductor's bisector names, and
// whether it is a known bug.
#include <fmt/format.h>

#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/phases.h"
#include "campaign/evidence/cause.h"
#include "campaign/triage/triager.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"

namespace jp::campaign {

// Reductions of findings that are known bugs already have their own phase.
Phase Triager::phase_of_reducing(const std::string& id) const {
  const std::optional<report::KnownVerdict> verdict = report::load_known_verdict(options_.folder, id);
  return verdict && verdict->known() ? Phase::kReduceKnown : Phase::kReduceNew;
}

// Only a finding's reduced program shows that it is a known bug.
void Triager::count_as_known(const std::string& id) {
  std::lock_guard lock(mutex_);
  move_phase({Phase::kReduceNew}, {Phase::kReduceKnown}, std::exchange(reduce_seconds_[id], 0));
}

Explained Triager::explain(pyrunner::Runner& runner, const Divergence& met, const Origin& origin) {
  if (!known_) return {};
  tell_("comparing with known bugs");
  const PhaseScope phase(Phase::kCompareKnown);
  Explained explained = known_->explain(runner, met.oracle, met.program, met.options, met.judged);
  // What remains would be a slip of one more depth.
  if (explained.rest && origin.slip.depth >= kSlipDepth) return {};
  return explained;
}

Result<Signature> Triager::count_explained(const Divergence& met, const Explained& explained, const Origin& origin) {
  const PhaseScope phase(Phase::kStore);
  std::optional<Signature> first;
  for (const Recognised& bug : explained.bugs) {
    Finding sighting = candidate(met.program, met.judged);
    sighting.signature = oracle::of_known_bug(bug.signature, bug.name);
    sighting.status = Finding::Status::kKnown;
    const std::string id = sighting.signature.id();
    std::lock_guard lock(mutex_);
    // Each sighting's own program was compared, so that the verdict is about no program in particular.
    if (!report::load_known_verdict(options_.folder, id))
      if (Status kept = report::keep_known_verdict(options_.folder, id, {"", bug.name, bug.link, "avoid", {}});
          !kept.ok())
        return kept.error();
    const Result<bool> added = store_.add_finding(sighting, origin.number, versions_);
    if (!added.ok()) return added.error();
    if (added.value()) ++counts_.known;
    if (!first) first = sighting.signature;
  }
  return *first;
}

// Where the program first goes wrong, as a part of the signature by which it is looked up.
report::Cause Triager::locate(pyrunner::Runner& runner, Finding& found) {
  {
    std::lock_guard lock(mutex_);
    if (!finding_index_.wants_place(found.signature)) return {};
  }
  tell_("looking for the first wrong value");
  const PhaseScope phase(Phase::kCause);
  report::Cause cause{.intermediate = first_wrong_value(runner, found, Thorough::kBriefly), .bisection = ""};
  std::string place = cause.intermediate ? cause.intermediate->form : "";
  if (place.empty()) place = reduced_program(found.program);
  found.signature = oracle::located(std::move(found.signature), place);
  return cause;
}

// Two programs that reduce to the same calls are two bugs if Inductor's bisector names two parts of it.
bool Triager::bisected_apart(pyrunner::Runner& runner, const Finding& found, const report::ReducedProgram& small,
                             const std::string& same, report::Cause& cause) {
  const std::string there = report::bisected_part(report::load_cause(options_.folder, same).bisection);
  if (there.empty()) return false;
  const PhaseScope phase(Phase::kCause);
  Finding reduced = found;
  reduced.program = small.program;
  cause.bisection = bisection(runner, reduced);
  const std::string here = report::bisected_part(cause.bisection);
  return !here.empty() && here != there;
}

// For the program that is shown: the reduced one, if there is one.
Status Triager::find_cause(pyrunner::Runner& runner, const Finding& finding) {
  const std::string id = finding.signature.id();
  tell_(fmt::format("looking for the cause of {}", id));
  const PhaseScope phase(Phase::kCause);
  Finding shown = finding;
  if (const std::optional<Program> reduced = report::load_reduced(options_.folder, id)) {
    const JudgedProgram judged =
        judge_alone(runner, need_oracle(finding.plan.oracle), *reduced, plan_options_of(finding.plan));
    if (judged.verdict.kind == Verdict::Kind::kDiverge) shown = candidate(*reduced, judged);
  }
  report::Cause cause = report::load_cause(options_.folder, id);
  if (const auto seen = first_wrong_value(runner, shown, Thorough::kFully)) cause.intermediate = seen;
  if (cause.bisection.empty()) cause.bisection = bisection(runner, shown);
  if (stop_condition_.reached()) return Done{};
  return report::keep_cause(options_.folder, id, cause);
}

// A known bug hides nothing but itself: what a test shows under its avoid line is a divergence of its own, however
// alike the two look.
Status Triager::look_behind(pyrunner::Runner& runner, const Finding& found, const std::string& like,
                            const Origin& origin) {
  if (!known_ || origin.slip.depth >= kSlipDepth) return Done{};
  const std::optional<report::KnownVerdict> verdict = report::load_known_verdict(options_.folder, like);
  if (verdict && !verdict->known()) return Done{};
  {
    std::lock_guard lock(mutex_);
    if (!finding_index_.wants_second_look(found.signature)) return Done{};
    if (!verdict) to_look_at_[like].emplace_back(found, origin);
    if (!verdict) return Done{};
  }
  tell_(fmt::format("judging what remains without {}", verdict->name));
  std::optional<KnownJudge::Behind> behind;
  {
    const PhaseScope phase(Phase::kCompareKnown);
    behind = known_->behind(runner, verdict->name, found);
  }
  if (stop_condition_.reached() || !behind) return Done{};
  Origin further{origin.number, {like, origin.slip.depth + 1}};
  JudgedProgram& judged = behind->under.judged;
  if (!oracle::diverges_alike(judged.signature, found.signature)) {
    // The line stays in the program as long as its reduction needs it; a switch can't.
    if (behind->under.program->source() == found.program.source()) return Done{};
    const Result<bool> kept = keep_found(runner, candidate(*behind->under.program, judged), further);
    return kept.ok() ? Status(Done{}) : kept.error();
  }
  Finding other = found;
  other.signature = oracle::beyond(oracle::unrefined(found.signature), verdict->name);
  const std::string id = other.signature.id();
  further.slip.behind = behind->line;
  {
    std::lock_guard lock(mutex_);
    if (finding_index_.has(id)) {
      const Result<bool> sighted = store_.sighted(id, origin.number);
      return sighted.ok() ? Status(Done{}) : sighted.error();
    }
    if (Status entered = enter(other, further); !entered.ok()) return entered;
  }
  return confirm_kept(runner, other, further);
}

// AbstractState behind a finding that was just compared with known bugs, and behind what other jobs took for sightings
// of it meanwhile.
Status Triager::look_behind_all(pyrunner::Runner& runner, const Finding& found, const Origin& origin) {
  const std::string id = found.signature.id();
  if (Status looked = look_behind(runner, found, id, origin); !looked.ok()) return looked;
  std::vector<std::pair<Finding, Origin>> waiting;
  {
    std::lock_guard lock(mutex_);
    waiting = std::exchange(to_look_at_[id], {});
  }
  for (const auto& [sighting, its] : waiting) {
    if (stop_condition_.reached()) return Done{};
    if (Status looked = look_behind(runner, sighting, id, its); !looked.ok()) return looked;
  }
  return Done{};
}

// The stored decision, or a new one. What the end cut off is left for the next start to decide.
Result<report::KnownVerdict> Triager::known_verdict(pyrunner::Runner& runner, const Finding& finding) {
  const std::string id = finding.signature.id();
  const std::optional<Program> small = report::load_reduced(options_.folder, id);
  const std::string looked_at = (small ? *small : finding.program).sha256();
  if (const auto kept = report::load_known_verdict(options_.folder, id); kept && kept->of == looked_at) return *kept;
  JP_CHECK(known_, "findings are compared with known bugs before these are known");
  tell_(fmt::format("comparing {} with known bugs", id));
  const PhaseScope phase(Phase::kCompareKnown);
  const auto verdict = known_->judge(runner, finding, small, [&] { return stop_condition_.reached(); });
  if (!verdict || stop_condition_.reached() || (options_.reduce > 0 && !small)) return known_->unjudged(finding, small);
  if (Status kept = report::keep_known_verdict(options_.folder, id, *verdict); !kept.ok()) return kept.error();
  if (verdict->known()) count_as_known(id);
  return *verdict;
}

}  // namespace jp::campaign
