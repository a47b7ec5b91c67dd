#include "campaign/triage/triager.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "campaign/common/confirm.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/common/stopwatch.h"
#include "campaign/triage/flaky.h"
#include "campaign/triage/reduction.h"
#include "core/check.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"

namespace jp::campaign {
namespace {

// The subject of a reduction that follows on the judgement which the finding has.
Subject subject_now(const std::string& folder, const Finding& finding, bool keeps) {
  Subject subject = subject_of(folder, finding, keeps);
  // Another judgement may have said what it depends on.
  if (!finding.plan.depends_on.empty()) return subject;
  const Signature signature = oracle::signature_of(subject.plan.backend, finding.verdict, finding.outcomes);
  subject.judged = {finding.plan, finding.outcomes, finding.verdict, signature};
  return subject;
}

// A finding that does not diverge this time is stored as it is, so that it isn't tried again with every start.
report::ReducedProgram unreduced(const Finding& finding) { return {finding.program, {}}; }

Result<bool> kept(const Status& done) {
  if (!done.ok()) return done.error();
  return true;
}

}  // namespace

Result<LeftToDo> left_to_do(const std::string& folder, std::int64_t reduce) {
  auto rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  LeftToDo left;
  for (report::FindingRow& row : rows.value()) {
    const bool confirmed = row.status == status_name(Finding::Status::kConfirmed);
    const auto form = report::load_reduced_form(folder, row.id);
    const bool by_test = row.first_test != report::kNoTest;
    // A confirmed finding that was not reduced yet is reduced now: later tests depend on the result. So is one that was
    // not compared with known bugs.
    const bool unreduced = confirmed && by_test && reduce > 0 && !(form && form->bounded);
    const bool uncompared = confirmed && !report::load_known_verdict(folder, row.id);
    if (confirmed && !unreduced && reduce > 0 && !(form && form->finished)) left.aside.push_back(row.id);
    if (row.status == status_name(Finding::Status::kCandidate) || unreduced || uncompared)
      left.first.push_back(std::move(row));
  }
  return left;
}

Triager::Triager(const CampaignOptions& options, report::Store& store, const StopCondition& stop_condition,
                 report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
                 std::function<void(const Finding&, const std::string&)> found)
    : options_(options),
      store_(store),
      stop_condition_(stop_condition),
      versions_(std::move(versions)),
      tell_(std::move(tell)),
      found_(std::move(found)) {}

Status Triager::load() {
  if (Status loaded = collect_left(); !loaded.ok()) return loaded;
  Result<FindingIndex> finding_index = FindingIndex::of(options_.folder, options_.reduce > 0);
  if (!finding_index.ok()) return finding_index.error();
  std::lock_guard lock(mutex_);
  finding_index_ = std::move(finding_index).value();
  return Done{};
}

void Triager::know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch) {
  known_.emplace(std::move(known), std::move(standings), torch);
}

Status Triager::collect_left() {
  Result<LeftToDo> left = left_to_do(options_.folder, options_.reduce);
  if (!left.ok()) return left.error();
  std::vector<Finding> unfinished;
  for (const std::string& id : left.value().aside) {
    Result<Finding> finding = report::load_finding(options_.folder, id);
    if (!finding.ok()) return finding.error();
    unfinished.push_back(std::move(finding).value());
  }
  std::lock_guard lock(mutex_);
  for (const Finding& finding : unfinished)
    deferred_.put(finding, Reduction(subject_of(options_.folder, finding, true)));
  left_ = std::move(left.value().first);
  std::reverse(left_.begin(), left_.end());
  return Done{};
}

std::optional<report::FindingRow> Triager::next_left() {
  std::lock_guard lock(mutex_);
  if (stop_condition_.reached() || left_.empty()) return std::nullopt;
  report::FindingRow row = std::move(left_.back());
  left_.pop_back();
  at_work_on_[std::this_thread::get_id()] = row.first_test;
  return row;
}

std::optional<std::uint64_t> Triager::at_work_on() const {
  std::lock_guard lock(mutex_);
  const auto found = at_work_on_.find(std::this_thread::get_id());
  if (found == at_work_on_.end() || found->second == report::kNoTest) return std::nullopt;
  return found->second;
}

