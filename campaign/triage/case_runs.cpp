#include "campaign/triage/case_runs.h"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/plain_compiler.h"
#include "campaign/common/stopwatch.h"
#include "campaign/evidence/cause.h"
#include "campaign/triage/answer_forms.h"
#include "campaign/triage/flaky.h"
#include "core/check.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {

report::Cause CaseRuns::locate(pyrunner::Runner& runner, Finding& found, const Origin& origin) const {
  settings_.tell("looking for the first wrong value");
  const PhaseScope phase(Phase::kCause);
  report::Cause cause{
      .intermediate = answer<std::optional<report::Intermediate>>(
          origin, "first wrong value", found, [&] { return first_wrong_value(runner, found, Thorough::kBriefly); }),
      .bisection = ""};
  std::string place = cause.intermediate ? cause.intermediate->form : "";
  if (place.empty()) place = reduced_program(found.program);
  found.signature = oracle::located(std::move(found.signature), place);
  return cause;
}

Finding CaseRuns::confirmed(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) const {
  return answer<Finding>(origin, "confirm", candidate, [&] {
    const std::string id = candidate.signature.id();
    settings_.tell(fmt::format("confirming {}", id));
    const oracle::Oracle& oracle = need_oracle(candidate.plan.oracle);
    // Another job may ask about a divergence of the same signature in another test.
    const pyrunner::Standalone standalone =
        standalone_for(runner, settings_.folder, fmt::format("{}-{}", id, origin.number));
    // A finding that showed only under a condition is first judged without it, too.
    Finding finding = candidate;
    finding.status = Finding::Status::kFlaky;
    if (candidate.plan.depends_on.empty()) finding = confirm(runner, oracle, candidate, standalone, settings_.versions);
    if (finding.status != Finding::Status::kFlaky) return finding;
    settings_.tell(fmt::format("finding out what {} depends on", id));
    const PlainCompiler plain(runner);
    return diagnose(finding, trying(runner, oracle, finding.program, standalone, settings_.versions));
  });
}

ReducedPiece CaseRuns::reduced(pyrunner::Runner& runner, const Finding& finding, Reduction& reducing, Phase phase,
                               const Origin& origin) const {
  return answer<ReducedPiece>(origin, "reduce", finding, [&] {
    const PhaseScope scope(phase);
    const Stopwatch watch;
    const std::unique_ptr<RunnerPool> pool = RunnerPool::of(runner);
    PieceEnds ends{.candidates = settings_.reduce};
    ends.given_up = [&] { return stop_condition_.reached(); };
    Result<std::optional<Piece>> piece = reducing.from_start(*pool, ends);
    return ReducedPiece{std::move(piece), watch.seconds()};
  });
}

std::optional<Divergence> CaseRuns::slipped_to(pyrunner::Runner& runner, const Finding& finding, const Program& program,
                                               const Origin& origin) const {
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  const auto judge_again = [&] { return still_diverges(runner, oracle, program, options); };
  std::optional<JudgedProgram> judged =
      answer<std::optional<JudgedProgram>>(origin, fmt::format("slip {}", program.sha256()), finding, judge_again);
  if (stop_condition_.reached() || !judged) return std::nullopt;
  return Divergence{oracle, options, program, *std::move(judged)};
}

Explained CaseRuns::explain(pyrunner::Runner& runner, const Divergence& met, const Origin& origin) const {
  if (!known_) return {};
  settings_.tell("comparing with known bugs");
  const PhaseScope phase(Phase::kCompareKnown);
  Explained explained = answer<Explained>(origin, "explain", candidate(met.program, met.judged), [&] {
    return known_->explain(runner, met.oracle, met.program, met.options, met.judged);
  });
  // What remains would be a slip of one more depth.
  if (explained.rest && origin.slip.depth >= kSlipDepth) return {};
  return explained;
}

