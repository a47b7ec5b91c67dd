// How a campaign goes on. Jobs (threads) share a counter of test numbers, the store and the tally, nothing else; each
// has a runner with its own warm process. A test is journaled before it runs. What a batch reports is run again alone;
// what stands then goes to the keeper. A job that has to wait for others goes on with reductions that were put aside.
//
// The end comes in one way, whether time is up or somebody asked: runs under way are given up. A test that was cut off
// has no verdict and is made again on --resume, a confirmation that was cut off leaves its candidate, which --resume
// confirms before it makes new tests.
#include "app/campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "app/attribute.h"
#include "app/command.h"
#include "app/eyes.h"
#include "app/flaky.h"
#include "app/guide.h"
#include "app/handout.h"
#include "app/judging.h"
#include "app/keeper.h"
#include "app/known_state.h"
#include "app/lesson.h"
#include "app/masks.h"
#include "app/promises.h"
#include "app/touched.h"
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

class Campaign {
 public:
  Campaign(const CampaignOptions& options, CampaignEvents& events, Until& until, report::Store& store)
      : options_(options), events_(events), until_(until), store_(store), seeds_(options.maker.doors) {}

  Result<Tally> run(std::unique_ptr<pyrunner::Runner> first);

 private:
  std::optional<std::uint64_t> next_number();
  Result<const Masks*> masks_for(std::uint64_t number);
  bool can_learn_for(std::uint64_t epoch) const;
  const Masks* await_masks(pyrunner::Runner& runner, std::uint64_t number);
  bool await_epoch(pyrunner::Runner& runner, std::uint64_t number);
  bool over();
  bool learns_now(std::uint64_t number);
  void bide(pyrunner::Runner& runner, const std::function<bool()>& enough);
  bool others_test();
  bool wants_finish();
  void finish(pyrunner::Runner& runner);
  Status learn(const TestCase& test, LedgerRow row);
  void job(pyrunner::Runner& runner);
  void side_by_side(const std::function<void(pyrunner::Runner&)>& work);
  Status test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number);
  Status judge_test(pyrunner::Runner& runner, const TestCase& test);
  Status finish_kept(pyrunner::Runner& runner);
  Status store_counts(const MakerCounts& counts);
  Status store_rules();
  void count(const Verdict& verdict);
  void count_seed(std::uint64_t number);
  void fail(const Error& error);
  void tell(const std::string& running);

  const CampaignOptions& options_;
  CampaignEvents& events_;
  Until& until_;
  report::Store& store_;
  std::optional<Keeper> keeper_;
  std::vector<std::unique_ptr<pyrunner::Runner>> runners_;  // one a job

  std::mutex mutex_;  // of all that follows
  Tally tally_;
  std::optional<Error> failure_;
  std::uint64_t next_ = 0;
  SeedLog seeds_;
  std::map<std::uint64_t, Masks> masks_;  // by epoch; none is ever taken out
  std::optional<GuideLog> guide_;         // of a guided campaign
  std::optional<Ledger> ledger_;
  Clock::time_point started_;
  std::map<std::string, std::map<std::string, std::int64_t>> rules_;
  std::size_t testing_ = 0;  // jobs that have tests to make
  double job_seconds_ = 0;
  double run_seconds_ = 0;
};

std::optional<std::uint64_t> Campaign::next_number() {
  std::lock_guard lock(mutex_);
  if (until_.reached() || failure_) return std::nullopt;
  // A resumed campaign skips what has a verdict: the numbers between are those that were under way when it ended.
  while (store_.is_finished(next_)) ++next_;
  if (options_.tests && next_ >= *options_.tests) return std::nullopt;
  return next_++;
}

// Whether all tests have ended that an epoch learns from: those of epochs up to the last but one. Under mutex_.
bool Campaign::can_learn_for(std::uint64_t epoch) const {
  return epoch < 2 || store_.first_unfinished() >= options_.maker.epochs.begin(epoch - 1);
}

