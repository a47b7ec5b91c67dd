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
  Result<std::optional<Tested>> tested = tester.test(number, tables.value()->tables(), begins);
  if (!tested.ok()) return tested.error();
  if (!tested.value()) return Done{};
  std::vector<Tested> results;
  results.push_back(*std::move(tested).value());
  return record(results);
}

Status Campaign::begin(const Tested& begun) {
  at_work_->say(fmt::format("test {} on {}", begun.number, backend_of(begun.plan)));
  const PhaseScope phase(Phase::kStore);
  return store_.begin_test(begun.number, *begun.program, begun.plan);
}

// Before its test has a verdict: a test that is made again is written again. Therefore it need not be synced.
Status Campaign::keep_program(const Tested& tested) const {
  if (options_.keep_programs.empty() || !tested.program) return Done{};
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

// Results of this process's jobs or of others, with one transaction and one sync of each file for all: what a test
// costs a driver bounds how many processes it can have. The verdicts are stored last: a test that has one is not made
// again.
Status Campaign::record(const std::vector<Tested>& results) {
  const PhaseScope phase(Phase::kStore);
  std::vector<TestPromises> promises;
  std::vector<const Case*> cases;
  std::vector<TestRecord> rows;
  std::vector<report::Store::MadeTest> made;
  for (const Tested& tested : results) {
    if (!tested.broken.empty()) continue;
    promises.push_back({tested.number, &tested.promises});
    made.push_back({.number = tested.number, .counts = &tested.counts});
    if (Status written = keep_program(tested); !written.ok()) return written;
    if (!tested.valid) continue;
    made.back() = {tested.number, &*tested.program, &tested.plan, &tested.verdict, &tested.counts};
    rows.push_back(tested.row);
    Result<std::vector<std::string>> seen = triager_->enter_known(tested.known, tested.number);
    if (!seen.ok()) return seen.error();
    made.back().sightings = std::move(seen).value();
    if (tested.open) cases.push_back(&*tested.open);
  }
  if (Status promised = keep_promises(promises); !promised.ok()) return promised;
  const Result<std::vector<OpenCases::Text>> kept = cases_->keep(cases);
  if (!kept.ok()) return kept.error();
  if (Status learnt = tables_->learn(std::move(rows)); !learnt.ok()) return learnt;
  // The text is what another process is asked.
  for (std::size_t i = 0; i < cases.size(); ++i) cases_->enter(*cases[i], pool_ ? kept.value()[i] : nullptr);
  // Before their tests have verdicts, so that no job begins with them.
  if (pool_)
    if (Status leased = lease_cases(); !leased.ok()) return leased;
  if (Status added = store_.add_tests(made); !added.ok()) return added;
  for (const Tested& tested : results)
    if (tested.broken.empty())
      count(tested);
    else if (Status ended = end_broken(tested); !ended.ok())
      return ended;
  return Done{};
}

Status Campaign::keep_promises(const std::vector<TestPromises>& tests) {
  std::lock_guard lock(promises_mutex_);
  return promises_->keep(tests);
}

Status Campaign::end_broken(const Tested& tested) {
  const InternalErrorOf error{tested.number, tested.broken};
  if (tested.skipped)
    broken_.skip(error);
  else
    broken_.add(error);
  {
    std::lock_guard lock(mutex_);
    events_.note(fmt::format("test {}: {}", tested.number, tested.broken));
  }
  const bool ended = store_.is_finished(tested.number);
  if (!ended) count_seed(tested.number);
  // A job has written it to the journal before; another process has none.
  if (!ended && tested.program)
    if (Status begun = store_.begin_test(tested.number, *tested.program, tested.plan); !begun.ok()) return begun;
  if (Status stored = ended ? store_.break_test(tested.number, kInternalError, tested.broken)
                            : store_.skip_test(tested.number, kInternalError, tested.broken);
      !stored.ok())
    return stored;
  if (broken_.too_many_skipped())
    return Error{fmt::format("{} tests in a row ended the processes that made them; the last: {}; here with: {}",
                             InternalErrors::kMostSkippedInARow, tested.broken,
                             replay_line(options_.folder, tested.number))};
  if (!broken_.too_many()) return Done{};
  return Error{fmt::format("{} tests in a row broke an invariant of jitprobe's own; the last: {}; again with: {}",
                           InternalErrors::kMostInARow, tested.broken, replay_line(options_.folder, tested.number))};
}

}  // namespace jp::campaign
