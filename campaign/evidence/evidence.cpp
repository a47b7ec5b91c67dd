#include "campaign/evidence/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/changed_runs.h"
#include "campaign/common/confirm.h"
#include "campaign/common/python_query.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/cause.h"
#include "oracle/signature/signature.h"
#include "report/inputs.h"
#include "report/short_form.h"

namespace jp::campaign {
namespace {

/// One compile configuration.
struct CompileConfiguration {
  std::string name;
  std::string backend;
  std::map<std::string, std::string> options;  // keyword arguments of torch.compile
  std::vector<std::string> switches;           // of the backend: merged into the program's own options
};

bool on_ladder(const std::string& backend) {
  return std::find(ladder().begin(), ladder().end(), backend) != ladder().end();
}

report::Ablation measure(pyrunner::Runner& runner, const Finding& finding, const CompileConfiguration& configuration) {
  oracle::PlanOptions options = plan_options_of(finding.plan);
  options.backend = configuration.backend;
  const ChangedRuns oracle(need_oracle(finding.plan.oracle), [&](RunRequest& run) {
    if (!run.compiled) return;
    for (const auto& [key, literal] : configuration.options) run.options[key] = literal;
    run.switches.insert(run.switches.end(), configuration.switches.begin(), configuration.switches.end());
  });
  const JudgedProgram judged = judge_alone(runner, oracle, finding.program, options);
  report::Ablation row{configuration.name, std::string(verdict_name(judged.verdict.kind)), "",
                       report::one_line(judged.verdict.reason), false};
  if (judged.verdict.kind != Verdict::Kind::kDiverge) return row;
  row.kind = judged.signature.kind;
  // On another backend the same fault has other stack frames, so only the kind can be compared.
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
  std::vector<CompileConfiguration> configurations;
  for (const std::string& rung : ladder()) configurations.push_back({rung, rung, {}, {}});
  const std::string own = oracle::portable_backend(options.backend);
  if (!on_ladder(options.backend)) configurations.push_back({own, options.backend, {}, {}});
  // Switches are names of the finding's own backend.
  if (!options.switches.empty()) configurations = {{own, options.backend, {}, {}}};
  for (const char* dynamic : {"True", "False"})
    configurations.push_back(
        {fmt::format("{}, dynamic={}", own, dynamic), options.backend, {{"dynamic", dynamic}}, {}});
  std::vector<report::Ablation> rows;
  bool in_inductor = false;
  for (const CompileConfiguration& configuration : configurations) {
    rows.push_back(measure(runner, finding, configuration));
    in_inductor = in_inductor || (configuration.name == "inductor" && rows.back().verdict == "diverge");
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
  if (!evidence.plain) {
    // Of the reduced program nothing is known then: one that shows the finding again is to be measured anew.
    evidence.of = finding.program.sha256();
    evidence.plain = plain_form(runner, finding, finding.program);
  }
  const Finding& shown = evidence.plain ? *evidence.plain : finding;
  evidence.ablation = ablation(runner, shown);
  evidence.intermediate = first_wrong_value(runner, shown, Thorough::kFully);
  evidence.bisection = bisection(runner, shown);
  evidence.environment = environment(runner);
  return evidence;
}

}  // namespace jp::campaign
