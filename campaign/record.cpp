// A campaign's next test, and what is stored of it.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/jobs.h"
#include "campaign/making/test_counts.h"
#include "core/check.h"
#include "core/files.h"

namespace jp::campaign {

namespace {

std::string backend_of(const Plan& plan) {
  const auto compiled =
      std::find_if(plan.runs.begin(), plan.runs.end(), [](const RunRequest& run) { return run.compiled; });
  return compiled == plan.runs.end() ? "eager" : compiled->backend;
}

}  // namespace

void Campaign::count_seed(std::uint64_t number) {
  const MakerOptions& maker = options_.maker;
  const SeedSelection selection =
      selection_of(maker.seed_sources, maker.draw_seeds, number, Choices(maker.seed).fork("test", number));
  std::lock_guard lock(mutex_);
  seeds_.add(selection);
}

bool Campaign::test_next(pyrunner::Runner& runner, Tester& tester) {
  const std::optional<std::uint64_t> number = next_number();
  if (!number) return false;
  if (Status done = test(tester, *number); !done.ok()) fail(done.error());
  if (runner.failure()) fail(*runner.failure());
  std::lock_guard lock(mutex_);
  --making_;
  return true;
}

Status Campaign::test(Tester& tester, std::uint64_t number) {
  const Result<std::optional<EpochTables::Held>> tables = tables_->tables_for(number);
  if (!tables.ok()) return tables.error();
  JP_CHECK(tables.value(), "the tables of test {} don't stand", number);
  const auto begins = [&](const Tested& begun) { return begin(begun); };
  const Result<std::optional<Tested>> tested = tester.test(number, tables.value()->tables(), begins);
  if (!tested.ok()) return tested.error();
  return tested.value() ? record(*tested.value()) : Status(Done{});
}

Status Campaign::begin(const Tested& begun) {
  at_work_->say(fmt::format("test {} on {}", begun.number, backend_of(begun.plan)));
  const PhaseScope phase(Phase::kStore);
  return store_.begin_test(begun.number, *begun.program, begun.plan);
}

Status Campaign::keep_promises(const std::vector<TestPromises>& tests) {
  std::lock_guard lock(promises_mutex_);
  return promises_->keep(tests);
}

// Before its test has a verdict: a test that is made again is written again. Therefore it need not be synced.
Status Campaign::keep_program(const Tested& tested) const {
  if (options_.keep_programs.empty() || !tested.program) return Done{};
  const PhaseScope phase(Phase::kStore);
  return write_scratch(fmt::format("{}/test_{}.py", options_.keep_programs, tested.number), tested.program->source());
}

void Campaign::count(const Tested& tested) {
  broken_.passed();
  count_seed(tested.number);
  std::lock_guard lock(mutex_);
  if (tested.valid) ++tally_.valid;
  if (!tested.valid) ++tally_.rejected;
  if (tested.only_in_batch) ++tally_.only_in_batch;
  if (tested.valid) add_verdict(tested.verdict, tally_);
}

// The verdict is stored last: a test that has one is not made again.
Status Campaign::record(const Tested& tested) {
  if (!tested.broken.empty()) return end_broken(tested);
  if (Status kept = keep_promises({{tested.number, &tested.promises}}); !kept.ok()) return kept;
  if (Status kept = keep_program(tested); !kept.ok()) return kept;
  count(tested);
  if (!tested.valid) return store_.skip_test(tested.number, "rejected", "", tested.counts);
  return record_verdict(tested);
}

Status Campaign::record_verdict(const Tested& tested) {
  if (Status counted = triager_->count_known(tested.known, tested.number); !counted.ok()) return counted;
  const PhaseScope phase(Phase::kStore);
  if (tested.open)
    if (auto kept = cases_->keep({&*tested.open}); !kept.ok()) return kept.error();
  if (Status feedback = tables_->learn(tested.row); !feedback.ok()) return feedback;
  if (tested.open) cases_->enter(*tested.open);
  return store_.finish_test(tested.number, tested.verdict, tested.counts);
}

Status Campaign::end_broken(const Tested& tested) {
  broken_.add({tested.number, tested.broken});
  {
    std::lock_guard lock(mutex_);
    events_.note(fmt::format("test {}: {}", tested.number, tested.broken));
  }
  const bool ended = store_.is_finished(tested.number);
  if (!ended) count_seed(tested.number);
  if (Status stored = ended ? store_.break_test(tested.number, kInternalError, tested.broken)
                            : store_.skip_test(tested.number, kInternalError, tested.broken);
      !stored.ok())
    return stored;
  if (!broken_.too_many()) return Done{};
  return Error{fmt::format("{} tests in a row broke an invariant of jitprobe's own; the last: {}; again with: {}",
                           InternalErrors::kMostInARow, tested.broken, replay_line(options_.folder, tested.number))};
}

}  // namespace jp::campaign
