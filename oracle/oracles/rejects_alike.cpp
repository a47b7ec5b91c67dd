// A program that breaks one rule on purpose: eager raises, and the compiler must also reject it, with a clean
// exception. A process that dies, an error of the compiler's own and a call that is accepted are differences; the class
// of a clean exception is weak.
#include <fmt/format.h>

#include <algorithm>

#include "oracle/judge/compare.h"
#include "oracle/judge/endings.h"
#include "oracle/judge/exceptions.h"
#include "oracle/judge/repetition.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle::rejects_alike_oracle {
namespace {

// Classes by which Dynamo passes on what a program does wrong; and torch's own check of a dimension, which eager's
// operators make as well: where a fake run makes it before the check that eager fails, the class is another one.
bool is_clean(const ExceptionRecord& raised) {
  constexpr std::string_view kClean[] = {"torch._dynamo.exc.TorchRuntimeError", "torch._dynamo.exc.Unsupported",
                                         "torch._dynamo.exc.UserError"};
  constexpr std::string_view kDimension[] = {"Dimension out of range", "Dimension specified as "};
  if (raised.type == "builtins.IndexError" &&
      std::any_of(std::begin(kDimension), std::end(kDimension),
                  [&](auto begins) { return raised.message.starts_with(begins); }))
    return true;
  return std::find(std::begin(kClean), std::end(kClean), raised.type) != std::end(kClean);
}

// The first call in which eager raises; -1 without one.
int first_raise(const Observation& eager) {
  for (std::size_t i = 0; i < eager.calls.size(); ++i)
    if (eager.calls[i].exception || eager.calls[i].backward_exception) return static_cast<int>(i);
  return -1;
}

// An error of the compiler's own where eager raised something else, and cleanly.
std::optional<Mark> internal_error(const Observation& eager, const Observation& compiled, int call) {
  const auto at = static_cast<std::size_t>(call);
  if (at >= compiled.calls.size()) return std::nullopt;
  const auto& expected = eager.calls[at].exception ? eager.calls[at].exception : eager.calls[at].backward_exception;
  const auto& raised =
      compiled.calls[at].exception ? compiled.calls[at].exception : compiled.calls[at].backward_exception;
  if (judge_raise(expected, raised) != Raise::kErrorClass) return std::nullopt;
  if (!raised->while_compiling || is_clean(*raised) || same_words(*expected, *raised)) return std::nullopt;
  const std::string where = compiled.calls[at].exception ? "call" : "backward";
  const std::string one = describe_exception(*expected);
  const std::string other = describe_exception(*raised);
  return Mark{.difference = {Mismatch::kCompilerError, call, where, one, other, {}, "exception"},
              .rule = "compiler_error",
              .sentence = fmt::format("{}: eager rejects the program with {}, the compiler fails with {}",
                                      place(call, where), one, other)};
}

class RejectsAlike final : public Oracle {
 public:
  std::string_view name() const override { return "rejects_alike"; }
  std::string_view says() const override {
    return "a program that breaks one rule on purpose: the compiler must refuse it as eager does";
  }
  Needs needs() const override { return Needs::kBroken; }

  Plan plan(const Program& program, const PlanOptions& options) const override {
    Plan plan = empty_plan(name(), program, options);
    plan.runs.push_back(eager_run("eager", options));
    if (options.full) plan.runs.push_back(eager_again(options));
    plan.runs.push_back(compiled_run("compiled", options));
    return plan;
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    const Runs runs(plan, outcomes);
    if (auto broken = judge_broken(runs)) return *broken;
    const Outcome* eager = runs.outcome("eager");
    if (!eager) return {{}, runs.missing()};
    if (auto verdict = judge_eager_ending(*eager)) return decided(*verdict);
    const Observation& expected = runs.finished("eager")->observation;
    const int call = first_raise(expected);
    if (call < 0)
      return decided(
          verdict_of(Verdict::Kind::kRejected, "not_broken", "eager accepts the program: no rule is broken in it"));
    if (auto judgement = judge_repetition(runs, sides())) return *judgement;
    const Outcome* compiled = runs.outcome("compiled");
    if (!compiled) return {{}, runs.missing()};
    if (auto verdict = judge_compiled_ending(*compiled, sides())) return decided(*verdict);
    if (auto verdict = judge_children(runs, sides())) return decided(*verdict);
    if (auto mark = internal_error(expected, runs.finished("compiled")->observation, call)) {
      if (auto wanted = runs.unanswered({again_request(runs, sides())}); !wanted.empty())
        return {{}, std::move(wanted)};
      Comparison comparison;
      comparison.add(std::move(*mark));
      return decided(conclude(std::move(comparison), plan, sides(), nullptr));
    }
    Judgement judgement = judge_pair(runs, sides());
    if (judgement.verdict.kind == Verdict::Kind::kAgree && judgement.verdict.rule == RuleName("both_raise").text())
      judgement.verdict.rule = RuleName("rejects_alike").str();
    return judgement;
  }
};

const Register<Oracle, RejectsAlike> registered;

}  // namespace
}  // namespace jp::oracle::rejects_alike_oracle