std::optional<Seen> CaseRuns::look_at(pyrunner::Runner& runner, const Divergence& met, const Origin& origin) const {
  const Explained explained = explain(runner, met, origin);
  if (stop_condition_.reached()) return std::nullopt;
  return seen_as(met, explained, origin.number, origin.slip);
}

report::Cause CaseRuns::measured_cause(pyrunner::Runner& runner, const Finding& finding,
                                       const std::optional<Program>& small, bool bisects, const Origin& origin) const {
  settings_.tell(fmt::format("looking for the cause of {}", finding.signature.id()));
  const PhaseScope phase(Phase::kCause);
  return answer<report::Cause>(origin, bisects ? "cause" : "cause without bisection", finding, [&] {
    Finding shown = finding;
    if (small) {
      const JudgedProgram judged =
          judge_alone(runner, need_oracle(finding.plan.oracle), *small, plan_options_of(finding.plan));
      if (judged.verdict.kind == Verdict::Kind::kDiverge) shown = candidate(*small, judged);
    }
    report::Cause cause{.intermediate = first_wrong_value(runner, shown, Thorough::kFully), .bisection = ""};
    if (bisects) cause.bisection = bisection(runner, shown);
    return cause;
  });
}

std::optional<report::KnownVerdict> CaseRuns::compared(pyrunner::Runner& runner, const Finding& finding,
                                                       const std::optional<Program>& small,
                                                       const Origin& origin) const {
  JP_CHECK(known_, "findings are compared with known bugs before these are known");
  settings_.tell(fmt::format("comparing {} with known bugs", finding.signature.id()));
  const PhaseScope phase(Phase::kCompareKnown);
  return answer<std::optional<report::KnownVerdict>>(origin, "known", finding, [&] {
    return known_->judge(runner, finding, small, [&] { return stop_condition_.reached(); });
  });
}

std::optional<KnownJudge::Behind> CaseRuns::behind(pyrunner::Runner& runner, const std::string& bug,
                                                   const Finding& found, const Origin& origin) const {
  const PhaseScope phase(Phase::kCompareKnown);
  return answer<std::optional<KnownJudge::Behind>>(origin, "behind " + bug, found,
                                                   [&] { return known_->behind(runner, bug, found); });
}

Status CaseRuns::study(pyrunner::Runner& runner, const Case& one, const StudyParts& parts, CaseMemory& memory) const {
  const Origin origin{one.test, one.slip, &memory};
  Finding found = one.found;
  if (parts.place) locate(runner, found, origin);
  if (stop_condition_.reached() || !parts.rest) return Done{};
  const Finding finding = confirmed(runner, found, origin);
  if (stop_condition_.reached() || finding.status != Finding::Status::kConfirmed) return Done{};
  std::optional<Program> small;
  if (settings_.reduce > 0) {
    memory.note(kStudiedAhead);
    settings_.tell(fmt::format("reducing {}", finding.signature.id()));
    Reduction reducing(subject_now(settings_.folder, finding, false));
    const ReducedPiece made = reduced(runner, finding, reducing, Phase::kReduceNew, origin);
    if (!made.piece.ok()) return made.piece.error();
    if (stop_condition_.reached()) return Done{};
    const std::optional<Piece>& piece = made.piece.value();
    const bool slips = piece && origin.slip.depth < kSlipDepth;
    const Origin further{origin.number, {finding.signature.id(), origin.slip.depth + 1}, &memory};
    for (const auto& [id, program] : slips ? piece->others : std::map<std::string, Program>{})
      if (const std::optional<Divergence> met = slipped_to(runner, finding, program, origin))
        look_at(runner, *met, further);
    small = piece ? piece->parsed.program() : finding.program;
  }
  if (stop_condition_.reached()) return Done{};
  measured_cause(runner, finding, small, true, origin);
  if (!stop_condition_.reached()) compared(runner, finding, small, origin);
  return Done{};
}

}  // namespace jp::campaign
