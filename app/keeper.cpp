#include "app/keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "app/cause.h"
#include "app/confirm.h"
#include "app/reduction.h"
#include "oracle/signature.h"
#include "report/evidence.h"

namespace jp::app {
namespace {

// One that does not diverge this time is kept as it is: it must not be tried again with every start.
report::SmallForm unreduced(const Finding& finding) { return {finding.program, {}}; }

}  // namespace

Keeper::Keeper(const CampaignOptions& options, report::Store& store, const Until& until,
               report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
               std::function<void(const Finding&, const std::string&)> found)
    : options_(options),
      store_(store),
      until_(until),
      versions_(std::move(versions)),
      tell_(std::move(tell)),
      found_(std::move(found)) {}

Status Keeper::load() {
  std::lock_guard lock(mutex_);
  auto rows = report::list_findings(options_.folder);
  if (!rows.ok()) return rows.error();
  left_ = std::move(rows).value();
  // A confirmed one that was not reduced yet is reduced now: later tests depend on what it comes to. So is one that was
  // not compared with known bugs.
  std::erase_if(left_, [&](const auto& row) {
    if (row.status == status_name(Finding::Status::kCandidate)) return false;
    const bool small = options_.reduce == 0 || report::load_reduced(options_.folder, row.id);
    return row.status != status_name(Finding::Status::kConfirmed) ||
           (small && report::load_known_verdict(options_.folder, row.id));
  });
  std::reverse(left_.begin(), left_.end());
  Result<Roster> roster = Roster::of(options_.folder, options_.reduce > 0);
  if (!roster.ok()) return roster.error();
  roster_ = std::move(roster).value();
  return Done{};
}

void Keeper::know(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch) {
  known_.emplace(std::move(known), std::move(standings), torch);
}

std::optional<report::FindingRow> Keeper::next_left() {
  std::lock_guard lock(mutex_);
  if (until_.reached() || left_.empty()) return std::nullopt;
  report::FindingRow row = std::move(left_.back());
  left_.pop_back();
  return row;
}

Status Keeper::finish_earlier(pyrunner::Runner& runner) {
  while (const std::optional<report::FindingRow> row = next_left()) {
    Result<Finding> kept = report::load_finding(options_.folder, row->id);
    if (!kept.ok()) return kept.error();
    if (row->status == status_name(Finding::Status::kCandidate)) {
      if (Status done = confirm_kept(runner, kept.value(), row->first_test); !done.ok()) return done;
      continue;
    }
    // It has been counted and shown.
    if (!report::load_reduced(options_.folder, row->id))
      if (Status done = reduce_kept(runner, kept.value()); !done.ok()) return done;
    if (auto verdict = known_verdict(runner, kept.value()); !verdict.ok()) return verdict.error();
  }
  return Done{};
}

// A new one is a candidate from here on: what another job finds at the same time is its sighting.
Result<Place> Keeper::place(const Finding& found, std::uint64_t number) {
  std::lock_guard lock(mutex_);
  Place place = roster_.place(found.signature, found.program, number);
  if (place.kind == Place::Kind::kSighting)
    if (Result<bool> sighted = store_.sighted(place.id, number); !sighted.ok()) return sighted.error();
  if (place.kind != Place::Kind::kNew) return place;
  if (Result<bool> added = store_.add_finding(found, number, versions_); !added.ok()) return added.error();
  roster_.add(found.signature);
  return place;
}

// Where the program first goes wrong, as a part of the signature that it is looked up by.
report::Cause Keeper::locate(pyrunner::Runner& runner, Finding& found) {
  {
    std::lock_guard lock(mutex_);
    if (!roster_.wants_place(found.signature)) return {};
  }
  tell_("looking for the first wrong value");
  report::Cause cause{.intermediate = first_wrong_value(runner, found, Thorough::kBriefly), .bisection = ""};
  std::string place = cause.intermediate ? cause.intermediate->form : "";
  if (place.empty()) place = small_form(found.program);
  found.signature = oracle::located(std::move(found.signature), place);
  return cause;
}

Status Keeper::keep(pyrunner::Runner& runner, const TestCase& test, const Judged& judged) {
  Finding found = candidate(test.program, judged);
  report::Cause cause = locate(runner, found);
  if (until_.reached()) return Done{};
  const Result<Place> placed = place(found, test.number);
  if (!placed.ok()) return placed.error();
  switch (placed.value().kind) {
    case Place::Kind::kSighting:  // is counted: confirming it again would tell nothing
      return Done{};
    case Place::Kind::kUnexplained:
      return tell_apart(runner, std::move(found), std::move(cause), placed.value().id, test.number);
    case Place::Kind::kRetry: {
      std::lock_guard lock(mutex_);
      found.signature = roster_.signature(placed.value().id);
      break;
    }
    case Place::Kind::kNew:
      if (Status kept = report::keep_cause(options_.folder, found.signature.id(), cause); !kept.ok()) return kept;
      break;
  }
  return confirm_kept(runner, found, test.number);
}

// Two programs that come to the same calls are two bugs where Inductor's bisector names two parts of it.
bool Keeper::bisected_apart(pyrunner::Runner& runner, const Finding& found, const report::SmallForm& small,
                            const std::string& same, report::Cause& cause) {
  const std::string there = report::bisected_part(report::load_cause(options_.folder, same).bisection);
  if (there.empty()) return false;
  Finding reduced = found;
  reduced.program = small.program;
  cause.bisection = bisection(runner, reduced);
  const std::string here = report::bisected_part(cause.bisection);
  return !here.empty() && here != there;
}

// It looks like a finding, and its program lacks what that one keeps, or goes wrong elsewhere: what it comes to says
// whether it is another bug.
Status Keeper::tell_apart(pyrunner::Runner& runner, Finding found, report::Cause cause, const std::string& like,
                          std::uint64_t number) {
  tell_(fmt::format("reducing test {}, which may differ from {}", number, like));
  std::optional<report::SmallForm> small = reduced(runner, found);
  if (until_.reached()) return Done{};
  std::string same = like;
  bool one_form = true;
  {
    std::lock_guard lock(mutex_);
    if (small) same = roster_.same_bug(found.signature, *small);
    one_form = !small || same.empty() || roster_.has_form(same, *small);
  }
  if (!one_form && bisected_apart(runner, found, *small, same, cause)) same.clear();
  if (until_.reached()) return Done{};
  {
    std::lock_guard lock(mutex_);
    if (!small) small = unreduced(found);
    small->place = oracle::place_of(found.signature);
    if (!same.empty()) {
      if (Result<bool> sighted = store_.sighted(same, number); !sighted.ok()) return sighted.error();
      roster_.add_small(same, *small);
      return report::keep_also(options_.folder, same, *small);
    }
    found.signature = oracle::refined(std::move(found.signature), small->program);
    const std::string id = found.signature.id();
    if (Result<bool> added = store_.add_finding(found, number, versions_); !added.ok()) return added.error();
    roster_.add(found.signature);
    roster_.add_small(id, *small);
    if (Status kept = report::keep_reduced(options_.folder, id, small->program, small->mutations); !kept.ok())
      return kept;
    if (Status kept = report::keep_cause(options_.folder, id, cause); !kept.ok()) return kept;
  }
  return confirm_kept(runner, found, number);
}

Status Keeper::confirm_kept(pyrunner::Runner& runner, const Finding& candidate, std::uint64_t number) {
  const std::string id = candidate.signature.id();
  tell_(fmt::format("confirming {}", id));
  pyrunner::Standalone standalone{.python = options_.runner.python,
                                  .guard = options_.runner.guard,
                                  .cache = options_.runner.cache_dir,
                                  .folder = fmt::format("{}/confirm-{}", options_.folder, id),
                                  .given_up = runner.options().given_up};
  Finding finding = confirm(runner, need_oracle(candidate.plan.oracle), candidate, standalone, versions_);
  if (Result<bool> stored = store_.add_finding(finding, number, versions_); !stored.ok()) return stored.error();
  if (finding.status == Finding::Status::kConfirmed && !report::load_reduced(options_.folder, id))
    if (Status reduced = reduce_kept(runner, finding); !reduced.ok()) return reduced;
  if (finding.status == Finding::Status::kConfirmed && !until_.reached())
    if (Status found = find_cause(runner, finding); !found.ok()) return found;
  return count(runner, finding);
}

// Of the program that is shown: the reduced one, where there is one.
Status Keeper::find_cause(pyrunner::Runner& runner, const Finding& finding) {
  const std::string id = finding.signature.id();
  tell_(fmt::format("looking for the cause of {}", id));
  Finding shown = finding;
  if (const std::optional<Program> reduced = report::load_reduced(options_.folder, id)) {
    const Judged judged =
        judge_alone(runner, need_oracle(finding.plan.oracle), *reduced, plan_options_of(finding.plan));
    if (judged.verdict.kind == Verdict::Kind::kDiverge) shown = candidate(*reduced, judged);
  }
  report::Cause cause = report::load_cause(options_.folder, id);
  if (const auto seen = first_wrong_value(runner, shown, Thorough::kFully)) cause.intermediate = seen;
  if (cause.bisection.empty()) cause.bisection = bisection(runner, shown);
  if (until_.reached()) return Done{};
  return report::keep_cause(options_.folder, id, cause);
}

// As it was decided before, or now. What the end cut off is left for the next start to decide.
Result<report::KnownVerdict> Keeper::known_verdict(pyrunner::Runner& runner, const Finding& finding) {
  const std::string id = finding.signature.id();
  const std::optional<Program> small = report::load_reduced(options_.folder, id);
  const std::string looked_at = (small ? *small : finding.program).sha256();
  if (const auto kept = report::load_known_verdict(options_.folder, id); kept && kept->of == looked_at) return *kept;
  JP_CHECK(known_, "findings are compared with known bugs before these are known");
  tell_(fmt::format("comparing {} with known bugs", id));
  const auto verdict = known_->judge(runner, finding, small, [&] { return until_.reached(); });
  if (!verdict || until_.reached() || (options_.reduce > 0 && !small)) return known_->unjudged(finding, small);
  if (Status kept = report::keep_known_verdict(options_.folder, id, *verdict); !kept.ok()) return kept.error();
  return *verdict;
}

Status Keeper::count(pyrunner::Runner& runner, const Finding& finding) {
  report::KnownVerdict verdict;
  if (finding.status == Finding::Status::kConfirmed) {
    Result<report::KnownVerdict> decided = known_verdict(runner, finding);
    if (!decided.ok()) return decided.error();
    verdict = std::move(decided).value();
  }
  {
    std::lock_guard lock(mutex_);
    roster_.set_flaky(finding.signature.id(), finding.status == Finding::Status::kFlaky);
    if (verdict.known()) ++counts_.known;
    if (finding.status == Finding::Status::kConfirmed && !verdict.known()) ++counts_.findings;
    if (finding.status == Finding::Status::kFlaky) ++counts_.flaky;
    if (finding.status == Finding::Status::kCandidate) ++counts_.candidates;
  }
  if (!verdict.known()) found_(finding, report::resemblance_text(verdict));
  return Done{};
}

std::optional<report::SmallForm> Keeper::reduced(pyrunner::Runner& runner, const Finding& finding) {
  const auto began = std::chrono::steady_clock::now();
  std::optional<report::SmallForm> small =
      reduce_finding(runner, finding, options_.reduce, [&] { return until_.reached(); });
  std::lock_guard lock(mutex_);
  counts_.reduce_seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  return small;
}

Status Keeper::reduce_kept(pyrunner::Runner& runner, const Finding& finding) {
  if (options_.reduce == 0) return Done{};
  const std::string id = finding.signature.id();
  tell_(fmt::format("reducing {}", id));
  std::optional<report::SmallForm> small = reduced(runner, finding);
  if (until_.reached()) return Done{};
  if (!small) small = unreduced(finding);
  std::lock_guard lock(mutex_);
  roster_.add_small(id, *small);
  return report::keep_reduced(options_.folder, id, small->program, small->mutations);
}

KeptCounts Keeper::counts() const {
  std::lock_guard lock(mutex_);
  KeptCounts counts = counts_;
  for (const report::FindingRow& row : left_)
    if (row.status == status_name(Finding::Status::kCandidate)) ++counts.candidates;
  return counts;
}

}  // namespace jp::app
