// Makes the tests of a campaign. Test number i is a pure function of (campaign seed, i, options) and of the facts that
// profile runs give; which thread makes it, and when, doesn't matter.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/feedback/guide.h"
#include "campaign/feedback/suppressions.h"
#include "campaign/feedback/test_log.h"
#include "campaign/making/step.h"
#include "campaign/sources/seed_source.h"
#include "core/choices.h"
#include "core/program.h"
#include "mutate/engine/donor.h"
#include "mutate/engine/engine.h"
#include "oracle/judge/oracle.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

/// Eager went through every call, and back.
bool all_calls_work(const Observation& observation);

struct MakerOptions {
  std::uint64_t seed = 0;
  /// Where seeds come from. Not empty.
  SeedSources seed_sources = {generated_source(20)};
  /// Seeds of doors with an end are drawn, not taken in order.
  bool draw_seeds = false;
  /// At most so many mutation steps a program; 0 leaves seeds as they are.
  int mutations = 6;
  /// Backends to draw from, with weights. Not empty.
  std::vector<std::string> backends;
  std::vector<std::uint32_t> backend_weights;
  /// Oracles to draw from, evenly. Not empty.
  std::vector<std::string> oracles = {"eager_vs_compiled"};
  /// By backend: the names that RunRequest::switches takes.
  std::map<std::string, std::vector<std::string>> switches;
  /// What every plan starts from: gradients, threads, device, weak classes to report.
  oracle::PlanOptions plan;
  /// Shares of the mutations in the draw; those not named have 1.
  mutate::Weights weights;
  /// Between which what has been learned changes.
  Epochs epochs;
  /// No masks: what triggers known findings stays as frequent as it was.
  bool allow_known = false;
  /// What generated seeds are drawn by.
  Guidance guidance = Guidance::kNone;
  /// Most variants from a seed on, each made from the one before; with 1 every test begins with a seed.
  int depth = 4;
  /// Which variants others begin with.
  CorpusPolicy corpus_policy = CorpusPolicy::kAll;
};

/// What earlier tests have taught, as the table of a test's epoch gives it; all of it may be missing.
struct Tables {
  const Suppressions* suppressions = nullptr;
  const GuideTable* guide = nullptr;
  const FeedbackState* feedback = nullptr;
};

/// What a test begins with: a seed, or a variant of one.
struct Start {
  CorpusProgram variant;
  int depth = 0;  // variants from the seed to it
};

struct TestCase {
  std::uint64_t number = 0;
  Program program;
  const oracle::Oracle* oracle = nullptr;
  oracle::PlanOptions plan;
  Start start;
};

/// What making tests met.
struct MakerCounts {
  StepCounts steps;
  std::int64_t seeds = 0;
  std::int64_t invalid_seeds = 0;  // eager did not go through all calls
  std::int64_t suppressed = 0;     // programs that the masks refused
  std::int64_t nothing_new = 0;    // programs that covered nothing new, and were dropped before they ran
};

/// One a thread.
class TestMaker {
 public:
  TestMaker(const MakerOptions& options, pyrunner::Runner& runner);

  /// The test of that number under the tables of its epoch; nothing when its seed is not valid in eager (counted), or
  /// can't be what its oracle judges.
  std::optional<TestCase> make(std::uint64_t number, const Tables& tables = {});
  /// What was met since this was last asked.
  MakerCounts take_counts() { return std::exchange(counts_, {}); }

 private:
  const oracle::Oracle& oracle_of(const SeedSource& seed_source, const Choices& choices) const;
  oracle::PlanOptions plan_of(const oracle::Oracle& oracle, const Choices& choices) const;
  /// The visitor's seed, or an earlier variant in its place. What is drawn is drawn again while the masks refuse it; of
  /// kDraws the one that they refuse least.
  Start start_of(const SeedSelection& visit, bool broken, const Choices& choices, const Tables& tables);
  /// A seed of that number in the draw, by the guide's table where there is one.
  Program drawn_seed(const SeedSource& seed_source, bool broken, const Choices& choices, std::uint64_t number,
                     const GuideTable* table);
  /// A mutant of what the test begins with, made again while the masks refuse what mutations brought in. What the
  /// oracle compares with its seed goes into `plan`.
  std::optional<Program> unsuppressed_mutant_of(const SeedSource& seed_source, const Start& start,
                                                const Choices& choices, const Tables& tables,
                                                oracle::PlanOptions* seed_in);
  /// One step more than what the test begins with, which breaks a rule: for doors whose seeds break none. Nothing when
  /// no rule can be broken in it.
  std::optional<Program> broken_mutant_of(const Start& start, const Choices& choices);
  /// A start with what a profile run shows; nothing when eager does not go through all of its calls (counted).
  std::optional<Profiled> proven(const Start& start);
  /// With `reference`, only steps that must change nothing come after it is set.
  Profiled mutated(Profiled current, const Choices& choices, const Tables& tables, std::string* reference, int depth);
  /// A program that `splice` takes statements from: an earlier variant, else another seed. Only for some tests: it
  /// costs a profile run. Nothing when eager does not go through it.
  std::shared_ptr<const mutate::Donor> donor_of(const SeedSource& seed_source, const Choices& choices,
                                                const FeedbackState* feedback);
  /// The shares of the next step.
  mutate::Weights weights_for(const Profiled& current, const mutate::Weights& on, const FeedbackState* feedback) const;

  const MakerOptions& options_;
  pyrunner::Runner& runner_;
  MakerCounts counts_;
};

}  // namespace jp::campaign
