#include "campaign/epoch_tables.h"

#include "campaign/feedback/record_test.h"
#include "campaign/feedback/step_coverage.h"

namespace jp::campaign {

Result<std::unique_ptr<EpochTables>> EpochTables::open(const MakerOptions& options, const report::Store& store) {
  std::unique_ptr<EpochTables> tables(new EpochTables(options, store));
  Result<std::map<std::uint64_t, Masks>> masks = load_masks(store.folder());
  if (!masks.ok()) return masks.error();
  tables->masks_ = std::move(masks).value();
  const auto ended = [&store](std::uint64_t number) { return store.is_finished(number); };
  Result<Ledger> ledger = Ledger::open(store.folder(), {options.seed, options.epochs, options.accept}, ended);
  if (!ledger.ok()) return ledger.error();
  tables->ledger_.emplace(std::move(ledger).value());
  if (options.guidance == Guidance::kNone) return tables;
  Result<GuideLog> log = GuideLog::open(store.folder(), options.guidance, options.epochs, ended);
  if (!log.ok()) return log.error();
  tables->guide_.emplace(std::move(log).value());
  return tables;
}

Result<const Masks*> EpochTables::masks_of_epoch(std::uint64_t epoch) {
  static const Masks kNone;
  if (options_.allow_known || epoch < 2) return &kNone;
  if (auto kept = masks_.find(epoch); kept != masks_.end()) return &kept->second;
  Result<std::vector<Trigger>> triggers = triggers_of(store_.folder(), options_.epochs);
  if (!triggers.ok()) return triggers.error();
  const Masks& made = masks_[epoch] = masks_of(triggers.value(), epoch);
  if (Status kept = keep_masks(store_.folder(), masks_); !kept.ok()) return kept.error();
  return &made;
}

bool EpochTables::stand_for(std::uint64_t number) const {
  const std::uint64_t epoch = options_.epochs.of(number);
  return epoch < 2 || store_.first_unfinished() >= options_.epochs.begin(epoch - 1);
}

Result<std::optional<EpochTables::Held>> EpochTables::tables_for(std::uint64_t number) {
  const std::uint64_t epoch = options_.epochs.of(number);
  std::lock_guard lock(mutex_);
  if (!stand_for(number)) return std::optional<Held>();
  Result<const Masks*> masks = masks_of_epoch(epoch);
  if (!masks.ok()) return masks.error();
  return std::optional(Held{masks.value(), guide_ ? guide_->table(epoch) : nullptr, ledger_->table(epoch)});
}

Status EpochTables::learn(const TestCase& test, LedgerRow row) {
  const Seed& seed = test.program.lineage().seed;
  const bool guides = guide_ && seed.door == Seed::Door::kGenerated;
  std::vector<std::string> touched;
  if (guides) touched = touched_by(test.start.variant.seed, test.program.lineage().steps);
  std::lock_guard lock(mutex_);
  if (row.verdict == "agree" && ledger_->wants_program(row.test, row.buckets)) add_variant(row, test);
  if (guides)
    if (Status added = guide_->add({test.number, seed, row.buckets, std::move(touched)}); !added.ok()) return added;
  return ledger_->add(std::move(row));
}

}  // namespace jp::campaign
