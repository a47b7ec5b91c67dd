#include "campaign/triage/triager.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <tuple>
#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/common/stopwatch.h"
#include "core/check.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"

namespace jp::campaign {
namespace {

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
    if (confirmed && !unreduced && reduce > 0 && !(form && form->finished)) left.aside.push_back(row);
    if (row.status == status_name(Finding::Status::kCandidate) || unreduced || uncompared)
      left.first.push_back(std::move(row));
  }
  // What a reduction slipped to was decided before that reduction came to its result.
  std::map<std::string, int> depths;
  for (const report::FindingRow& row : left.first) depths[row.id] = report::load_slip(folder, row.id).depth;
  std::stable_sort(left.first.begin(), left.first.end(), [&](const auto& one, const auto& other) {
    return std::tuple(one.first_test, -depths[one.id]) < std::tuple(other.first_test, -depths[other.id]);
  });
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
      found_(std::move(found)),
      runs_({.folder = options.folder, .reduce = options.reduce, .versions = versions_, .tell = tell_},
            stop_condition) {}

Status Triager::load() { return collect_left(true); }

void Triager::know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch) {
  known_.emplace(std::move(known), std::move(standings), torch);
  runs_.know(*known_);
}

Status Triager::collect_left(bool testing) {
  Result<LeftToDo> left = left_to_do(options_.folder, options_.reduce);
  if (!left.ok()) return left.error();
  // Read anew: a decision that the end cut off has left marks in it.
  Result<FindingIndex> finding_index = FindingIndex::of(options_.folder, options_.reduce > 0);
  if (!finding_index.ok()) return finding_index.error();
  std::lock_guard lock(mutex_);
  finding_index_ = std::move(finding_index).value();
  for (const report::FindingRow& row : left.value().aside) {
    // A test may still find it anew.
    if (!testing || row.first_test != report::kNoTest) deferred_.put(row.id, row.first_test);
  }
  left_ = std::move(left.value().first);
  std::reverse(left_.begin(), left_.end());
  return Done{};
}

bool Triager::has_left() const {
  std::lock_guard lock(mutex_);
  return !left_.empty();
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
    // What comes next in a decision is stored before the comparison with known bugs, and that is missing.
    if (!stop_condition_.reached())
      if (Status done = find_cause(runner, kept.value(), origin); !done.ok()) return done;
    if (auto verdict = known_verdict(runner, kept.value(), origin); !verdict.ok()) return verdict.error();
  }
  return Done{};
}

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

// Called under mutex_. Enters a candidate that the finding index does not have yet. What is stored under its id belongs
// to no test (report::kNoTest), and no test may depend on it.
Status Triager::enter(const Finding& found, const Origin& origin) {
  for (const char* file : {"known.json", "cause.json", "evidence.json", "reduced.json", "also.json", "slip.json"}) {
    std::error_code none_there;
    std::filesystem::remove(std::filesystem::path(options_.folder) / "findings" / found.signature.id() / file,
                            none_there);
  }
  if (origin.slip.depth > 0)
    if (Status kept = report::keep_slip(options_.folder, found.signature.id(), origin.slip); !kept.ok()) return kept;
  if (Result<bool> added = store_.add_finding(found, origin.number, versions_); !added.ok()) return added.error();
  finding_index_.add(found.signature);
  return Done{};
}

std::optional<Seen> Triager::look(pyrunner::Runner& runner, const Divergence& met, std::uint64_t test) {
  return runs_.look_at(runner, met, {test});
}

Result<bool> Triager::decide(pyrunner::Runner& runner, const Case& one, CaseMemory& memory) {
  return keep_found(runner, one.found, {one.test, one.slip, &memory});
}

bool Triager::has_alike(const Signature& signature) const {
  std::lock_guard lock(mutex_);
  return finding_index_.has_alike(signature);
}

bool Triager::wants_place(const Signature& signature) const {
  std::lock_guard lock(mutex_);
  return finding_index_.wants_place(signature);
}

Status Triager::study_ahead(pyrunner::Runner& runner, const Case& one, const StudyParts& parts, CaseMemory& memory) {
  return runs_.study(runner, one, parts, memory);
}

Result<bool> Triager::keep_found(pyrunner::Runner& runner, Finding found, const Origin& origin) {
  report::Cause cause = locate(runner, found, origin);
  if (stop_condition_.reached()) return false;
  const Result<TriageDecision> placed = place(found, origin);
  if (!placed.ok()) return placed.error();
  switch (placed.value().kind) {
    case TriageDecision::Kind::kSighting:  // is counted: confirming it again would tell nothing
      forget_ahead(found, origin);
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
    if (Status looked = look_behind(runner, found, found.signature.id(), origin); !looked.ok()) return looked.error();
  return !stop_condition_.reached();
}

// It looks like a finding, but its program lacks something that the finding's has, or goes wrong elsewhere: its reduced
// program says whether it is another bug.
Result<bool> Triager::tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                                 const Origin& origin) {
  tell_(fmt::format("reducing test {}, which may differ from {}", origin.number, like));
  Reduction reducing(subject_now(options_.folder, found, false));
  const ReducedPiece made = runs_.reduced(runner, found, reducing, Phase::kReduceNew, origin);
  if (!made.piece.ok()) return made.piece.error();
  const std::optional<Piece>& piece = made.piece.value();
  if (stop_condition_.reached()) return false;
  // This comes first, because what is stored below says that all of this is done.
  if (piece)
    if (Status slips = keep_slips(runner, found, *piece, origin); !slips.ok()) return slips.error();
  if (stop_condition_.reached()) return false;
  report::ReducedProgram small = small_of(piece, found, origin.number);
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
      move_phase({Phase::kReduceNew}, {Phase::kReduceKnown}, made.seconds);
      if (Result<bool> sighted = store_.sighted(same, origin.number); !sighted.ok()) return sighted.error();
      finding_index_.add_small(same, small);
      reducing.forget();
      return kept(report::keep_also(options_.folder, same, small));
    }
    found.signature = oracle::refined(std::move(found.signature), small.program);
    if (Status entered = enter(found, origin); !entered.ok()) return entered.error();
    finding_index_.add_small(found.signature.id(), small);
    reduce_seconds_[found.signature.id()] += made.seconds;
  }
  const std::string id = found.signature.id();
  if (Status form = report::keep_reduced(options_.folder, id, small.program, small.mutations, origin.number);
      !form.ok())
    return form.error();
  if (Result<report::ReducedForm> form = keep_piece(options_.folder, id, *piece, reducing); !form.ok())
    return form.error();
  if (Status noted = report::keep_cause(options_.folder, id, cause); !noted.ok()) return noted.error();
  if (Status done = confirm_kept(runner, found, origin); !done.ok()) return done.error();
  // No sooner, or another job would change what is stored of it meanwhile.
  if (!piece->finished) {
    std::lock_guard lock(mutex_);
    deferred_.put(id, origin.number);
  }
  return !stop_condition_.reached();
}

Status Triager::count(pyrunner::Runner& runner, const Finding& finding, const Origin& origin) {
  report::KnownVerdict verdict;
  std::exception_ptr broken;
  if (finding.status == Finding::Status::kConfirmed) try {
      Result<report::KnownVerdict> decided = known_verdict(runner, finding, origin);
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

std::uint64_t Triager::studied_elsewhere() const {
  std::lock_guard lock(mutex_);
  return studied_elsewhere_;
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
