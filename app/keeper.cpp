#include "app/keeper.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>

#include "app/confirm.h"
#include "app/internal_errors.h"
#include "app/known.h"
#include "app/reduction.h"
#include "oracle/signature.h"
#include "report/evidence.h"

namespace jp::app {
namespace {

// One that does not diverge this time is kept as it is: it must not be tried again with every start.
report::SmallForm unreduced(const Finding& finding) { return {finding.program, {}}; }

}  // namespace

Result<std::vector<report::FindingRow>> left_to_do(const std::string& folder, std::int64_t reduce) {
  auto rows = report::list_findings(folder);
  if (!rows.ok()) return rows;
  // A confirmed one that was not reduced yet is reduced now: later tests depend on what it comes to.
  std::erase_if(rows.value(), [&](const auto& row) {
    if (row.status == status_name(Finding::Status::kCandidate)) return false;
    return row.status != status_name(Finding::Status::kConfirmed) || reduce == 0 ||
           report::load_reduced(folder, row.id);
  });
  return rows;
}

Keeper::Keeper(const CampaignOptions& options, report::Store& store, const Until& until,
               report::ReproducerOptions versions, std::function<void(const std::string&)> tell,
               std::function<void(const Finding&)> found)
    : options_(options),
      store_(store),
      until_(until),
      versions_(std::move(versions)),
      tell_(std::move(tell)),
      found_(std::move(found)) {}

Status Keeper::load() {
  std::lock_guard lock(mutex_);
  auto rows = left_to_do(options_.folder, options_.reduce);
  if (!rows.ok()) return rows.error();
  left_ = std::move(rows).value();
  std::reverse(left_.begin(), left_.end());
  Result<Roster> roster = Roster::of(options_.folder, options_.reduce > 0);
  if (!roster.ok()) return roster.error();
  roster_ = std::move(roster).value();
  return Done{};
}

std::optional<report::FindingRow> Keeper::next_left() {
  std::lock_guard lock(mutex_);
  if (until_.reached() || left_.empty()) return std::nullopt;
  report::FindingRow row = std::move(left_.back());
  left_.pop_back();
  at_work_on_ = row.first_test;
  return row;
}

std::uint64_t Keeper::at_work_on() const {
  std::lock_guard lock(mutex_);
  return at_work_on_;
}

Status Keeper::finish_earlier(pyrunner::Runner& runner) {
  while (const std::optional<report::FindingRow> row = next_left()) {
    Result<Finding> kept = report::load_finding(options_.folder, row->id);
    if (!kept.ok()) return kept.error();
    Status done = row->status == status_name(Finding::Status::kConfirmed)
                      ? reduce_kept(runner, kept.value())
                      : confirm_kept(runner, kept.value(), row->first_test);
    if (!done.ok()) return done;
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

Status Keeper::keep(pyrunner::Runner& runner, const TestCase& test, const Judged& judged) {
  const Finding found = candidate(test.program, judged);
  const Result<Place> placed = place(found, test.number);
  if (!placed.ok()) return placed.error();
  switch (placed.value().kind) {
    case Place::Kind::kSighting:  // is counted: confirming it again would tell nothing
      return Done{};
    case Place::Kind::kUnexplained:
      return tell_apart(runner, found, placed.value().id, test.number);
    case Place::Kind::kNew:
    case Place::Kind::kRetry:
      break;
  }
  return confirm_kept(runner, found, test.number);
}

// It looks like a finding, and its program lacks what that one keeps: what it comes to says whether it is another bug.
Status Keeper::tell_apart(pyrunner::Runner& runner, Finding found, const std::string& like, std::uint64_t number) {
  tell_(fmt::format("reducing test {}, which may differ from {}", number, like));
  std::optional<report::SmallForm> small = reduced(runner, found);
  if (until_.reached()) return Done{};
  {
    std::lock_guard lock(mutex_);
    const std::string same = small ? roster_.same_bug(found.signature, *small) : like;
    if (!small) small = unreduced(found);
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
  Status reduced = Done{};
  std::exception_ptr broken;
  if (finding.status == Finding::Status::kConfirmed && !report::load_reduced(options_.folder, id)) try {
      break_if_asked("reduce", number);
      reduced = reduce_kept(runner, finding);
    } catch (const std::exception&) {
      broken = std::current_exception();
    }
  if (!reduced.ok()) return reduced;
  // A finding that breaks our reduction is a finding all the same.
  count(finding);
  if (broken) std::rethrow_exception(broken);
  return Done{};
}

void Keeper::count(const Finding& finding) {
  const bool known = finding.status == Finding::Status::kConfirmed &&
                     known_as(options_.known, options_.folder, finding.signature.id());
  {
    std::lock_guard lock(mutex_);
    roster_.set_flaky(finding.signature.id(), finding.status == Finding::Status::kFlaky);
    if (known) ++counts_.known;
    if (finding.status == Finding::Status::kConfirmed && !known) ++counts_.findings;
    if (finding.status == Finding::Status::kFlaky) ++counts_.flaky;
    if (finding.status == Finding::Status::kCandidate) ++counts_.candidates;
  }
  if (!known) found_(finding);
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
