// The tests of a campaign that other processes make: told of the tables, and their results stored like those of a job.
#include <utility>

#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/jobs.h"
#include "campaign/lease.h"
#include "codec/codec.h"

namespace jp::campaign {

Status Campaign::share() {
  if (options_.shared.empty() || options_.only || stop_condition_.reached()) return Done{};
  const Epochs& epochs = options_.maker.epochs;
  Result<std::unique_ptr<SharedFolder>> shared =
      SharedFolder::open(options_.shared, lease_terms(store_.settings(), standings_), epochs, options_.tests);
  if (!shared.ok()) return shared.error();
  shared_ = std::move(shared).value();
  shared_epoch_ = epochs.of(store_.first_unfinished());
  return Done{};
}

bool Campaign::look_due() {
  std::lock_guard lock(mutex_);
  return shared_ && !looking_ && looked_.seconds() > std::chrono::duration<double>(StopCondition::kPolled).count();
}

// Stores what other processes gave back; false if there was nothing. One job does it at a time.
bool Campaign::take_results() {
  if (over() || !look_due()) return false;
  {
    std::lock_guard lock(mutex_);
    if (std::exchange(looking_, true)) return false;
  }
  bool any = false;
  if (Status taken = take_shared(any); !taken.ok()) fail(taken.error());
  std::lock_guard lock(mutex_);
  looking_ = false;
  if (!any) looked_ = {};
  return any;
}

Status Campaign::take_shared(bool& any) {
  const PhaseScope phase(Phase::kStore);
  const Epochs& epochs = options_.maker.epochs;
  if (Status alive = shared_->beat(); !alive.ok()) return alive;
  const auto begins = [&] { return epochs.begin(shared_epoch_); };
  for (; (!options_.tests || begins() < *options_.tests) && tables_->stand_for(begins()); ++shared_epoch_) {
    const auto make = [&]() -> Result<codec::Json> {
      const Result<std::optional<EpochTables::Held>> tables = tables_->tables_for(begins());
      if (!tables.ok()) return tables.error();
      return leased_tables(shared_epoch_, *tables.value());
    };
    if (Status put = shared_->put_tables(shared_epoch_, make); !put.ok()) return put;
  }
  Result<std::vector<Tested>> results = shared_->take([&](std::uint64_t test) { return store_.is_finished(test); });
  if (!results.ok()) return results.error();
  for (const Tested& tested : results.value()) {
    if (tested.valid)
      if (Status begun = begin(tested); !begun.ok()) return begun;
    if (Status recorded = record(tested); !recorded.ok()) return recorded;
  }
  any = !results.value().empty();
  return Done{};
}

}  // namespace jp::campaign