Status Triager::finish_earlier(pyrunner::Runner& runner) {
  while (const std::optional<report::FindingRow> row = next_left()) {
    Result<Finding> kept = report::load_finding(options_.folder, row->id);
    if (!kept.ok()) return kept.error();
    const CheckContext context(fmt::format("finding {}", row->id));
    const Origin origin{row->first_test, report::load_slip(options_.folder, row->id)};
    if (row->status == status_name(Finding::Status::kCandidate)) {
      if (Status done = confirm_kept(runner, kept.value(), origin); !done.ok()) return done;
      continue;
    }
    // It has been counted and shown.
    const auto form = report::load_reduced_form(options_.folder, row->id);
    if (row->first_test != report::kNoTest && !(form && form->bounded))
      if (Status done = reduce_kept(runner, kept.value(), origin); !done.ok()) return done;
    if (auto verdict = known_verdict(runner, kept.value()); !verdict.ok()) return verdict.error();
  }
  return Done{};
}

// Register as candidate under the lock, so that a concurrent duplicate becomes a sighting.
Result<TriageDecision> Triager::place(const Finding& found, const Origin& origin) {
  const PhaseScope phase(Phase::kStore);
  std::lock_guard lock(mutex_);
  TriageDecision place = finding_index_.place(found.signature, found.program, origin.number);
  if (place.kind == TriageDecision::Kind::kSighting)
    if (Result<bool> sighted = store_.sighted(place.id, origin.number); !sighted.ok()) return sighted.error();
  if (place.kind == TriageDecision::Kind::kNew)
    if (Status entered = enter(found, origin); !entered.ok()) return entered.error();
  return place;
}

// Called under mutex_. Enters a candidate that the finding index does not have yet.
Status Triager::enter(const Finding& found, const Origin& origin) {
  if (origin.slip.depth > 0)
    if (Status kept = report::keep_slip(options_.folder, found.signature.id(), origin.slip); !kept.ok()) return kept;
  if (Result<bool> added = store_.add_finding(found, origin.number, versions_); !added.ok()) return added.error();
  finding_index_.add(found.signature);
  return Done{};
}

Result<std::optional<Signature>> Triager::keep(pyrunner::Runner& runner, const TestCase& test,
                                               const JudgedProgram& judged) {
  return keep_divergence(runner, {*test.oracle, test.plan, test.program, judged}, {test.number, {}});
}

// A divergence that known bugs explain is counted at once. It doesn't enter the finding index, so that what is decided
// of other tests does not depend on it.
Result<std::optional<Signature>> Triager::keep_divergence(pyrunner::Runner& runner, const Divergence& met,
                                                          const Origin& origin) {
  const Explained explained = explain(runner, met, origin);
  if (stop_condition_.reached()) return std::optional<Signature>();
  std::optional<Signature> remembered = met.judged.signature;
  Finding found = candidate(met.program, met.judged);
  Origin from = origin;
  if (!explained.bugs.empty()) {
    Result<Signature> counted = count_explained(met, explained, origin);
    if (!counted.ok()) return counted.error();
    remembered = std::move(counted).value();
    if (!explained.rest) return remembered;
    found = candidate(explained.rest->program, explained.rest->judged);
    from.slip = {remembered->id(), origin.slip.depth + 1};
  }
  Result<bool> kept = keep_found(runner, std::move(found), from);
  if (!kept.ok()) return kept.error();
  return kept.value() ? remembered : std::nullopt;
}

Result<bool> Triager::keep_found(pyrunner::Runner& runner, Finding found, const Origin& origin) {
  report::Cause cause = locate(runner, found);
  if (stop_condition_.reached()) return false;
  const Result<TriageDecision> placed = place(found, origin);
  if (!placed.ok()) return placed.error();
  switch (placed.value().kind) {
    case TriageDecision::Kind::kSighting:  // is counted: confirming it again would tell nothing
      if (Status looked = look_behind(runner, found, placed.value().id, origin); !looked.ok()) return looked.error();
      return !stop_condition_.reached();
    case TriageDecision::Kind::kUnexplained:
      return tell_apart(runner, std::move(found), std::move(cause), placed.value().id, origin);
    case TriageDecision::Kind::kRetry: {
      std::lock_guard lock(mutex_);
      found.signature = finding_index_.signature(placed.value().id);
      break;
    }
    case TriageDecision::Kind::kNew:
      if (Status noted = report::keep_cause(options_.folder, found.signature.id(), cause); !noted.ok())
        return noted.error();
      break;
  }
  if (Status confirmed = confirm_kept(runner, found, origin); !confirmed.ok()) return confirmed.error();
  // Its reduced program may be a known bug even if the whole program shows another one as well.
  if (!stop_condition_.reached())
    if (Status looked = look_behind_all(runner, found, origin); !looked.ok()) return looked.error();
  return true;
}

