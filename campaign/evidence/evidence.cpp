#include "campaign/evidence/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/confirm.h"
#include "campaign/common/python_query.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/cause.h"
#include "oracle/signature/signature.h"
#include "report/inputs.h"
#include "report/short_form.h"

namespace jp::campaign {
namespace {

/// One way to run a program.
struct Way {
  std::string name;
  std::string backend;
  std::map<std::string, std::string> options;  // keyword arguments of torch.compile
  std::vector<std::string> switches;           // of the backend: what they set is merged into the program's own options
};

/// An oracle whose compiled runs go another way.
class OtherWay final : public oracle::Oracle {
 public:
  OtherWay(const oracle::Oracle& inner, const Way& way) : inner_(inner), way_(way) {}
  std::string_view name() const override { return inner_.name(); }
  Plan plan(const Program& program, const oracle::PlanOptions& options) const override {
    Plan plan = inner_.plan(program, options);
    add(plan.runs);
    return plan;
  }
  oracle::Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    oracle::Judgement judgement = inner_.judge(plan, outcomes);
    add(judgement.wanted);
    return judgement;
  }

 private:
  void add(std::vector<RunRequest>& runs) const {
    for (RunRequest& run : runs) {
      if (!run.compiled) continue;
      for (const auto& [key, literal] : way_.options) run.options[key] = literal;
      run.switches.insert(run.switches.end(), way_.switches.begin(), way_.switches.end());
    }
  }
  const oracle::Oracle& inner_;
  const Way& way_;
};

bool on_ladder(const std::string& backend) {
  return std::find(ladder().begin(), ladder().end(), backend) != ladder().end();
}

report::Ablation measure(pyrunner::Runner& runner, const Finding& finding, const Way& way) {
  oracle::PlanOptions options = plan_options_of(finding.plan);
  options.backend = way.backend;
  const OtherWay oracle(need_oracle(finding.plan.oracle), way);
  const JudgedProgram judged = judge_alone(runner, oracle, finding.program, options);
  report::Ablation row{way.name, std::string(verdict_name(judged.verdict.kind)), "",
                       report::one_line(judged.verdict.reason), false};
  if (judged.verdict.kind != Verdict::Kind::kDiverge) return row;
  row.kind = judged.signature.kind;
  // On another rung the same fault has other frames: the kind is what can be compared.
  row.alike = row.kind == finding.signature.kind;
  return row;
}

std::string environment(pyrunner::Runner& runner) {
  return answer_of(runner,
                   "from torch.utils import collect_env\n\n\ndef program():\n"
                   "    return collect_env.get_pretty_env_info() + \"\\n\"\n");
}

std::optional<Finding> judged_alike(pyrunner::Runner& runner, const Finding& finding, const Program& program) {
  const JudgedProgram judged =
      judge_alone(runner, need_oracle(finding.plan.oracle), program, plan_options_of(finding.plan));
  if (judged.verdict.kind != Verdict::Kind::kDiverge ||
      !oracle::diverges_alike(judged.signature, oracle::current_signature(finding)))
    return std::nullopt;
  Finding plain = candidate(program, judged);
  plain.status = finding.status;
  plain.reproduced = finding.reproduced;
  plain.attempts = finding.attempts;
  plain.trials = finding.trials;
  return plain;
}

}  // namespace

std::optional<Finding> plain_form(pyrunner::Runner& runner, const Finding& finding, const Program& program) {
  if (std::optional<Program> looker = report::arguments_only(program)) {
    RunRequest request;
    request.role = "eager";
    request.gradients = false;
    const std::vector<Outcome> outcomes = runner.run(*looker, {request}, pyrunner::Isolation::kFresh);
    const auto* finished = std::get_if<Finished>(&outcomes.front().ending);
    const auto text = finished ? report::written_inputs(finished->observation, program.inputs()) : std::nullopt;
    const auto written = text ? report::with_inputs(program, *text) : std::nullopt;
    if (written)
      if (auto plain = judged_alike(runner, finding, *written)) return plain;
  }
  return judged_alike(runner, finding, program);
}

std::vector<report::Ablation> ablation(pyrunner::Runner& runner, const Finding& finding) {
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  std::vector<Way> ways;
  for (const std::string& rung : ladder()) ways.push_back({rung, rung, {}, {}});
  const std::string own = oracle::portable_backend(options.backend);
  if (!on_ladder(options.backend)) ways.push_back({own, options.backend, {}, {}});
  // Switches are names of the finding's own backend.
  if (!options.switches.empty()) ways = {{own, options.backend, {}, {}}};
  for (const char* dynamic : {"True", "False"})
    ways.push_back({fmt::format("{}, dynamic={}", own, dynamic), options.backend, {{"dynamic", dynamic}}, {}});
  std::vector<report::Ablation> rows;
  bool in_inductor = false;
  for (const Way& way : ways) {
    rows.push_back(measure(runner, finding, way));
    in_inductor = in_inductor || (way.name == "inductor" && rows.back().verdict == "diverge");
  }
  if (in_inductor)
    rows.push_back(
        measure(runner, finding, {"inductor, emulate_precision_casts", "inductor", {}, {"emulate_precision_casts"}}));
  return rows;
}

report::Evidence gather(pyrunner::Runner& runner, const Finding& finding, const std::optional<Program>& reduced) {
  report::Evidence evidence;
  evidence.of = (reduced ? *reduced : finding.program).sha256();
  evidence.torch = runner.info().torch;
  evidence.python = runner.info().python;
  if (reduced) evidence.plain = plain_form(runner, finding, *reduced);
  if (!evidence.plain) evidence.plain = plain_form(runner, finding, finding.program);
  const Finding& shown = evidence.plain ? *evidence.plain : finding;
  evidence.ablation = ablation(runner, shown);
  evidence.intermediate = first_wrong_value(runner, shown, Thorough::kFully);
  evidence.bisection = bisection(runner, shown);
  evidence.environment = environment(runner);
  return evidence;
}

}  // namespace jp::campaign
