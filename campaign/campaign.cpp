// The main loop of a campaign. Jobs (threads) share a counter of test numbers, the store and the tally, nothing else;
// each has a runner with its own warm process. A test is journaled before it runs. What a batch reports is run again
// alone; what still diverges then goes to the triager. A job that has to wait for others continues deferred reductions.
//
// A campaign ends in one way, whether time is up or somebody asked for the end: runs under way are given up. A test
// that was cut off has no verdict and is made again on --resume; a confirmation that was cut off leaves its candidate,
// which --resume confirms before it makes new tests.
//
// A test in which an invariant of jitprobe breaks ends as `internal_error`; what it shares with others is left as it
// stood between two steps (locks and children belong to scopes), and the job takes the next number. If an invariant
// breaks in a reduction that no test waits for, the finding stays as it is stored.
#include "campaign/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "campaign/common/confirm.h"
#include "campaign/common/job_clocks.h"
#include "campaign/common/stop_condition.h"
#include "campaign/common/stopwatch.h"
#include "campaign/common/ticker.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/hunt.h"
#include "campaign/known/known_state.h"
#include "campaign/known/known_triggers.h"
#include "campaign/making/broken_promises.h"
#include "campaign/making/epoch_tables.h"
#include "campaign/making/record_test.h"
#include "campaign/making/test_counts.h"
#include "campaign/start.h"
#include "campaign/triage/triager.h"
#include "core/check.h"
#include "core/text.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

// What the jobs say is shown this often. Chosen, not measured: short for a person.
constexpr std::chrono::milliseconds kBetweenShowing{500};

class Campaign {
 public:
  Campaign(const CampaignOptions& options, CampaignEvents& events, StopCondition& stop_condition, report::Store& store)
      : options_(options),
        events_(events),
        stop_condition_(stop_condition),
        store_(store),
        seeds_(options.maker.seed_sources) {}

  Result<Tally> run(Runners runners);

 private:
  std::optional<std::uint64_t> next_number();
  std::optional<EpochTables::Held> await_tables(pyrunner::Runner& runner, std::uint64_t number);
  bool over();
  void bide(pyrunner::Runner& runner, const std::function<bool()>& enough);
  bool others_test();
  bool wants_finish();
  void finish(pyrunner::Runner& runner);
  void job(pyrunner::Runner& runner, PhaseClock& clock);
  void guarded(const std::function<void()>& work);
  void side_by_side(const std::function<void(std::size_t job)>& work);
  Status test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number);
  Status make_test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number, const Tables& tables);
  Status begin(const TestCase& test);
  Status judge_test(pyrunner::Runner& runner, const TestCase& test, report::Counts counts);
  Status end_broken(TestMaker& maker, std::uint64_t number, const std::string& what);
  Status know();
  Status finish_kept(pyrunner::Runner& runner);
  Status as_far_as_it_goes(const std::function<Status()>& work);
  void note_broken(const std::string& what);
  void count_seed(std::uint64_t number);
  void count(std::uint64_t Tally::*what);
  void fail(const Error& error);
  void show();
  void count_all();

  const CampaignOptions& options_;
  CampaignEvents& events_;
  StopCondition& stop_condition_;
  report::Store& store_;
  std::optional<Triager> triager_;
  std::unique_ptr<EpochTables> tables_;
  InternalErrors broken_;
  Runners runners_;                    // one a job
  std::unique_ptr<JobClocks> clocks_;  // from the first test on
  std::unique_ptr<JobsAtWork> at_work_;

  std::mutex mutex_;  // guards everything below
  Tally tally_;
  std::optional<Error> failure_;
  std::uint64_t next_ = 0;
  SeedLog seeds_;
  Stopwatch started_;                   // when the first test began
  std::size_t testing_ = 0;             // jobs that still have tests to make
  std::condition_variable test_ended_;  // or a job has no more tests
};