// It looks like a finding, but its program lacks something that the finding's has, or goes wrong elsewhere: its reduced
// program says whether it is another bug.
Result<bool> Triager::tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                                 const Origin& origin) {
  tell_(fmt::format("reducing test {}, which may differ from {}", origin.number, like));
  Reduction reducing(subject_now(options_.folder, found, false));
  double seconds = 0;
  Result<std::optional<Piece>> made = reduced(runner, reducing, Phase::kReduceNew, seconds);
  if (!made.ok()) return made.error();
  const std::optional<Piece>& piece = made.value();
  if (stop_condition_.reached()) return false;
  // This comes first, because what is stored below says that all of this is done.
  if (piece)
    if (Status slips = keep_slips(runner, found, *piece, origin); !slips.ok()) return slips.error();
  if (stop_condition_.reached()) return false;
  report::ReducedProgram small = piece ? piece->small() : unreduced(found);
  small.place = oracle::place_of(found.signature);
  std::string same = like;
  bool one_form = true;
  {
    std::lock_guard lock(mutex_);
    if (piece) same = finding_index_.same_bug(found.signature, small);
    one_form = !piece || same.empty() || finding_index_.has_form(same, small);
  }
  if (!one_form && bisected_apart(runner, found, small, same, cause)) same.clear();
  if (stop_condition_.reached()) return false;
  {
    std::lock_guard lock(mutex_);
    if (!same.empty()) {
      move_phase({Phase::kReduceNew}, {Phase::kReduceKnown}, seconds);
      if (Result<bool> sighted = store_.sighted(same, origin.number); !sighted.ok()) return sighted.error();
      finding_index_.add_small(same, small);
      reducing.forget();
      return kept(report::keep_also(options_.folder, same, small));
    }
    found.signature = oracle::refined(std::move(found.signature), small.program);
    if (Status entered = enter(found, origin); !entered.ok()) return entered.error();
    finding_index_.add_small(found.signature.id(), small);
    reduce_seconds_[found.signature.id()] += seconds;
  }
  const std::string id = found.signature.id();
  if (Status form = report::keep_reduced(options_.folder, id, small.program, small.mutations); !form.ok())
    return form.error();
  if (Result<report::ReducedForm> form = keep_piece(options_.folder, id, *piece, reducing); !form.ok())
    return form.error();
  if (Status noted = report::keep_cause(options_.folder, id, cause); !noted.ok()) return noted.error();
  if (!piece->finished) {
    std::lock_guard lock(mutex_);
    deferred_.put(found, Reduction(subject_of(options_.folder, found, true)));
  }
  return kept(confirm_kept(runner, found, origin));
}

Status Triager::confirm_kept(pyrunner::Runner& runner, const Finding& candidate, const Origin& origin) {
  const std::string id = candidate.signature.id();
  tell_(fmt::format("confirming {}", id));
  const oracle::Oracle& oracle = need_oracle(candidate.plan.oracle);
  const pyrunner::Standalone standalone = standalone_for(runner, options_.folder, id);
  // A finding that showed only under a condition is first judged without it, too.
  Finding finding = candidate;
  finding.status = Finding::Status::kFlaky;
  if (candidate.plan.depends_on.empty()) finding = confirm(runner, oracle, candidate, standalone, versions_);
  if (finding.status == Finding::Status::kFlaky) {
    tell_(fmt::format("finding out what {} depends on", id));
    finding = diagnose(finding, trying(runner, oracle, finding.program, standalone, versions_));
  }
  if (Result<bool> stored = store_.add_finding(finding, origin.number, versions_); !stored.ok()) return stored.error();
  std::exception_ptr broken;
  if (finding.status == Finding::Status::kConfirmed) try {
      if (Status studied = study(runner, finding, origin); !studied.ok()) return studied;
    } catch (const std::exception&) {
      broken = std::current_exception();
    }
  // A finding whose reduction breaks an invariant is a finding all the same.
  if (Status counted = count(runner, finding); !counted.ok()) return counted;
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
  return stop_condition_.reached() ? Status(Done{}) : find_cause(runner, finding);
}

