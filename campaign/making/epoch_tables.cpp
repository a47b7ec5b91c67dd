#include "campaign/making/epoch_tables.h"

#include <utility>

#include "campaign/common/phases.h"

namespace jp::campaign {

Result<std::unique_ptr<EpochTables>> EpochTables::open(const MakerOptions& options, const report::Store& store,
                                                       std::function<std::uint64_t()> decided) {
  std::unique_ptr<EpochTables> tables(new EpochTables(options, store, std::move(decided)));
  Result<std::map<std::uint64_t, Suppressions>> suppressions = load_suppressions(store.folder());
  if (!suppressions.ok()) return suppressions.error();
  tables->suppressions_ = std::move(suppressions).value();
  const auto ended = [&store](std::uint64_t number) { return store.is_finished(number); };
  Result<TestLog> test_log =
      TestLog::open(store.folder(), {options.seed, options.epochs, options.corpus_policy}, ended);
  if (!test_log.ok()) return test_log.error();
  tables->test_log_.emplace(std::move(test_log).value());
  return tables;
}

Status EpochTables::know(std::vector<Features> triggers) {
  auto stored = load_known_triggers(store_.folder());
  if (!stored.ok()) return stored.error();
  std::lock_guard lock(mutex_);
  if (stored.value()) known_ = *std::move(stored).value();
  if (stored.value() || store_.finished().size() > 0) return Done{};
  if (Status kept = keep_known_triggers(store_.folder(), triggers); !kept.ok()) return kept;
  known_ = std::move(triggers);
  return Done{};
}

Result<const Suppressions*> EpochTables::suppressions_of_epoch(std::uint64_t epoch) {
  static const Suppressions kNone;
  const std::uint64_t lag = options_.epochs.lag();
  if (options_.allow_known || (epoch < lag && known_.empty())) return &kNone;
  if (auto kept = suppressions_.find(epoch); kept != suppressions_.end()) return &kept->second;
  const std::uint64_t border = epoch < lag ? 0 : options_.epochs.begin(epoch + 1 - lag);
  Result<std::vector<Trigger>> triggers = triggers_of(store_.folder(), options_.epochs, border);
  if (!triggers.ok()) return triggers.error();
  const Suppressions& made = suppressions_[epoch] = suppressions_of(triggers.value(), epoch, known_, lag);
  if (Status kept = keep_suppressions(store_.folder(), suppressions_); !kept.ok()) return kept.error();
  return &made;
}

bool EpochTables::stand_for(std::uint64_t number) const {
  const std::uint64_t epoch = options_.epochs.of(number);
  const std::uint64_t lag = options_.epochs.lag();
  if (epoch >= lag && decided_() < options_.epochs.begin(epoch + 1 - lag)) return false;
  return epoch < Epochs::kOpen || store_.first_unfinished() >= options_.epochs.begin(epoch + 1 - Epochs::kOpen);
}

Result<std::optional<EpochTables::Held>> EpochTables::tables_for(std::uint64_t number) {
  const PhaseScope phase(Phase::kStore);
  const std::uint64_t epoch = options_.epochs.of(number);
  std::lock_guard lock(mutex_);
  if (!stand_for(number)) return std::optional<Held>();
  Result<const Suppressions*> suppressions = suppressions_of_epoch(epoch);
  if (!suppressions.ok()) return suppressions.error();
  return std::optional(Held{suppressions.value(), test_log_->table(epoch)});
}

Status EpochTables::seal(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  const std::uint64_t epoch = options_.epochs.of(number);
  for (std::uint64_t later = epoch + 1; later < epoch + options_.epochs.lag(); ++later) {
    Result<const Suppressions*> sealed = suppressions_of_epoch(later);
    if (!sealed.ok()) return sealed.error();
  }
  return Done{};
}

Status EpochTables::learn(std::vector<TestRecord> rows) {
  std::lock_guard lock(mutex_);
  return test_log_->add(std::move(rows));
}

}  // namespace jp::campaign