std::optional<std::uint64_t> Campaign::next_number() {
  std::lock_guard lock(mutex_);
  if (stop_condition_.reached() || failure_) return std::nullopt;
  if (options_.only) return next_++ == 0 ? options_.only : std::nullopt;
  // A resumed campaign skips tests that have a verdict; the numbers in between were under way when it ended.
  while (store_.is_finished(next_)) ++next_;
  if (options_.tests && next_ >= *options_.tests) return std::nullopt;
  return next_++;
}

// Waits until all tests have ended that a test's epoch learns from; nothing if the campaign ends first.
std::optional<EpochTables::Held> Campaign::await_tables(pyrunner::Runner& runner, std::uint64_t number) {
  while (!over()) {
    auto tables = tables_->tables_for(number);
    if (!tables.ok()) fail(tables.error());
    if (!tables.ok()) return std::nullopt;
    if (tables.value()) return std::move(tables).value();
    bide(runner, [&] { return over() || tables_->stand_for(number); });
  }
  return std::nullopt;
}

bool Campaign::over() {
  std::lock_guard lock(mutex_);
  return stop_condition_.reached() || failure_;
}

// What a job does while it waits for others: it continues a deferred reduction, or sleeps until a test has ended.
void Campaign::bide(pyrunner::Runner& runner, const std::function<bool()>& enough) {
  const PhaseScope phase(Phase::kIdle);
  const bool may = options_.reduce > 0 && !options_.only && options_.finish.value_or(true);
  Result<bool> reduced = false;
  if (may)
    if (const auto what = broken_in([&] { reduced = triager_->reduce_deferred(runner, enough); })) note_broken(*what);
  if (!reduced.ok()) fail(reduced.error());
  std::unique_lock lock(mutex_);
  if (!reduced.ok() || !reduced.value()) test_ended_.wait_for(lock, StopCondition::kPolled);
}

// For an error in work on stored findings: it cost no test.
void Campaign::note_broken(const std::string& what) {
  broken_.note({triager_->at_work_on(), what});
  std::lock_guard lock(mutex_);
  events_.note(what);
}

// Works on one finding after the other. One that breaks an invariant stays as it is, and the next one follows.
Status Campaign::as_far_as_it_goes(const std::function<Status()>& work) {
  Status done = Done{};
  while (const std::optional<std::string> what = broken_in([&] { done = work(); })) note_broken(*what);
  return done;
}

void Campaign::count_seed(std::uint64_t number) {
  const MakerOptions& maker = options_.maker;
  const SeedSelection selection =
      selection_of(maker.seed_sources, maker.draw_seeds, number, Choices(maker.seed).fork("test", number));
  std::lock_guard lock(mutex_);
  seeds_.add(selection);
}

void Campaign::count(std::uint64_t Tally::*what) {
  std::lock_guard lock(mutex_);
  ++(tally_.*what);
}

void Campaign::fail(const Error& error) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
  test_ended_.notify_all();
}

void Campaign::show() {
  if (Status kept = clocks_->keep_if_due(); !kept.ok()) fail(kept.error());
  std::lock_guard lock(mutex_);
  if (testing_ > 0) tally_.seconds = started_.seconds();
  count_all();
  events_.progress({tally_, at_work_->now()});
}

// Called under mutex_, or when no job runs.
void Campaign::count_all() {
  tally_.kept = triager_->counts();
  tally_.seeds = seeds_.counts();
  tally_.internal_errors = broken_.all();
  tally_.time = clocks_->time();
}

// Finishes what earlier runs of the campaign left.
Status Campaign::finish_kept(pyrunner::Runner& runner) {
  if (options_.only) return Done{};
  return as_far_as_it_goes([&] { return triager_->finish_earlier(runner); });
}

Status Campaign::test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number) {
  const std::optional<EpochTables::Held> tables = await_tables(runner, number);
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
  if (!broken_.too_many()) return Done{};
  return Error{fmt::format("{} tests in a row broke an invariant of jitprobe's own; the last: {}; again with: {}",
                           InternalErrors::kMostInARow, what, replay_line(options_.folder, number))};
}

