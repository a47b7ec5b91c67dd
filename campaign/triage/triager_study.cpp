// What the triager asks of runs when a finding is new: whether it reproduces, and what it reduces to.
#include <fmt/format.h>

#include <exception>
#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/common/stopwatch.h"
#include "campaign/triage/flaky.h"
#include "campaign/triage/reduction.h"
#include "campaign/triage/triager.h"

namespace jp::campaign {
// A finding that does not diverge this time is stored as it is, so that it isn't tried again with every start.
report::ReducedProgram Triager::small_of(const std::optional<Piece>& piece, const Finding& finding,
                                         std::uint64_t test) {
  report::ReducedProgram small = piece ? piece->small() : report::ReducedProgram{finding.program, {}};
  small.test = test;
  return small;
}

Finding Triager::confirmed(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) {
  return answer<Finding>(origin, "confirm", candidate, [&] {
    const std::string id = candidate.signature.id();
    tell_(fmt::format("confirming {}", id));
    const oracle::Oracle& oracle = need_oracle(candidate.plan.oracle);
    // Another job may ask about a divergence of the same signature in another test.
    const pyrunner::Standalone standalone =
        standalone_for(runner, options_.folder, fmt::format("{}-{}", id, origin.number));
    // A finding that showed only under a condition is first judged without it, too.
    Finding finding = candidate;
    finding.status = Finding::Status::kFlaky;
    if (candidate.plan.depends_on.empty()) finding = confirm(runner, oracle, candidate, standalone, versions_);
    if (finding.status != Finding::Status::kFlaky) return finding;
    tell_(fmt::format("finding out what {} depends on", id));
    return diagnose(finding, trying(runner, oracle, finding.program, standalone, versions_));
  });
}

Status Triager::confirm_kept(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) {
  const Finding finding = confirmed(runner, candidate, origin);
  if (Result<bool> stored = store_.add_finding(finding, origin.number, versions_); !stored.ok()) return stored.error();
  std::exception_ptr broken;
  if (finding.status == Finding::Status::kConfirmed) try {
      if (Status studied = study(runner, finding, origin); !studied.ok()) return studied;
    } catch (const std::exception&) {
      broken = std::current_exception();
    }
  // A finding whose reduction breaks an invariant is a finding all the same.
  if (Status counted = count(runner, finding, origin); !counted.ok()) return counted;
  if (broken) std::rethrow_exception(broken);
  return Done{};
}

// Done once for each confirmed finding.
Status Triager::study(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  if (origin.number != report::kNoTest &&
      report::load_reduced_programs(options_.folder, finding.signature.id()).empty()) {
    break_if_asked("reduce", origin.number);
    if (Status reduced = reduce_kept(runner, finding, origin); !reduced.ok()) return reduced;
  }
  return stop_condition_.reached() ? Status(Done{}) : find_cause(runner, finding, origin);
}

Triager::Reduced Triager::reduced(pyrunner::Runner& runner, const Finding& finding, Reduction& reducing, Phase phase,
                                  const Origin& origin) {
  return answer<Reduced>(origin, "reduce", finding, [&] {
    const PhaseScope scope(phase);
    const Stopwatch watch;
    const std::unique_ptr<RunnerPool> pool = RunnerPool::of(runner);
    PieceEnds ends{.candidates = options_.reduce};
    ends.given_up = [&] { return stop_condition_.reached(); };
    Result<std::optional<Piece>> piece = reducing.from_start(*pool, ends);
    return Reduced{std::move(piece), watch.seconds()};
  });
}

void Triager::forget_ahead(const Finding& found, const Origin& origin) {
  if (!origin.memory || !origin.memory->knows("studied ahead")) return;
  Reduction(subject_now(options_.folder, found, false)).forget();
}

Status Triager::reduce_kept(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  if (options_.reduce == 0) return Done{};
  const std::string id = finding.signature.id();
  tell_(fmt::format("reducing {}", id));
  Reduction reducing(subject_now(options_.folder, finding, true));
  const Phase phase = phase_of_reducing(id);
  const Reduced made = reduced(runner, finding, reducing, phase, origin);
  if (!made.piece.ok()) return made.piece.error();
  if (phase == Phase::kReduceNew) {
    std::lock_guard lock(mutex_);
    reduce_seconds_[id] += made.seconds;
  }
  const std::optional<Piece>& piece = made.piece.value();
  if (stop_condition_.reached()) return Done{};
  if (piece)
    if (Status kept = keep_slips(runner, finding, *piece, origin); !kept.ok() || stop_condition_.reached()) return kept;
  const report::ReducedProgram small = small_of(piece, finding, origin.number);
  if (piece)
    if (Result<report::ReducedForm> kept = keep_piece(options_.folder, id, *piece, reducing); !kept.ok())
      return kept.error();
  if (Status kept = report::keep_reduced(options_.folder, id, small.program, small.mutations, small.test); !kept.ok())
    return kept;
  if (piece && piece->finished) reducing.forget();
  std::lock_guard lock(mutex_);
  finding_index_.add_small(id, small);
  if (piece && !piece->finished) deferred_.put(finding, std::move(reducing), origin.number);
  return Done{};
}

std::optional<Divergence> Triager::slipped_to(pyrunner::Runner& runner, const Finding& finding, const Program& program,
                                              const Origin& origin) {
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  const auto judge_again = [&] { return still_diverges(runner, oracle, program, options); };
  std::optional<JudgedProgram> judged =
      answer<std::optional<JudgedProgram>>(origin, fmt::format("slip {}", program.sha256()), finding, judge_again);
  if (stop_condition_.reached() || !judged) return std::nullopt;
  return Divergence{oracle, options, program, *std::move(judged)};
}

// Each other way of diverging that a reduction met is a divergence of the test: looked up, confirmed and reduced like
// one.
Status Triager::keep_slips(pyrunner::Runner& runner, const Finding& finding, const Piece& piece, const Origin& origin) {
  if (origin.slip.depth >= kSlipDepth) return Done{};
  const Origin further{origin.number, {finding.signature.id(), origin.slip.depth + 1}, origin.memory};
  for (const auto& [id, program] : piece.others) {
    const std::optional<Divergence> met = slipped_to(runner, finding, program, origin);
    const std::optional<Seen> seen = met ? look_at(runner, *met, further) : std::nullopt;
    if (stop_condition_.reached()) return Done{};
    if (!seen) continue;
    if (Status counted = count_known(seen->known, origin.number); !counted.ok()) return counted;
    if (!seen->open) continue;
    const Result<bool> kept = keep_found(runner, seen->open->found, {origin.number, seen->open->slip, origin.memory});
    if (!kept.ok()) return kept.error();
    if (stop_condition_.reached()) return Done{};
  }
  return Done{};
}

// As far as a new finding would be studied, without what is decided on the way. What breaks an invariant here does so
// again when the case's turn comes.
Status Triager::study_ahead(pyrunner::Runner& runner, const Case& one, CaseMemory& memory) {
  const Origin origin{one.test, one.slip, &memory};
  Finding found = one.found;
  locate(runner, found, origin);
  if (stop_condition_.reached()) return Done{};
  const Finding finding = confirmed(runner, found, origin);
  if (stop_condition_.reached() || finding.status != Finding::Status::kConfirmed) return Done{};
  std::optional<Program> small;
  if (options_.reduce > 0) {
    memory.note("studied ahead");
    tell_(fmt::format("reducing {}", finding.signature.id()));
    Reduction reducing(subject_now(options_.folder, finding, false));
    const Reduced made = reduced(runner, finding, reducing, Phase::kReduceNew, origin);
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
