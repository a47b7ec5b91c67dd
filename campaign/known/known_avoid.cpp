#include "campaign/known/known_avoid.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/known/known_form.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/source.h"
#include "oracle/judge/verdicts.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

using Kind = UnderAvoid::Kind;

constexpr std::string_view kSwitch = "switch ";

/// An oracle whose compiled runs set one more configuration switch.
class WithSwitch final : public oracle::Oracle {
 public:
  WithSwitch(const oracle::Oracle& inner, std::string name) : inner_(inner), switch_(std::move(name)) {}
  std::string_view name() const override { return inner_.name(); }
  oracle::Sides sides() const override { return inner_.sides(); }
  Plan plan(const Program& program, const oracle::PlanOptions& options) const override {
    Plan plan = inner_.plan(program, options);
    throw_in(plan.runs);
    return plan;
  }
  oracle::Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    oracle::Judgement judgement = inner_.judge(plan, outcomes);
    throw_in(judgement.wanted);
    return judgement;
  }

 private:
  void throw_in(std::vector<RunRequest>& runs) const {
    for (RunRequest& run : runs)
      if (run.compiled && std::find(run.switches.begin(), run.switches.end(), switch_) == run.switches.end())
        run.switches.push_back(switch_);
  }
  const oracle::Oracle& inner_;
  const std::string switch_;
};

UnderAvoid read(const Program& program, JudgedProgram judged) {
  const Verdict& verdict = judged.verdict;
  const Kind other = verdict.kind == Verdict::Kind::kDiverge ? Kind::kDiverges : Kind::kUnjudged;
  return {verdict.kind == Verdict::Kind::kAgree ? Kind::kAgrees : other, verdict.reason, program, std::move(judged)};
}

// Whether two eager runs give the same, as eager and compiled ones are compared.
bool same_in_eager(const Program& program, const Outcome& one, const Outcome& other) {
  const oracle::Judgement judgement =
      oracle::judge_two_runs(one.ending, other.ending, oracle::dead_lines(program.source()));
  return judgement.wanted.empty() && judgement.verdict.kind != Verdict::Kind::kDiverge &&
         judgement.verdict.kind != Verdict::Kind::kRejected;
}

UnderAvoid under_switch(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, const std::string& name) {
  const Result<pyrunner::BackendInfo> backend = runner.backend(options.backend);
  if (!backend.ok()) return {Kind::kUnjudged, backend.error().message};
  const std::vector<std::string>& there = backend.value().switches;
  if (std::find(there.begin(), there.end(), name) == there.end())
    return {Kind::kUnjudged, fmt::format("{} has no switch '{}'", options.backend, name)};
  return read(program, judge_alone(runner, WithSwitch(oracle, name), program, options));
}

}  // namespace

UnderAvoid under_avoid(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                       const oracle::PlanOptions& options, const std::string& avoid) {
  if (avoid.starts_with(kSwitch)) return under_switch(runner, oracle, program, options, avoid.substr(kSwitch.size()));
  const Result<Program> changed = with_line(program, avoid);
  if (!changed.ok()) return {Kind::kUnjudged, changed.error().message};
  oracle::PlanOptions own = options;
  if (!own.seed_text.empty()) {
    const Result<std::string> seed = with_line(own.seed_text, avoid);
    if (!seed.ok()) return {Kind::kUnjudged, seed.error().message};
    own.seed_text = seed.value();
  }
  const UnderAvoid shown = read(changed.value(), judge_alone(runner, oracle, changed.value(), own));
  const RunRequest* request = oracle::plain_run(shown.judged.plan);
  const Outcome* with = request ? oracle::outcome_of(shown.judged.outcomes, request->role) : nullptr;
  if (shown.kind == Kind::kUnjudged || !with) return shown;
  const std::vector<Outcome> without = runner.run(program, {*request}, pyrunner::Isolation::kFresh);
  if (!same_in_eager(program, without.front(), *with))
    return {Kind::kUnjudged, fmt::format("the line '{}' changes what eager gives", avoid)};
  return shown;
}

bool stays_behind(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                  const oracle::PlanOptions& options, const std::string& avoid, const Signature& signature) {
  JudgedProgram judged;
  if (avoid.starts_with(kSwitch)) {
    judged = judge(runner, WithSwitch(oracle, avoid.substr(kSwitch.size())), program, options,
                   pyrunner::Isolation::kFresh, Eagerness::kByNeed);
  } else {
    const Result<Program> changed = with_line(program, avoid);
    if (!changed.ok()) return false;
    judged = judge(runner, oracle, changed.value(), options, pyrunner::Isolation::kFresh, Eagerness::kByNeed);
  }
  return judged.verdict.kind == Verdict::Kind::kDiverge && oracle::diverges_alike(judged.signature, signature);
}

}  // namespace jp::campaign
