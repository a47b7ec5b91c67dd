// The tests of a campaign that other processes make: told of the tables, and their results stored like those of a job.
#include <utility>

#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/fingerprint.h"
#include "campaign/jobs.h"
#include "campaign/lease.h"
#include "codec/codec.h"

namespace jp::campaign {

Status Campaign::open_pool() {
  if (!open_pool_ || options_.only || stop_condition_.reached()) return Done{};
  const Result<codec::Json> ours = fingerprint(runners_.front()->options().runtime_dir, options_.known);
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
  return Done{};
}

bool Campaign::look_due() {
  std::lock_guard lock(mutex_);
  return pool_ && !looking_ && looked_.seconds() > std::chrono::duration<double>(StopCondition::kPolled).count();
}

// Stores what other processes gave back; false if there was nothing. One job does it at a time.
bool Campaign::take_results() {
  if (over() || !look_due()) return false;
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(looking_, true)) return false;
  }
  bool any = false;
  if (Status taken = take_from_pool(any); !taken.ok()) fail(taken.error());
  std::lock_guard lock(mutex_);
  looking_ = false;
  if (!any) looked_ = {};
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

// Stores results as `record` does, with one transaction and one sync of the test log for all: what a test
// costs the driver bounds how many processes it can have.
Status Campaign::record_at_once(const std::vector<Tested>& results) {
  std::vector<report::Store::MadeTest> made;
  std::vector<TestRecord> rows;
  for (const Tested& tested : results) {
    if (Status did = tested.broken.empty() ? count(tested) : end_broken(tested); !did.ok()) return did;
    if (!tested.broken.empty()) continue;
    made.push_back({.number = tested.number, .counts = &tested.counts});
    if (!tested.valid) continue;
    made.back() = {tested.number, &*tested.program, &tested.plan, &tested.verdict, &tested.counts};
    rows.push_back(tested.row);
    if (Status counted = triager_->count_known(tested.known, tested.number); !counted.ok()) return counted;
    if (tested.open)
      if (Status kept = cases_->keep(*tested.open); !kept.ok()) return kept;
  }
  if (Status learnt = tables_->learn(std::move(rows)); !learnt.ok()) return learnt;
  for (const Tested& tested : results)
    if (tested.open) cases_->enter(*tested.open);
  return store_.add_tests(made);
}

Status Campaign::take_from_pool(bool& any) {
  const PhaseScope phase(Phase::kStore);
  if (Status opened = open_epochs(); !opened.ok()) return opened;
  Result<std::vector<Tested>> results = pool_->take();
  {
    std::lock_guard lock(mutex_);
    for (const std::string& note : pool_->take_notes()) events_.note(note);
  }
  if (!results.ok()) return results.error();
  any = !results.value().empty();
  return any ? record_at_once(results.value()) : Status(Done{});
}

}  // namespace jp::campaign
