// How a campaign goes on. Jobs (threads) share a counter of test numbers, the store and the tally, nothing else; each
// has a runner with its own warm process. A test is journaled before it runs. What a batch reports is run again alone;
// what stands then goes to the keeper.
//
// The end comes in one way, whether time is up or somebody asked: runs under way are given up. A test that was cut off
// has no verdict and is made again on --resume, a confirmation that was cut off leaves its candidate, which --resume
// confirms before it makes new tests.
//
// A test in which an invariant of ours breaks ends as `internal_error`; what it shares with others is left as it stood
// between two steps (locks and children belong to scopes), and the job takes the next number.
#include "app/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>

#include "app/attribute.h"
#include "app/command.h"
#include "app/epoch_tables.h"
#include "app/eyes.h"
#include "app/judging.h"
#include "app/keeper.h"
#include "app/lesson.h"
#include "app/promises.h"
#include "app/settings.h"
#include "app/until.h"
#include "app/version.h"
#include "report/store.h"

namespace jp::app {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

report::ReproducerOptions reproducer_options(const pyrunner::Runner& runner) {
  return {.version = JITPROBE_VERSION,
          .torch_version = runner.info().torch,
          .python_version = runner.info().python,
          .python_folder = runner.options().runtime_dir};
}

// What a test's verdict adds to the counts of rules: how often each decided, or settled something on the way.
void add_rules(const Verdict& verdict, report::Counts& counts) {
  std::set<std::string> fired = {verdict.rule};
  for (const Decision& decision : verdict.decisions) fired.insert(decision.rule);
  for (const Difference& weak : verdict.weak) fired.emplace(mismatch_name(weak.mismatch));
  for (const std::string& rule : fired) ++counts["rule:" + rule]["fired"];
  ++counts["rule:" + verdict.rule]["decided"];
}

report::Counts counts_of(const MakerCounts& made) {
  report::Counts counts;
  for (const auto& [id, count] : made.steps.mutations) {
    auto undone = made.steps.undone.find(id);
    counts["mutation:" + id] = {{"tried", count.tried},
                                {"applied", count.applied},
                                {"not_applicable", count.not_applicable},
                                {"unparsable", count.unparsable},
                                {"undone", undone == made.steps.undone.end() ? 0 : undone->second}};
  }
  counts["seeds"] = {{"made", made.seeds},
                     {"invalid", made.invalid_seeds},
                     {"masked", made.masked},
                     {"nothing_new", made.nothing_new}};
  return counts;
}

class Campaign {
 public:
  Campaign(const CampaignOptions& options, CampaignEvents& events, Until& until, report::Store& store)
      : options_(options), events_(events), until_(until), store_(store), seeds_(options.maker.doors) {}

  Result<Tally> run(std::unique_ptr<pyrunner::Runner> first);

 private:
  std::optional<std::uint64_t> next_number();
  std::optional<EpochTables::Held> await_tables(std::uint64_t number);
  void job(std::unique_ptr<pyrunner::Runner> runner);
  void work(pyrunner::Runner& runner);
  Status test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number);
  Status make_test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number, const Tables& tables);
  Status judge_test(pyrunner::Runner& runner, const TestCase& test, report::Counts counts);
  Status end_broken(TestMaker& maker, std::uint64_t number, const std::string& what);
  Status finish_kept(pyrunner::Runner& runner);
  Status too_many() const;
  void count(const Verdict& verdict);
  void count_seed(std::uint64_t number);
  void fail(const Error& error);
  void tell(const std::string& running);

  const CampaignOptions& options_;
  CampaignEvents& events_;
  Until& until_;
  report::Store& store_;
  std::optional<Keeper> keeper_;
  std::unique_ptr<EpochTables> tables_;
  InternalErrors broken_;

  std::mutex mutex_;  // of all that follows
  Tally tally_;
  std::optional<Error> failure_;
  std::uint64_t next_ = 0;
  SeedLog seeds_;
  Clock::time_point started_;
  double job_seconds_ = 0;
  double run_seconds_ = 0;
};

std::optional<std::uint64_t> Campaign::next_number() {
  std::lock_guard lock(mutex_);
  if (until_.reached() || failure_) return std::nullopt;
  if (options_.only) return next_++ == 0 ? options_.only : std::nullopt;
  // A resumed campaign skips what has a verdict: the numbers between are those that were under way when it ended.
  while (store_.is_finished(next_)) ++next_;
  if (options_.tests && next_ >= *options_.tests) return std::nullopt;
  return next_++;
}