Status Triager::count(pyrunner::Runner& runner, const Finding& finding) {
  report::KnownVerdict verdict;
  std::exception_ptr broken;
  if (finding.status == Finding::Status::kConfirmed) try {
      Result<report::KnownVerdict> decided = known_verdict(runner, finding);
      if (!decided.ok()) return decided.error();
      verdict = std::move(decided).value();
    } catch (const std::exception&) {
      broken = std::current_exception();
    }
  {
    std::lock_guard lock(mutex_);
    if (finding_index_.has(finding.signature.id()))
      finding_index_.set_flaky(finding.signature.id(), finding.status == Finding::Status::kFlaky);
    if (verdict.known()) ++counts_.known;
    if (finding.status == Finding::Status::kConfirmed && !verdict.known()) ++counts_.findings;
    if (finding.status == Finding::Status::kFlaky) ++counts_.flaky;
    if (finding.status == Finding::Status::kCandidate) ++counts_.candidates;
  }
  if (!verdict.known()) found_(finding, report::resemblance_text(verdict));
  if (broken) std::rethrow_exception(broken);
  return Done{};
}

Result<std::optional<Piece>> Triager::reduced(pyrunner::Runner& runner, Reduction& reducing, Phase phase,
                                              double& seconds) {
  const PhaseScope scope(phase);
  const Stopwatch watch;
  const std::unique_ptr<RunnerPool> pool = RunnerPool::of(runner);
  PieceEnds ends{.candidates = options_.reduce};
  ends.given_up = [&] { return stop_condition_.reached(); };
  Result<std::optional<Piece>> piece = reducing.from_start(*pool, ends);
  seconds = watch.seconds();
  return piece;
}

Status Triager::reduce_kept(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  if (options_.reduce == 0) return Done{};
  const std::string id = finding.signature.id();
  tell_(fmt::format("reducing {}", id));
  Reduction reducing(subject_now(options_.folder, finding, true));
  const Phase phase = phase_of_reducing(id);
  double seconds = 0;
  Result<std::optional<Piece>> made = reduced(runner, reducing, phase, seconds);
  if (!made.ok()) return made.error();
  if (phase == Phase::kReduceNew) {
    std::lock_guard lock(mutex_);
    reduce_seconds_[id] += seconds;
  }
  const std::optional<Piece>& piece = made.value();
  if (stop_condition_.reached()) return Done{};
  if (piece)
    if (Status kept = keep_slips(runner, finding, *piece, origin); !kept.ok() || stop_condition_.reached()) return kept;
  const report::ReducedProgram small = piece ? piece->small() : unreduced(finding);
  if (piece)
    if (Result<report::ReducedForm> kept = keep_piece(options_.folder, id, *piece, reducing); !kept.ok())
      return kept.error();
  if (Status kept = report::keep_reduced(options_.folder, id, small.program, small.mutations); !kept.ok()) return kept;
  if (piece && piece->finished) reducing.forget();
  std::lock_guard lock(mutex_);
  finding_index_.add_small(id, small);
  if (piece && !piece->finished) deferred_.put(finding, std::move(reducing));
  return Done{};
}

// Each other way of diverging that a reduction met is a divergence of the test: looked up, confirmed and reduced like
// one.
Status Triager::keep_slips(pyrunner::Runner& runner, const Finding& finding, const Piece& piece, const Origin& origin) {
  if (origin.slip.depth >= kSlipDepth) return Done{};
  const Origin further{origin.number, {finding.signature.id(), origin.slip.depth + 1}};
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  for (const auto& [id, program] : piece.others) {
    std::optional<JudgedProgram> judged = still_diverges(runner, oracle, program, options);
    if (stop_condition_.reached()) return Done{};
    if (!judged) continue;
    const auto kept = keep_divergence(runner, {oracle, options, program, std::move(*judged)}, further);
    if (!kept.ok()) return kept.error();
    if (stop_condition_.reached()) return Done{};
  }
  return Done{};
}

KeptCounts Triager::counts() const {
  std::lock_guard lock(mutex_);
  KeptCounts counts = counts_;
  for (const report::FindingRow& row : left_)
    if (row.status == status_name(Finding::Status::kCandidate)) ++counts.candidates;
  counts.unfinished = deferred_.size();
  return counts;
}

}  // namespace jp::campaign
