// One test, made and judged: a pure function of the campaign's settings, the tables of its epoch and its number, but
// for the times that are measured. Which process does it, and when, doesn't matter; nothing of a campaign is written
// here.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/common/stop_condition.h"
#include "campaign/feedback/test_record.h"
#include "campaign/making/options.h"
#include "campaign/making/step.h"
#include "campaign/making/test_maker.h"
#include "campaign/triage/case.h"
#include "campaign/triage/seen.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/store.h"

namespace jp::campaign {

/// What came of a test.
struct Tested {
  std::uint64_t number = 0;
  /// The invariant of jitprobe's own that broke in it, in which case there is nothing else but what was run; "" if none
  /// did.
  std::string broken = "";
  /// It was not made, because processes ended in it; `broken` says so.
  bool skipped = false;
  /// Steps that changed in eager what they should not.
  std::vector<BrokenPromise> promises = {};
  report::Counts counts = {};
  /// Whether there was a program to judge; the rest is empty if not.
  bool valid = false;
  bool only_in_batch = false;  // it differed in a batch, and not alone
  Verdict verdict = {};
  TestRecord row = {};
  /// Sightings of known bugs that explain the divergence, or a part of it.
  std::vector<KnownSighting> known = {};
  /// What has to be decided of it.
  std::optional<Case> open = std::nullopt;
  /// What was run, as the journal has it; nothing if there was no program.
  std::optional<Program> program = std::nullopt;
  Plan plan = {};
};

/// All of it, and back. The row's text is that of the test log.
codec::Json to_json(const Tested& tested);
Result<Tested> read_tested(const codec::Json& json);

/// Says what a divergence is at once; nothing if the end came before.
using Look = std::function<std::optional<Seen>(const Divergence&, std::uint64_t test)>;

/// Makes and judges tests, with a runner of its own. One for each thread.
class Tester {
 public:
  /// All of them must outlive it.
  Tester(const MakerOptions& options, pyrunner::Runner& runner, Look look, const StopCondition& stop_condition)
      : options_(options),
        runner_(runner),
        look_(std::move(look)),
        stop_condition_(stop_condition),
        maker_(options, runner) {}

  /// The test of that number. `begin` is told of its program and plan before that runs. Nothing if the campaign's end
  /// came before the result: the test has to be made again. An Error only of `begin`'s.
  Result<std::optional<Tested>> test(std::uint64_t number, const Tables& tables,
                                     const std::function<Status(const Tested&)>& begin);

 private:
  Result<std::optional<Tested>> made_and_judged(std::uint64_t number, const Tables& tables,
                                                const std::function<Status(const Tested&)>& begin);
  bool judged(const TestCase& test, const Tables& tables, Tested& tested);
  /// Breaks an invariant if the faster g++ is at fault for what this test computes.
  void check_compiler(const TestCase& test, const JudgedProgram& judged);

  const MakerOptions& options_;
  pyrunner::Runner& runner_;
  const Look look_;
  const StopCondition& stop_condition_;
  TestMaker maker_;
  Tested begun_;  // what is run of the test under way
};

}  // namespace jp::campaign
