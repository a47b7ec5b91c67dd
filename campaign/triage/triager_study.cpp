// What the triager asks of runs when a finding is new: whether it reproduces, and what it reduces to.
#include <fmt/format.h>

#include <exception>
#include <utility>

#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
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

Status Triager::confirm_kept(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) {
  const std::uint64_t told = origin.memory ? origin.memory->told_answers() : 0;
  const Finding finding = runs_.confirmed(runner, candidate, origin);
  if (origin.memory && origin.memory->told_answers() > told) {
    std::lock_guard lock(mutex_);
    ++studied_elsewhere_;
  }
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

void Triager::forget_ahead(const Finding& found, const Origin& origin) {
  if (!origin.memory || !origin.memory->knows(kStudiedAhead)) return;
  Reduction(subject_now(options_.folder, found, false)).forget();
}

Status Triager::reduce_kept(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  if (options_.reduce == 0) return Done{};
  const std::string id = finding.signature.id();
  tell_(fmt::format("reducing {}", id));
  Reduction reducing(subject_now(options_.folder, finding, true));
  const Phase phase = phase_of_reducing(id);
  const ReducedPiece made = runs_.reduced(runner, finding, reducing, phase, origin);
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
  if (piece && !piece->finished) deferred_.put(id, origin.number);
  return Done{};
}

// Each other way of diverging that a reduction met is a divergence of the test: looked up, confirmed and reduced like
// one.
Status Triager::keep_slips(pyrunner::Runner& runner, const Finding& finding, const Piece& piece, const Origin& origin) {
  if (origin.slip.depth >= kSlipDepth) return Done{};
  const Origin further{origin.number, {finding.signature.id(), origin.slip.depth + 1}, origin.memory};
  for (const auto& [id, program] : piece.others) {
    const std::optional<Divergence> met = runs_.slipped_to(runner, finding, program, origin);
    const std::optional<Seen> seen = met ? runs_.look_at(runner, *met, further) : std::nullopt;
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

}  // namespace jp::campaign