// Until all tests have ended that a test's epoch learns from; nothing when the end comes before.
std::optional<EpochTables::Held> Campaign::await_tables(std::uint64_t number) {
  while (!until_.reached()) {
    auto tables = tables_->tables_for(number);
    if (!tables.ok()) fail(tables.error());
    if (!tables.ok()) return std::nullopt;
    if (tables.value()) return std::move(tables).value();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::nullopt;
}

void Campaign::count(const Verdict& verdict) {
  std::lock_guard lock(mutex_);
  switch (verdict.kind) {
    case Verdict::Kind::kRejected:
      ++tally_.rejected;
      return;
    case Verdict::Kind::kVacuous:
      ++tally_.vacuous;
      return;
    case Verdict::Kind::kUnstable:
      ++tally_.unstable;
      break;
    case Verdict::Kind::kDiverge:
      ++tally_.divergences;
      break;
    case Verdict::Kind::kAgree:
      if (verdict.rule == "eager_wrong") ++tally_.eager_wrong;
      break;
  }
  ++tally_.tests;
}

void Campaign::count_seed(std::uint64_t number) {
  const MakerOptions& maker = options_.maker;
  const Visit visit = visit_of(maker.doors, maker.draw_seeds, number, Choices(maker.seed).fork("test", number));
  std::lock_guard lock(mutex_);
  seeds_.add(visit);
}

void Campaign::fail(const Error& error) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
}

void Campaign::tell(const std::string& running) {
  std::lock_guard lock(mutex_);
  tally_.seconds = seconds_since(started_);
  tally_.kept = keeper_->counts();
  tally_.seeds = seeds_.counts();
  tally_.internal_errors = broken_.all();
  events_.progress(tally_, running);
}

// What the campaign's earlier runs left. One whose reduction breaks us stays as it is, and the next comes.
Status Campaign::finish_kept(pyrunner::Runner& runner) {
  if (options_.only) return Done{};
  const auto began = Clock::now();
  Status finished = Done{};
  const auto again = [&] { return broken_in([&] { finished = keeper_->finish_earlier(runner); }); };
  while (const std::optional<std::string> what = again()) {
    broken_.add({keeper_->at_work_on(), *what});
    if (broken_.too_many()) return too_many();
  }
  std::lock_guard lock(mutex_);
  run_seconds_ += seconds_since(began);
  return finished;
}

Status Campaign::too_many() const {
  const InternalErrorOf last = broken_.all().back();
  return Error{fmt::format("{} tests in a row broke an invariant of jitprobe's own; the last: {}; again with: {}",
                           InternalErrors::kMostInARow, last.what, replay_line(options_.folder, last.test))};
}

Status Campaign::test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number) {
  const std::optional<EpochTables::Held> tables = await_tables(number);
  if (!tables) return Done{};
  Status done = Done{};
  const std::optional<std::string> what = broken_in([&] {
    const CheckContext context(fmt::format("seed {}, test {}", options_.maker.seed, number));
    done = make_test(maker, runner, number, tables->tables());
  });
  if (what) return end_broken(maker, number, *what);
  broken_.passed();
  return done;
}

Status Campaign::end_broken(TestMaker& maker, std::uint64_t number, const std::string& what) {
  maker.take_counts();
  broken_.add({number, what});
  count_seed(number);
  {
    std::lock_guard lock(mutex_);
    events_.note(fmt::format("test {}: {}", number, what));
  }
  if (Status ended = store_.skip_test(number, kInternalError, what); !ended.ok()) return ended;
  return broken_.too_many() ? too_many() : Status{Done{}};
}

Status Campaign::make_test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number, const Tables& tables) {
  break_if_asked("make", number);
  std::optional<TestCase> made = maker.make(number, tables);
  const MakerCounts met = maker.take_counts();
  {
    std::lock_guard lock(mutex_);
    if (Status kept = keep_broken(options_.folder, number, met.steps.broken); !kept.ok()) return kept;
  }
  if (until_.reached()) return Done{};
  if (!made) {
    count_seed(number);
    {
      std::lock_guard lock(mutex_);
      ++tally_.rejected;
    }
    return store_.skip_test(number, "rejected", "", counts_of(met));
  }
  {
    std::lock_guard lock(mutex_);
    ++tally_.valid;
  }
  tell(fmt::format("test {} on {}", number, made->plan.backend));
  return judge_test(runner, *made, counts_of(met));
}

Status Campaign::judge_test(pyrunner::Runner& runner, const TestCase& test, report::Counts counts) {
  const oracle::Oracle& oracle = *test.oracle;
  if (Status begun = store_.begin_test(test.number, test.program, oracle.plan(test.program, test.plan)); !begun.ok())
    return begun;
  break_if_asked("judge", test.number);
  const auto diverges = [&](const Judged& judged) {
    return judged.verdict.kind == Verdict::Kind::kDiverge && !until_.reached();
  };
  Judged judged = judge(runner, oracle, test.program, test.plan, pyrunner::Isolation::kBatch);
  double seconds = judged.seconds;
  const Doors& doors = options_.maker.doors;
  LedgerRow row = lesson_of(test, doors[test.number % doors.size()]->name(), judged);
  if (diverges(judged)) {
    judged = judge_alone(runner, oracle, test.program, test.plan);
    seconds += judged.seconds;
  }
  const Verdict verdict = judged.verdict;
  auto began = Clock::now();
  if (diverges(judged)) judged = attribute(runner, oracle, test.program, test.plan, std::move(judged));
  if (until_.reached()) return Done{};
  if (diverges(judged))
    if (Status kept = keeper_->keep(runner, test, judged); !kept.ok()) return kept;
  if (verdict.kind == Verdict::Kind::kDiverge) seconds += seconds_since(began);
  count(verdict);
  {
    std::lock_guard lock(mutex_);
    run_seconds_ += seconds;
  }
  count_seed(test.number);
  enter_verdict(row, judged);
  add_rules(verdict, counts);
  if (Status learned = tables_->learn(test, std::move(row)); !learned.ok()) return learned;
  return store_.finish_test(test.number, verdict, counts);
}

