#include "campaign/campaign.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "campaign/common/confirm.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/ticker.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/jobs.h"
#include "campaign/known/known_state.h"
#include "campaign/known/known_triggers.h"
#include "campaign/start.h"

namespace jp::campaign {
namespace {

// What the jobs say is shown this often. Chosen, not measured: short for a person.
constexpr std::chrono::milliseconds kBetweenShowing{500};

}  // namespace

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

void Campaign::fail(const Error& error) {
  std::lock_guard lock(mutex_);
  if (!failure_) failure_ = error;
  progressed_.notify_all();
}

bool Campaign::has_failed() {
  std::lock_guard lock(mutex_);
  return failure_.has_value();
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
  tally_.kept.waiting = cases_->waiting();
  tally_.studied_elsewhere = triager_->studied_elsewhere();
  tally_.seeds = seeds_.counts();
  tally_.internal_errors = broken_.all();
  tally_.time = clocks_->time();
}

// Whether reductions continue now that the tests have ended.
bool Campaign::wants_finish() {
  std::lock_guard lock(mutex_);
  if (failure_ || options_.only || options_.reduce == 0 || stop_condition_.asked()) return false;
  if (options_.finish) return *options_.finish;
  return options_.seconds && !stop_condition_.reached();
}

// Confirms and decides what can be, and reduces what is left to the end.
void Campaign::finish(pyrunner::Runner& runner) {
  const auto reduce = [&]() -> Status {
    while (!over()) {
      const Result<bool> reduced = triager_->reduce_deferred(runner, {});
      if (!reduced.ok()) return reduced.error();
      if (!reduced.value()) break;
    }
    return Done{};
  };
  while (decide_next(runner) || study_ahead(runner)) continue;
  if (Status finished = as_far_as_it_goes(reduce); !finished.ok()) fail(finished.error());
  if (runner.failure()) fail(*runner.failure());
}

void Campaign::guarded(const std::function<void()>& work) {
  if (const std::optional<Error> error = error_in(work)) fail(*error);
}

// Looks at what deferred reductions met; whether there was anything.
bool Campaign::keep_late() {
  bool any = false;
  const Status kept = as_far_as_it_goes([&]() -> Status {
    while (!over()) {
      const Result<bool> one = triager_->keep_late(*runners_.front());
      if (!one.ok()) return one.error();
      if (!one.value()) break;
      any = true;
    }
    return Done{};
  });
  if (!kept.ok()) fail(kept.error());
  return any;
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
  standings_ = announced(runners_, bugs, options_.folder, [this](const std::string& line) { events_.note(line); });
  triager_->know(bugs, standings_, runners_.front()->info().torch);
  if (stop_condition_.reached() || options_.maker.allow_known) return Done{};
  Result<std::vector<Features>> triggers = triggers_of(options_.known, standings_, options_.maker.backends);
  if (!triggers.ok()) return triggers.error();
  return tables_->know(std::move(triggers).value());
}

// Reads what the campaign has done before, and opens what its jobs share.
Status Campaign::load(Runners runners) {
  triager_.emplace(
      options_, store_, stop_condition_, versions_of(*runners.front()),
      [this](const std::string& what) { at_work_->say(what); },
      [this](const Finding& finding, const std::string& like) {
        const std::string title = title_of(options_.folder, finding);
        std::lock_guard lock(mutex_);
        events_.finding(finding, title, like);
      });
  if (Status loaded = triager_->load(); !loaded.ok()) return loaded.error();
  const auto ended = [this](std::uint64_t number) { return store_.is_finished(number); };
  Result<std::unique_ptr<OpenCases>> cases = OpenCases::open(options_.folder, ended);
  if (!cases.ok()) return cases.error();
  cases_ = std::move(cases).value();
  Result<BrokenPromises> promises = BrokenPromises::open(options_.folder, ended);
  if (!promises.ok()) return promises.error();
  promises_.emplace(std::move(promises).value());
  Result<std::unique_ptr<EpochTables>> tables = EpochTables::open(options_.maker, store_, [this] { return decided(); });
  if (!tables.ok()) return tables.error();
  tables_ = std::move(tables).value();
  const report::Ranges finished = store_.finished();
  for (const auto& [begin, end] : finished.runs())
    for (std::uint64_t number = begin; number < end; ++number) count_seed(number);
  runners_ = std::move(runners);
  if (Status known = know(); !known.ok()) return known.error();
  if (Status opened = open_pool(); !opened.ok()) return opened.error();
  Result<std::unique_ptr<JobClocks>> clocks = JobClocks::start(options_.folder, runners_.size());
  if (!clocks.ok()) return clocks.error();
  clocks_ = std::move(clocks).value();
  at_work_ = std::make_unique<JobsAtWork>(runners_.size());
  return Done{};
}

// Makes tests until the campaign's end is reached.
void Campaign::make_tests() {
  {
    std::optional<std::jthread> keeper;
    if (pool_) keeper.emplace([this] { guarded([this] { keep_results(); }); });
    side_by_side([this](std::size_t number) { job(*runners_[number], clocks_->of(number)); });
  }
  return_cases();
  // What follows is the driver's own work. The others wait for a campaign that failed: it may be resumed.
  if (pool_ && !has_failed())
    if (Status told = pool_->end(); !told.ok()) fail(told.error());
}

// Confirms what is left, and continues reductions to their end.
void Campaign::finish_all() {
  clocks_->enter_all(Phase::kFinish);
  if (options_.finish) stop_condition_.forget_time();
  guarded([&] {
    if (Status left = triager_->collect_left(false); !left.ok()) fail(left.error());
  });
  // What reductions met on their way is looked at in between, by one job, and may be reduced in turn.
  for (bool more = true; more && !over();) {
    more = false;
    side_by_side([this](std::size_t number) { finish(*runners_[number]); });
    guarded([&] { more = keep_late(); });
  }
}

Result<Tally> Campaign::run(Runners runners) {
  if (Status loaded = load(std::move(runners)); !loaded.ok()) return loaded.error();
  started_ = {};
  stop_condition_.start(options_.seconds);
  testing_ = runners_.size();
  std::optional<Ticker> ticker(std::in_place, kBetweenShowing, [this] { show(); });
  make_tests();
  if (wants_finish()) finish_all();
  ticker.reset();
  if (Status kept = clocks_->keep(); !kept.ok()) fail(kept.error());
  if (failure_) return *failure_;
  count_all();
  return tally_;
}

Result<Tally> run_campaign(const CampaignOptions& options, report::Store& store, CampaignEvents& events,
                           const std::atomic<bool>& stop, const OpenPool& open_pool) {
  StopCondition stop_condition(stop);
  CampaignOptions ready = options;
  Result<Runners> runners = ready_runners(ready, store, events, stop_condition);
  if (!runners.ok()) return runners.error();
  return Campaign(ready, events, stop_condition, store, open_pool).run(std::move(runners).value());
}

}  // namespace jp::campaign