Status Campaign::make_test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number, const Tables& tables) {
  break_if_asked("make", number);
  std::optional<TestCase> made;
  {
    const PhaseScope phase(Phase::kDraw);
    made = maker.make(number, tables);
  }
  const MakerCounts met = maker.take_counts();
  {
    std::lock_guard lock(mutex_);
    if (Status kept = keep_broken(options_.folder, number, met.steps.broken); !kept.ok()) return kept;
  }
  if (stop_condition_.reached()) return Done{};
  if (!made) {
    count_seed(number);
    count(&Tally::rejected);
    return store_.skip_test(number, "rejected", "", counts_of(met));
  }
  count(&Tally::valid);
  at_work_->say(fmt::format("test {} on {}", number, made->plan.backend));
  return judge_test(runner, *made, counts_of(met));
}

Status Campaign::begin(const TestCase& test) {
  const PhaseScope phase(Phase::kStore);
  return store_.begin_test(test.number, test.program, test.oracle->plan(test.program, test.plan));
}

Status Campaign::judge_test(pyrunner::Runner& runner, const TestCase& test, report::Counts counts) {
  if (Status begun = begin(test); !begun.ok()) return begun;
  break_if_asked("judge", test.number);
  const SeedSources& seed_sources = options_.maker.seed_sources;
  Hunted hunted = hunt(runner, test, seed_sources[test.number % seed_sources.size()]->name(), stop_condition_);
  if (hunted.only_in_batch) count(&Tally::only_in_batch);
  if (stop_condition_.reached()) return Done{};
  enter_verdict(hunted.row, hunted.judged);
  if (hunted.judged.verdict.kind == Verdict::Kind::kDiverge) {
    const auto kept = triager_->keep(runner, test, hunted.judged);
    if (!kept.ok()) return kept.error();
    // A divergence that was cut off before it had a triage decision is judged and entered by the next start.
    if (!kept.value()) return Done{};
    hunted.row.signature = kept.value()->id();
  }
  {
    std::lock_guard lock(mutex_);
    add_verdict(hunted.verdict, tally_);
  }
  count_seed(test.number);
  add_rules(hunted.verdict, counts);
  const PhaseScope phase(Phase::kStore);
  if (Status feedback = tables_->learn(test, std::move(hunted.row)); !feedback.ok()) return feedback;
  return store_.finish_test(test.number, hunted.verdict, counts);
}

void Campaign::job(pyrunner::Runner& runner, PhaseClock& clock) {
  const UseClock use(clock);
  if (Status finished = finish_kept(runner); !finished.ok()) fail(finished.error());
  TestMaker maker(options_.maker, runner);
  while (std::optional<std::uint64_t> number = next_number()) {
    if (Status done = test(maker, runner, *number); !done.ok()) fail(done.error());
    if (runner.failure()) fail(*runner.failure());
    test_ended_.notify_all();
    at_work_->say("");
  }
  {
    std::lock_guard lock(mutex_);
    if (--testing_ == 0) tally_.seconds = started_.seconds();
    test_ended_.notify_all();
  }
  while (!over() && others_test() && wants_finish()) bide(runner, [&] { return over() || !others_test(); });
  std::lock_guard lock(mutex_);
  for (const auto& [what, runs] : runner.broken()) tally_.broken[what] += runs;
  clock.enter(Phase::kIdle);
}

bool Campaign::others_test() {
  std::lock_guard lock(mutex_);
  return testing_ > 0;
}

// Whether reductions continue now that the tests have ended.
bool Campaign::wants_finish() {
  std::lock_guard lock(mutex_);
  if (failure_ || options_.only || options_.reduce == 0 || stop_condition_.asked()) return false;
  if (options_.finish) return *options_.finish;
  return options_.seconds && !stop_condition_.reached();
}