// The masks of a test's epoch, kept before they are first used; nullptr while tests that they depend on go on.
Result<const Masks*> Campaign::masks_for(std::uint64_t number) {
  static const Masks kNone;
  const std::uint64_t epoch = options_.maker.epochs.of(number);
  if (options_.maker.allow_known || epoch < 2) return &kNone;
  std::lock_guard lock(mutex_);
  if (auto kept = masks_.find(epoch); kept != masks_.end()) return &kept->second;
  if (!can_learn_for(epoch)) return nullptr;
  Result<std::vector<Trigger>> triggers = triggers_of(options_.folder, options_.maker.epochs);
  if (!triggers.ok()) return triggers.error();
  const Masks& made = masks_[epoch] = masks_of(triggers.value(), epoch);
  if (Status kept = keep_masks(options_.folder, masks_); !kept.ok()) return kept.error();
  return &made;
}

const Masks* Campaign::await_masks(pyrunner::Runner& runner, std::uint64_t number) {
  for (;;) {
    Result<const Masks*> masks = masks_for(number);
    if (!masks.ok()) fail(masks.error());
    if (!masks.ok() || over()) return nullptr;
    if (masks.value()) return masks.value();
    bide(runner, [&] { return over() || learns_now(number); });
  }
}

// Until all tests have ended that a test's epoch learns from; false when the end comes before.
bool Campaign::await_epoch(pyrunner::Runner& runner, std::uint64_t number) {
  while (!over()) {
    if (learns_now(number)) return true;
    bide(runner, [&] { return over() || learns_now(number); });
  }
  return false;
}

bool Campaign::over() {
  std::lock_guard lock(mutex_);
  return until_.reached() || failure_;
}

bool Campaign::learns_now(std::uint64_t number) {
  std::lock_guard lock(mutex_);
  return can_learn_for(options_.maker.epochs.of(number));
}

// What a job does that waits for others.
void Campaign::bide(pyrunner::Runner& runner, const std::function<bool()>& enough) {
  const auto began = Clock::now();
  const bool may = options_.reduce > 0 && options_.finish.value_or(true);
  Result<bool> reduced = may ? keeper_->reduce_aside(runner, enough) : Result<bool>(false);
  if (!reduced.ok()) fail(reduced.error());
  if (!reduced.ok() || !reduced.value()) return std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::lock_guard lock(mutex_);
  run_seconds_ += seconds_since(began);
}

