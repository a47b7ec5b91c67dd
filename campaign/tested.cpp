#include "campaign/tested.h"

#include <fmt/format.h>

#include <utility>

#include "campaign/common/both_compilers.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/phases.h"
#include "campaign/feedback/test_log.h"
#include "campaign/hunt.h"
#include "campaign/making/record_test.h"
#include "campaign/making/test_counts.h"
#include "core/check.h"

namespace jp::campaign {

Result<std::optional<Tested>> Tester::test(std::uint64_t number, const Tables& tables,
                                           const std::function<Status(const Tested&)>& begin) {
  Result<std::optional<Tested>> tested = std::optional<Tested>();
  begun_ = {.number = number};
  const std::optional<std::string> what = broken_in([&] {
    const CheckContext context(fmt::format("seed {}, test {}", options_.seed, number));
    tested = made_and_judged(number, tables, begin);
  });
  if (!what) return tested;
  maker_.take_counts();
  begun_.broken = *what;
  return std::optional(std::move(begun_));
}

Result<std::optional<Tested>> Tester::made_and_judged(std::uint64_t number, const Tables& tables,
                                                      const std::function<Status(const Tested&)>& begin) {
  break_if_asked("make", number);
  std::optional<TestCase> made;
  {
    const PhaseScope phase(Phase::kDraw);
    made = maker_.make(number, tables);
  }
  MakerCounts met = maker_.take_counts();
  if (stop_condition_.reached()) return std::optional<Tested>();
  Tested tested{.number = number, .counts = counts_of(met)};
  tested.promises = std::move(met.steps.broken);
  if (!made) return std::optional(std::move(tested));
  tested.program = made->program;
  tested.plan = made->oracle->plan(made->program, made->plan);
  begun_.program = tested.program;
  begun_.plan = tested.plan;
  if (Status begun = begin(tested); !begun.ok()) return begun.error();
  break_if_asked("judge", number);
  if (!judged(*made, tables, tested)) return std::optional<Tested>();
  return std::optional(std::move(tested));
}

// Whether it was judged to the end.
bool Tester::judged(const TestCase& test, const Tables& tables, Tested& tested) {
  tested.valid = true;
  Hunted hunted =
      hunt(runner_, test, options_.seed_sources[test.number % options_.seed_sources.size()]->name(), stop_condition_);
  if (stop_condition_.reached()) return false;
  tested.only_in_batch = hunted.only_in_batch;
  tested.verdict = std::move(hunted.verdict);
  tested.row = std::move(hunted.row);
  enter_verdict(tested.row, hunted.judged);
  if (hunted.judged.verdict.kind == Verdict::Kind::kDiverge) {
    std::optional<Seen> seen = look_({*test.oracle, test.plan, test.program, hunted.judged}, test.number);
    if (!seen) return false;
    tested.row.signature = seen->remembered.id();
    tested.known = std::move(seen->known);
    tested.open = std::move(seen->open);
  }
  check_compiler(test, hunted.judged);
  if (stop_condition_.reached()) return false;
  add_rules(tested.verdict, tested.counts);
  const TestLog::Options log{options_.seed, options_.epochs, options_.corpus_policy};
  static const std::set<std::string> kNone;
  const std::set<std::string>& buckets = tables.feedback ? tables.feedback->buckets : kNone;
  if (tested.row.verdict == "agree" && TestLog::wants_program(log, test.number, tested.row.buckets, buckets))
    add_program(tested.row, test, hunted.judged.outcomes);
  return true;
}

void Tester::check_compiler(const TestCase& test, const JudgedProgram& judged) {
  if (judged.verdict.kind != Verdict::Kind::kAgree || !checks_compiler(judged.plan, test.number)) return;
  const PhaseScope phase(Phase::kQuestions);
  const std::string role = differs_by_compiler(runner_, test.program, judged.plan);
  JP_CHECK(role.empty() || stop_condition_.reached(),
           "the run {} computes other bits with what makes compiling faster (--cxx, compat/savings.py) than without",
           role);
}

}  // namespace jp::campaign
