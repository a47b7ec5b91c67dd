// The tests of a campaign that other processes make: told of the tables, and their results stored like those of a job.
#include <utility>

#include "campaign/case_lease.h"
#include "campaign/common/internal_errors.h"
#include "campaign/fingerprint.h"
#include "campaign/jobs.h"
#include "campaign/lease.h"
#include "codec/codec.h"

namespace jp::campaign {

Status Campaign::open_pool() {
  if (!open_pool_ || options_.only || stop_condition_.reached()) return Done{};
  const Result<codec::Json> ours = fingerprint(options_.runner, options_.known);
  if (!ours.ok()) return ours.error();
  Result<std::unique_ptr<LeasePool>> pool =
      open_pool_({.terms = lease_terms(ours.value(), store_.settings(), standings_),
                  .epochs = options_.maker.epochs,
                  .tests = options_.tests,
                  .folder = options_.folder,
                  .ended = [this](std::uint64_t test) { return store_.is_finished(test); }});
  if (!pool.ok()) return pool.error();
  pool_ = std::move(pool).value();
  pool_epoch_ = options_.maker.epochs.of(store_.first_unfinished());
  return lease_cases();
}

// Has cases studied that are not being decided yet. One that is leased has its turn once it is back.
Status Campaign::lease_cases() {
  for (;;) {
    Result<std::optional<OpenCases::Taken>> taken = cases_->take_ahead(worth_ahead(true));
    if (!taken.ok()) return taken.error();
    if (!taken.value()) return Done{};
    OpenCases::Taken& one = *taken.value();
    const std::uint64_t test = one.one.test;
    if (Status put = pool_->put_case(test, asked_of(one)); !put.ok()) return put;
    leased_.emplace(test, std::move(one));
  }
}

Status Campaign::take_studies(bool& any) {
  for (LeasePool::StudiedCase& studied : pool_->take_cases()) {
    const auto found = leased_.find(studied.test);
    if (found == leased_.end()) continue;
    any = true;
    if (studied.answers)
      if (Status taken = take_study(options_.folder, std::move(*studied.answers), *found->second.memory); !taken.ok())
        return taken;
    cases_->give_back(found->second);
    leased_.erase(found);
  }
  return Done{};
}

// Whoever decides them studies them.
void Campaign::return_cases() {
  for (const auto& [test, taken] : leased_) cases_->give_back(taken);
  leased_.clear();
}

// Stores what other processes give back until there will be nothing more.
void Campaign::keep_results() {
  while (!over() && !is_done()) {
    const bool any = take_results();
    progressed_.notify_all();
    std::unique_lock lock(mutex_);
    if (!any) progressed_.wait_for(lock, StopCondition::kPolled);
  }
}

// False if there was nothing.
bool Campaign::take_results() {
  {
    std::lock_guard lock(mutex_);
    looking_ = true;
  }
  bool any = false;
  const Stopwatch watch;
  if (Status taken = take_from_pool(any); !taken.ok()) fail(taken.error());
  std::lock_guard lock(mutex_);
  looking_ = false;
  if (any) tally_.store_seconds += watch.seconds();
  return any;
}

// Gives the pool the tables that stand.
Status Campaign::open_epochs() {
  const Epochs& epochs = options_.maker.epochs;
  const auto begins = [&] { return epochs.begin(pool_epoch_); };
  for (; (!options_.tests || begins() < *options_.tests) && tables_->stand_for(begins()); ++pool_epoch_) {
    const auto make = [&]() -> Result<codec::Json> {
      const Result<std::optional<EpochTables::Held>> tables = tables_->tables_for(begins());
      if (!tables.ok()) return tables.error();
      return leased_tables(pool_epoch_, *tables.value());
    };
    if (Status put = pool_->put_tables(pool_epoch_, make); !put.ok()) return put;
  }
  return Done{};
}

Status Campaign::take_from_pool(bool& any) {
  if (Status opened = open_epochs(); !opened.ok()) return opened;
  Result<std::vector<Tested>> results = pool_->take();
  {
    std::lock_guard lock(mutex_);
    for (const std::string& note : pool_->take_notes()) events_.note(note);
  }
  if (!results.ok()) return results.error();
  any = !results.value().empty();
  if (Status studies = take_studies(any); !studies.ok()) return studies;
  if (results.value().empty()) return Done{};
  if (Status recorded = record(results.value()); !recorded.ok()) return recorded;
  std::lock_guard lock(mutex_);
  tally_.made_elsewhere += results.value().size();
  return Done{};
}

}  // namespace jp::campaign