// What a test was made of, how the compiler took it, and what a generated seed covered.
Status Campaign::learn(const TestCase& test, LedgerRow row) {
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

void Campaign::count(const Verdict& verdict) {
  std::lock_guard lock(mutex_);
  std::set<std::string> fired = {verdict.rule};
  for (const Decision& decision : verdict.decisions) fired.insert(decision.rule);
  for (const Difference& weak : verdict.weak) fired.emplace(mismatch_name(weak.mismatch));
  for (const std::string& rule : fired) ++rules_[rule]["fired"];
  ++rules_[verdict.rule]["decided"];
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

// How often each rule of judging decided a test, or settled something in it on the way.
Status Campaign::store_rules() {
  for (const auto& [rule, counts] : rules_)
    if (Status stored = store_.add_counts("rule:" + rule, counts); !stored.ok()) return stored;
  return Done{};
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
  events_.progress(tally_, running);
}

Status Campaign::finish_kept(pyrunner::Runner& runner) {
  const auto began = Clock::now();
  Status finished = keeper_->finish_earlier(runner);
  std::lock_guard lock(mutex_);
  run_seconds_ += seconds_since(began);
  return finished;
}

Status Campaign::test(TestMaker& maker, pyrunner::Runner& runner, std::uint64_t number) {
  CheckContext context(fmt::format("seed {}, test {}", options_.maker.seed, number));
  const Masks* masks = await_masks(runner, number);
  if (!masks) return Done{};
  if (!await_epoch(runner, number)) return Done{};
  std::shared_ptr<const GuideTable> guide;
  std::shared_ptr<const Learned> learned;
  {
    std::lock_guard lock(mutex_);
    const std::uint64_t epoch = options_.maker.epochs.of(number);
    learned = ledger_->table(epoch);
    if (guide_) guide = guide_->table(epoch);
  }
  std::optional<TestCase> made = maker.make(number, {masks, guide.get(), learned.get()});
  {
    std::lock_guard lock(mutex_);
    if (Status kept = keep_broken(options_.folder, number, maker.take_broken()); !kept.ok()) return kept;
  }
  if (until_.reached()) return Done{};
  if (!made) {
    count_seed(number);
    {
      std::lock_guard lock(mutex_);
      ++tally_.rejected;
    }
    return store_.skip_test(number, "rejected");
  }
  {
    std::lock_guard lock(mutex_);
    ++tally_.valid;
  }
  tell(fmt::format("test {} on {}", number, made->plan.backend));
  return judge_test(runner, *made);
}

Status Campaign::judge_test(pyrunner::Runner& runner, const TestCase& test) {
  const oracle::Oracle& oracle = *test.oracle;
  if (Status begun = store_.begin_test(test.number, test.program, oracle.plan(test.program, test.plan)); !begun.ok())
    return begun;
  const auto diverges = [&](const Judged& judged) {
    return judged.verdict.kind == Verdict::Kind::kDiverge && !until_.reached();
  };
  Judged judged = judge(runner, oracle, test.program, test.plan, pyrunner::Isolation::kBatch);
  double seconds = judged.seconds;
  const Doors& doors = options_.maker.doors;
  LedgerRow row = lesson_of(test, doors[test.number % doors.size()]->name(), judged);
  if (diverges(judged)) {
    judged = judge_again(runner, oracle, test.program, test.plan, judged);
    seconds += judged.seconds;
    std::lock_guard lock(mutex_);
    if (judged.verdict.kind == Verdict::Kind::kAgree && !until_.reached()) ++tally_.only_in_batch;
  }
  const Verdict verdict = judged.verdict;
  auto began = Clock::now();
  if (diverges(judged)) {
    const oracle::PlanOptions options = with_condition(test.plan, judged.plan);
    judged = attribute(runner, oracle, test.program, options, std::move(judged));
  }
  if (until_.reached()) return Done{};
  if (diverges(judged))
    if (Status kept = keeper_->keep(runner, test, judged); !kept.ok()) return kept;
  // What was cut off while it was told apart is to be kept again.
  if (until_.reached() && verdict.kind == Verdict::Kind::kDiverge) return Done{};
  if (verdict.kind == Verdict::Kind::kDiverge) seconds += seconds_since(began);
  count(verdict);
  {
    std::lock_guard lock(mutex_);
    run_seconds_ += seconds;
  }
  count_seed(test.number);
  enter_verdict(row, judged);
  if (Status learned = learn(test, std::move(row)); !learned.ok()) return learned;
  return store_.finish_test(test.number, verdict);
}

Status Campaign::store_counts(const MakerCounts& counts) {
  for (const auto& [id, count] : counts.steps.mutations) {
    auto undone = counts.steps.undone.find(id);
    Status stored =
        store_.add_counts("mutation:" + id, {{"tried", count.tried},
                                             {"applied", count.applied},
                                             {"not_applicable", count.not_applicable},
                                             {"unparsable", count.unparsable},
                                             {"undone", undone == counts.steps.undone.end() ? 0 : undone->second}});
    if (!stored.ok()) return stored;
  }
  return store_.add_counts("seeds", {{"made", counts.seeds},
                                     {"invalid", counts.invalid_seeds},
                                     {"masked", counts.masked},
                                     {"nothing_new", counts.nothing_new}});
}

void Campaign::job(pyrunner::Runner& runner) {
  auto began = Clock::now();
  if (Status finished = finish_kept(runner); !finished.ok()) fail(finished.error());
  TestMaker maker(options_.maker, runner);
  while (std::optional<std::uint64_t> number = next_number()) {
    if (Status done = test(maker, runner, *number); !done.ok()) fail(done.error());
    if (runner.failure()) fail(*runner.failure());
    tell("");
  }
  if (Status stored = store_counts(maker.counts()); !stored.ok()) fail(stored.error());
  {
    std::lock_guard lock(mutex_);
    --testing_;
  }
  while (!over() && others_test() && wants_finish()) bide(runner, [&] { return over() || !others_test(); });
  std::lock_guard lock(mutex_);
  for (const auto& [what, runs] : runner.broken()) tally_.broken[what] += runs;
  job_seconds_ += seconds_since(began);
}

bool Campaign::others_test() {
  std::lock_guard lock(mutex_);
  return testing_ > 0;
}

// Whether reductions go on now that the tests have ended.
bool Campaign::wants_finish() {
  std::lock_guard lock(mutex_);
  if (failure_ || options_.reduce == 0 || until_.asked()) return false;
  if (options_.finish) return *options_.finish;
  return options_.seconds && !until_.reached();
}

void Campaign::finish(pyrunner::Runner& runner) {
  if (Status finished = keeper_->finish(runner); !finished.ok()) fail(finished.error());
  if (runner.failure()) fail(*runner.failure());
}

// A job a runner; back when all have ended.
void Campaign::side_by_side(const std::function<void(pyrunner::Runner&)>& work) {
  std::vector<std::thread> jobs;
  for (const auto& runner : runners_) jobs.emplace_back([&work, &runner] { work(*runner); });
  for (std::thread& thread : jobs) thread.join();
}

Result<Tally> Campaign::run(std::unique_ptr<pyrunner::Runner> first) {
  const pyrunner::RunnerOptions settings = first->options();
  keeper_.emplace(
      options_, store_, until_, reproducer_options(*first), [this](const std::string& what) { tell(what); },
      [this](const Finding& finding, const std::string& like) {
        const std::string title = title_of(options_.folder, finding);
        std::lock_guard lock(mutex_);
        events_.finding(finding, title, like);
      });
  if (Status loaded = keeper_->load(); !loaded.ok()) return loaded.error();
  Result<std::map<std::uint64_t, Masks>> masks = load_masks(options_.folder);
  if (!masks.ok()) return masks.error();
  masks_ = std::move(masks).value();
  const auto ended = [this](std::uint64_t number) { return store_.is_finished(number); };
  const MakerOptions& maker = options_.maker;
  Result<Ledger> ledger = Ledger::open(options_.folder, {maker.seed, maker.epochs, maker.accept}, ended);
  if (!ledger.ok()) return ledger.error();
  ledger_.emplace(std::move(ledger).value());
  if (maker.guidance != Guidance::kNone) {
    Result<GuideLog> log = GuideLog::open(options_.folder, maker.guidance, maker.epochs, ended);
    if (!log.ok()) return log.error();
    guide_.emplace(std::move(log).value());
  }
  const report::Ranges finished = store_.finished();
  for (const auto& [begin, end] : finished.runs())
    for (std::uint64_t number = begin; number < end; ++number) count_seed(number);
  runners_.push_back(std::move(first));
  while (runners_.size() < static_cast<std::size_t>(options_.jobs)) {
    auto runner = pyrunner::Runner::start(settings);
    if (!runner.ok()) return runner.error();
    runners_.push_back(std::move(runner).value());
  }
  keeper_->know(
      options_.known,
      announced(runners_, options_.known, options_.folder, [this](const std::string& line) { events_.note(line); }),
      runners_.front()->info().torch);
  started_ = Clock::now();
  until_.start(options_.seconds);
  testing_ = runners_.size();
  side_by_side([this](pyrunner::Runner& runner) { job(runner); });
  tally_.seconds = seconds_since(started_);
  tally_.own_share = job_seconds_ > 0 ? 1 - run_seconds_ / job_seconds_ : 0;
  tally_.reduce_share = job_seconds_ > 0 ? keeper_->counts().reduce_seconds / job_seconds_ : 0;
  if (Status stored = store_rules(); !stored.ok()) fail(stored.error());
  if (wants_finish()) {
    if (options_.finish) until_.forget_time();
    if (Status left = keeper_->collect_left(); !left.ok()) fail(left.error());
    side_by_side([this](pyrunner::Runner& runner) { finish(runner); });
  }
  if (failure_) return *failure_;
  tally_.kept = keeper_->counts();
  tally_.seeds = seeds_.counts();
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