void Campaign::work(pyrunner::Runner& runner) {
  auto began = Clock::now();
  if (Status finished = finish_kept(runner); !finished.ok()) fail(finished.error());
  TestMaker maker(options_.maker, runner);
  while (std::optional<std::uint64_t> number = next_number()) {
    if (Status done = test(maker, runner, *number); !done.ok()) fail(done.error());
    if (runner.failure()) fail(*runner.failure());
    tell("");
  }
  std::lock_guard lock(mutex_);
  job_seconds_ += seconds_since(began);
}

// What leaves a thread by an exception would end the process, and everything that other jobs do.
void Campaign::job(std::unique_ptr<pyrunner::Runner> runner) {
  try {
    if (const std::optional<std::string> what = broken_in([&] { work(*runner); })) fail({*what});
  } catch (const std::bad_alloc&) {
    fail({"this machine's memory is used up: go on with --resume and fewer --jobs"});
  } catch (const std::system_error& error) {
    fail({error.what()});
  }
}

Result<Tally> Campaign::run(std::unique_ptr<pyrunner::Runner> first) {
  const pyrunner::RunnerOptions settings = first->options();
  keeper_.emplace(
      options_, store_, until_, reproducer_options(*first), [this](const std::string& what) { tell(what); },
      [this](const Finding& finding) {
        std::lock_guard lock(mutex_);
        events_.finding(finding, finding.signature.id());
      });
  if (Status loaded = keeper_->load(); !loaded.ok()) return loaded.error();
  Result<std::unique_ptr<EpochTables>> tables = EpochTables::open(options_.maker, store_);
  if (!tables.ok()) return tables.error();
  tables_ = std::move(tables).value();
  const report::Ranges finished = store_.finished();
  for (const auto& [begin, end] : finished.runs())
    for (std::uint64_t number = begin; number < end; ++number) count_seed(number);
  std::vector<std::unique_ptr<pyrunner::Runner>> runners;
  runners.push_back(std::move(first));
  while (runners.size() < static_cast<std::size_t>(options_.jobs)) {
    auto runner = pyrunner::Runner::start(settings);
    if (!runner.ok()) return runner.error();
    runners.push_back(std::move(runner).value());
  }
  started_ = Clock::now();
  until_.start(options_.seconds);
  std::vector<std::thread> jobs;
  for (auto& runner : runners) jobs.emplace_back([this, &runner] { job(std::move(runner)); });
  for (std::thread& thread : jobs) thread.join();
  tally_.seconds = seconds_since(started_);
  tally_.own_share = job_seconds_ > 0 ? 1 - run_seconds_ / job_seconds_ : 0;
  tally_.reduce_share = job_seconds_ > 0 ? keeper_->counts().reduce_seconds / job_seconds_ : 0;
  if (failure_) return *failure_;
  tally_.kept = keeper_->counts();
  tally_.seeds = seeds_.counts();
  tally_.internal_errors = broken_.all();
  return tally_;
}

}  // namespace

Result<Tally> run_campaign(const CampaignOptions& options, report::Store& store, CampaignEvents& events,
                           const std::atomic<bool>& stop) {
  events.note(fmt::format("seed {}; campaign in {}", options.maker.seed, options.folder));
  events.note("starting a warm process and testing the eyes");
  Until until(stop);
  pyrunner::RunnerOptions settings = options.runner;
  settings.given_up = [&until] { return until.reached(); };
  auto runner = pyrunner::Runner::start(std::move(settings));
  if (!runner.ok()) return runner.error();
  const pyrunner::WorkerInfo info = runner.value()->info();
  if (Status same = same_torch(store, info.torch); !same.ok()) return same.error();
  const std::string blind = blind_eyes(test_eyes(*runner.value(), options.maker.backends));
  if (!blind.empty() && !until.reached())
    return Error{fmt::format("not every failure would be seen, so nothing is fuzzed: {} (see jitprobe doctor)", blind)};
  // The slowest backend sets the limit for all.
  const auto& backends = options.maker.backends;
  bool inductor = std::find(backends.begin(), backends.end(), "inductor") != backends.end();
  pyrunner::Limits limits = pyrunner::measure(*runner.value(), inductor ? "inductor" : backends.front());
  runner.value()->set_limits(limits);
  events.note(fmt::format("torch {}, {}, limit {:.0f} s a run", info.torch,
                          plural(static_cast<std::uint64_t>(options.jobs), "job"), limits.seconds));
  CampaignOptions ready = options;
  for (const std::string& name : backends) {
    auto backend = runner.value()->backend(name);
    if (!backend.ok() && !until.reached()) return backend.error();
    if (backend.ok()) ready.maker.switches[name] = backend.value().switches;
  }
  return Campaign(ready, events, until, store).run(std::move(runner).value());
}

}  // namespace jp::app
