// What the triager measures of a divergence's cause: where it first goes wrong, what Inductor's bisector names, and
// whether it is a known bug.
#include <fmt/format.h>

#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/phases.h"
#include "campaign/evidence/cause.h"
#include "campaign/triage/triager.h"
#include "core/check.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"

namespace jp::campaign {
namespace {

// Tests go by the result of the bounded reduction, however far a deferred one has got.
std::optional<Program> bounded_program(const std::string& folder, const std::string& id) {
  const std::optional<report::ReducedForm> form = report::load_reduced_form(folder, id);
  return form && form->bounded ? std::optional(form->bounded->program) : std::nullopt;
}

}  // namespace

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

Result<std::vector<std::string>> Triager::enter_known(const std::vector<KnownSighting>& sightings,
                                                      std::uint64_t number) {
  const PhaseScope phase(Phase::kStore);
  std::vector<std::string> seen;
  for (const KnownSighting& one : sightings) {
    const std::string id = one.finding.signature.id();
    seen.push_back(id);
    std::lock_guard lock(mutex_);
    // Each sighting's own program was compared, so that the verdict is about no program in particular.
    if (!with_verdict_.contains(id) && !report::load_known_verdict(options_.folder, id))
      if (Status kept = report::keep_known_verdict(options_.folder, id, {"", one.name, one.link, "avoid", {}});
          !kept.ok())
        return kept.error();
    with_verdict_.insert(id);
    const Result<bool> sights = store_.only_sights(one.finding, number);
    if (!sights.ok()) return sights.error();
    if (sights.value()) continue;
    const Result<bool> added = store_.add_finding(one.finding, number, versions_);
    if (!added.ok()) return added.error();
    if (added.value()) ++counts_.known;
  }
  return seen;
}

Status Triager::count_known(const std::vector<KnownSighting>& sightings, std::uint64_t number) {
  const Result<std::vector<std::string>> seen = enter_known(sightings, number);
  if (!seen.ok()) return seen.error();
  for (const std::string& id : seen.value())
    if (const Result<bool> sighted = store_.sighted(id, number); !sighted.ok()) return sighted.error();
  return Done{};
}

// Where the program first goes wrong, as a part of the signature by which it is looked up.
report::Cause Triager::locate(pyrunner::Runner& runner, Finding& found, const Origin& origin) {
  if (!wants_place(found.signature)) return {};
  return runs_.locate(runner, found, origin);
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

Status Triager::find_cause(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  const std::string id = finding.signature.id();
  report::Cause cause = report::load_cause(options_.folder, id);
  const report::Cause measured =
      runs_.measured_cause(runner, finding, bounded_program(options_.folder, id), cause.bisection.empty(), origin);
  if (stop_condition_.reached()) return Done{};
  if (measured.intermediate) cause.intermediate = measured.intermediate;
  if (cause.bisection.empty()) cause.bisection = measured.bisection;
  return report::keep_cause(options_.folder, id, cause);
}

// A known bug hides nothing but itself: what a test shows under its avoid line is a divergence of its own, however
// alike the two look.
Status Triager::look_behind(pyrunner::Runner& runner, const Finding& found, const std::string& like,
                            const Origin& origin) {
  if (!known_ || origin.slip.depth >= kSlipDepth) return Done{};
  const std::optional<report::KnownVerdict> verdict = report::load_known_verdict(options_.folder, like);
  if (!verdict || verdict->for_tests().empty()) return Done{};
  const std::string& bug = verdict->for_tests();
  {
    std::lock_guard lock(mutex_);
    if (!finding_index_.wants_second_look(found.signature)) return Done{};
  }
  tell_(fmt::format("judging what remains without {}", bug));
  std::optional<KnownJudge::Behind> behind = runs_.behind(runner, bug, found, origin);
  if (stop_condition_.reached() || !behind) return Done{};
  Origin further{origin.number, {like, origin.slip.depth + 1}, origin.memory};
  JudgedProgram& judged = behind->under.judged;
  if (!oracle::diverges_alike(judged.signature, found.signature)) {
    // The line stays in the program as long as its reduction needs it; a switch can't.
    if (behind->under.program->source() == found.program.source()) return Done{};
    const Result<bool> kept = keep_found(runner, candidate(*behind->under.program, judged), further);
    return kept.ok() ? Status(Done{}) : kept.error();
  }
  Finding other = found;
  other.signature = oracle::beyond(oracle::unrefined(found.signature), bug);
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

// The stored decision, or a new one. What the end cut off is left for the next start to decide.
Result<report::KnownVerdict> Triager::known_verdict(pyrunner::Runner& runner, const Finding& finding,
                                                    const Origin& origin) {
  const std::string id = finding.signature.id();
  if (const auto kept = report::load_known_verdict(options_.folder, id)) return *kept;
  const std::optional<Program> small = bounded_program(options_.folder, id);
  const std::optional<report::KnownVerdict> verdict = runs_.compared(runner, finding, small, origin);
  if (!verdict || stop_condition_.reached() || (options_.reduce > 0 && !small)) return known_->unjudged(finding, small);
  if (Status kept = report::keep_known_verdict(options_.folder, id, *verdict); !kept.ok()) return kept.error();
  if (verdict->known()) count_as_known(id);
  return *verdict;
}

// A smaller program may turn out to be a known bug. What tests go by stays.
Status Triager::compare_late(pyrunner::Runner& runner, const Finding& finding) {
  const std::string id = finding.signature.id();
  const std::optional<Program> small = report::load_reduced(options_.folder, id);
  const std::optional<report::KnownVerdict> before = report::load_known_verdict(options_.folder, id);
  if (!small || (before && before->of == small->sha256())) return Done{};
  std::optional<report::KnownVerdict> verdict = runs_.compared(runner, finding, small, {});
  if (!verdict || stop_condition_.reached()) return Done{};
  if (before) verdict->first = before->for_tests();
  if (verdict->known()) count_as_known(id);
  return report::keep_known_verdict(options_.folder, id, *verdict);
}

}  // namespace jp::campaign