void Campaign::finish(pyrunner::Runner& runner) {
  const Status finished = as_far_as_it_goes([&] { return triager_->finish(runner); });
  if (!finished.ok()) fail(finished.error());
  if (runner.failure()) fail(*runner.failure());
}

void Campaign::guarded(const std::function<void()>& work) {
  if (const std::optional<Error> error = error_in(work)) fail(*error);
}

// Runs all jobs; returns when they have ended.
void Campaign::side_by_side(const std::function<void(std::size_t job)>& work) {
  std::vector<std::jthread> jobs;
  for (std::size_t job = 0; job < runners_.size(); ++job)
    jobs.emplace_back([&, job] {
      JobsAtWork::in(job);
      guarded([&] { work(job); });
    });
}

// Finds out which known bugs are there, and what is suppressed on account of them.
Status Campaign::know() {
  const std::vector<report::KnownBug>& bugs = options_.known.bugs;
  const std::vector<Standing> standings =
      announced(runners_, bugs, options_.folder, [this](const std::string& line) { events_.note(line); });
  triager_->know(bugs, standings, runners_.front()->info().torch);
  if (stop_condition_.reached() || options_.maker.allow_known) return Done{};
  Result<std::vector<Features>> triggers = triggers_of(options_.known, standings, options_.maker.backends);
  if (!triggers.ok()) return triggers.error();
  return tables_->know(std::move(triggers).value());
}

Result<Tally> Campaign::run(Runners runners) {
  triager_.emplace(
      options_, store_, stop_condition_, versions_of(*runners.front()),
      [this](const std::string& what) { at_work_->say(what); },
      [this](const Finding& finding, const std::string& like) {
        const std::string title = title_of(options_.folder, finding);
        std::lock_guard lock(mutex_);
        events_.finding(finding, title, like);
      });
  if (Status loaded = triager_->load(); !loaded.ok()) return loaded.error();
  Result<std::unique_ptr<EpochTables>> tables = EpochTables::open(options_.maker, store_);
  if (!tables.ok()) return tables.error();
  tables_ = std::move(tables).value();
  const report::Ranges finished = store_.finished();
  for (const auto& [begin, end] : finished.runs())
    for (std::uint64_t number = begin; number < end; ++number) count_seed(number);
  runners_ = std::move(runners);
  if (Status known = know(); !known.ok()) return known.error();
  Result<std::unique_ptr<JobClocks>> clocks = JobClocks::start(options_.folder, runners_.size());
  if (!clocks.ok()) return clocks.error();
  clocks_ = std::move(clocks).value();
  at_work_ = std::make_unique<JobsAtWork>(runners_.size());
  started_ = {};
  stop_condition_.start(options_.seconds);
  testing_ = runners_.size();
  std::optional<Ticker> ticker(std::in_place, kBetweenShowing, [this] { show(); });
  side_by_side([this](std::size_t number) { job(*runners_[number], clocks_->of(number)); });
  if (wants_finish()) {
    clocks_->enter_all(Phase::kFinish);
    if (options_.finish) stop_condition_.forget_time();
    guarded([&] {
      if (Status left = triager_->collect_left(); !left.ok()) fail(left.error());
    });
    side_by_side([this](std::size_t number) { finish(*runners_[number]); });
  }
  ticker.reset();
  if (Status kept = clocks_->keep(); !kept.ok()) fail(kept.error());
  if (failure_) return *failure_;
  count_all();
  return tally_;
}

}  // namespace

Result<Tally> run_campaign(const CampaignOptions& options, report::Store& store, CampaignEvents& events,
                           const std::atomic<bool>& stop) {
  StopCondition stop_condition(stop);
  CampaignOptions ready = options;
  Result<Runners> runners = ready_runners(ready, store, events, stop_condition);
  if (!runners.ok()) return runners.error();
  return Campaign(ready, events, stop_condition, store).run(std::move(runners).value());
}

}  // namespace jp::campaign
