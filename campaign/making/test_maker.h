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

/// Raised when the same settings and tables would give other tests. 2: backends and oracles have shares that are
/// learnt. 3: no mutation changes arguments that the program draws again. 4: a test on Inductor counts as ten; harvests
/// come in another order. 5: zeros at tensors of several shapes are bounds, not ranks. 6: no program is made to return
/// _version. 7: a program in which a call raises does not join the corpus. 8: what functions hold is state when the
/// promises of mutations are checked. 9: mutations have fewer sites, where they broke their promises.
inline constexpr int kMakerVersion = 12;

/// Whether eager finished every call, backward included.
bool all_calls_work(const Observation& observation);

struct MakerOptions {
  std::uint64_t seed = 0;
  /// Where seeds come from. Not empty.
  SeedSources seed_sources = {generated_source({})};
  /// Seeds of sources with an end are drawn at random, not taken in order.
  bool draw_seeds = false;
  /// Most mutation steps a program; 0 leaves seeds as they are.
  int mutations = 6;
  /// Backends to draw from, with their weights before anything is learnt. Not empty.
  std::vector<std::string> backends;
  std::vector<std::uint32_t> backend_weights;
  /// Oracles to draw from, evenly before anything is learnt. Not empty.
  std::vector<std::string> oracles = {"eager_vs_compiled"};
  /// By backend: the names that RunRequest::switches takes.
  std::map<std::string, std::vector<std::string>> switches;
  /// What every plan starts from: gradients, threads, device, weak classes to report.
  oracle::PlanOptions plan;
  /// Weights of the mutations in the draw; those not named have 1.
  mutate::Weights weights;
  /// The ranges of tests between which the feedback tables may change.
  Epochs epochs;
  /// No suppressions: what triggers known findings stays as frequent as it was.
  bool allow_known = false;
  /// What the torch that is tested lacks, as seedgen::GenerateOptions::without: the generated sources know it already.
  std::vector<std::string> without;
  /// Most mutation generations from a seed on, each made from the one before; with 1 every test starts from a seed.
  int depth = 4;
  /// Which mutants join the corpus.
  CorpusPolicy corpus_policy = CorpusPolicy::kAll;
};

/// The tables of a test's epoch, computed from earlier tests; each of them may be missing.
struct Tables {
  const Suppressions* suppressions = nullptr;
  const FeedbackState* feedback = nullptr;
};

/// What a test starts from: a seed, or an entry of the corpus.
struct Start {
  CorpusProgram mutant;
  int depth = 0;  // mutants from the seed to it
};

struct TestCase {
  std::uint64_t number = 0;
  Program program;
  const oracle::Oracle* oracle = nullptr;
  oracle::PlanOptions plan;
  Start start;
};

/// Counts collected while tests are made.
struct MakerCounts {
  StepCounts steps;
  std::int64_t seeds = 0;
  std::int64_t invalid_seeds = 0;  // eager did not finish all calls
  std::int64_t suppressed = 0;     // programs rejected by suppressions
};

/// One for each thread.
class TestMaker {
 public:
  TestMaker(const MakerOptions& options, pyrunner::Runner& runner);

  /// The test of that number under the tables of its epoch; nothing if its seed is not valid in eager (counted), or
  /// can't be judged by its oracle.
  std::optional<TestCase> make(std::uint64_t number, const Tables& tables = {});
  /// The counts since the last call.
  MakerCounts take_counts() { return std::exchange(counts_, {}); }

 private:
  const oracle::Oracle& oracle_of(const SeedSource& seed_source, const Choices& choices,
                                  const FeedbackState* feedback) const;
  oracle::PlanOptions plan_of(const oracle::Oracle& oracle, const Choices& choices,
                              const FeedbackState* feedback) const;
  /// The selected seed, or an entry of the corpus in its place. It is drawn again while suppressions reject it; of
  /// kDraws the one of the greatest weight is taken.
  Start start_of(const SeedSelection& selection, bool broken, const Choices& choices, const Tables& tables);
  /// A mutant of what the test starts from, made again while suppressions reject what the mutations brought in. What
  /// the oracle compares with its seed goes into `plan`.
  std::optional<Program> unsuppressed_mutant_of(const SeedSource& seed_source, const Start& start,
                                                const Choices& choices, const Tables& tables,
                                                oracle::PlanOptions* seed_in);
  /// One more step that breaks a rule, for sources whose seeds break none. Nothing if no rule can be broken in the
  /// program.
  std::optional<Program> broken_mutant_of(const Start& start, const Choices& choices);
  /// The start with what a profile run shows; nothing if eager does not finish all of its calls (counted).
  std::optional<Profiled> proven(const Start& start);
  /// With `reference`, only steps that must change nothing come after it is set.
  Profiled mutated(Profiled current, const Choices& choices, const Tables& tables, std::string* reference, int depth);
  /// A program that `splice` takes statements from: an entry of the corpus, else another seed. Only for some tests: it
  /// costs a profile run. Nothing if eager does not finish it.
  std::shared_ptr<const mutate::Donor> donor_of(const SeedSource& seed_source, const Choices& choices,
                                                const FeedbackState* feedback);
  /// The mutation weights of the next step.
  mutate::Weights weights_for(const Profiled& current, const mutate::Weights& on, const FeedbackState* feedback) const;

  const MakerOptions& options_;
  pyrunner::Runner& runner_;
  MissingFunctions missing_;
  MakerCounts counts_;
};

}  // namespace jp::campaign
