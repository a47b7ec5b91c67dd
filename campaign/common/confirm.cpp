#include "campaign/common/confirm.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <utility>

#include "campaign/common/attribute.h"
#include "campaign/common/device.h"
#include "campaign/common/phases.h"
#include "campaign/common/plain_compiler.h"
#include "core/version.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
oracle::PlanOptions plan_options_of(const Plan& plan) {
  auto compiled = std::find_if(plan.runs.begin(), plan.runs.end(),
                               [](const RunRequest& run) { return run.compiled || !run.after.empty(); });
  JP_CHECK(compiled != plan.runs.end(), "a divergence of a plan that compiles nothing");
  oracle::PlanOptions options{.backend = compiled->compiled ? compiled->backend : compiled->after,
                              .gradients = compiled->gradients,
                              .threads = compiled->threads,
                              .memory_fill = compiled->memory_fill,
                              .fixed_addresses = compiled->fixed_addresses,
                              .depends_on = plan.depends_on,
                              .device = device_of(plan),
                              .report = plan.report};
  const oracle::Oracle* oracle = oracle::find_oracle(plan.oracle);
  // Control runs have switches, too.
  const bool has_switches = oracle && oracle->needs() == oracle::Needs::kSwitches;
  for (const RunRequest& run : plan.runs) {
    if (has_switches && options.switches.empty()) options.switches = run.switches;
    if (options.seed_text.empty()) options.seed_text = run.source;
  }
  return options;
}

bool hangs(const Finding& finding) {
  const std::vector<Difference>& differences = finding.verdict.differences;
  return !differences.empty() && differences.front().mismatch == Mismatch::kHang;
}

Finding candidate(const Program& program, const JudgedProgram& judged) {
  return {.program = program,
          .plan = judged.plan,
          .outcomes = judged.outcomes,
          .verdict = judged.verdict,
          .signature = judged.signature};
}

std::optional<JudgedProgram> still_diverges(pyrunner::Runner& runner, const oracle::Oracle& oracle,
                                            const Program& program, const oracle::PlanOptions& options) {
  const PhaseScope phase(Phase::kJudgeAlone);
  JudgedProgram judged = judge_alone(runner, oracle, program, options);
  if (runner.given_up() || judged.verdict.kind != Verdict::Kind::kDiverge) return std::nullopt;
  judged = attribute(runner, oracle, program, options, std::move(judged));
  if (runner.given_up()) return std::nullopt;
  return judged;
}

report::ReproducerOptions versions_of(const pyrunner::Runner& runner) {
  return {.version = JITPROBE_VERSION,
          .torch_version = runner.info().torch,
          .python_version = runner.info().python,
          .python_folder = runner.options().runtime_dir};
}

pyrunner::Standalone standalone_for(const pyrunner::Runner& runner, const std::string& folder, const std::string& id) {
  return pyrunner::beside(runner.options(), fmt::format("{}/confirm-{}", folder, id));
}

Finding confirm(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Finding& candidate,
                const pyrunner::Standalone& standalone, const report::ReproducerOptions& versions) {
  const PhaseScope phase(Phase::kConfirm);
  const PlainCompiler plain(runner);  // a finding is the compiler's, not ours
  const auto given_up = [&] { return standalone.given_up && standalone.given_up(); };
  const oracle::PlanOptions options = plan_options_of(candidate.plan);
  Finding finding = candidate;
  const Signature expected = oracle::current_signature(candidate);
  // It takes a new interpreter about as long as the fresh runs take here, so it runs beside them.
  std::atomic<bool> needless = false;
  pyrunner::Standalone beside = standalone;
  beside.given_up = [&] { return needless || given_up(); };
  const std::shared_future<int> status =
      std::async(std::launch::async, [&, text = report::reproducer(candidate, versions)] {
        return pyrunner::run_standalone(beside, text);
      }).share();
  const struct Leaving {
    std::atomic<bool>& needless;
    ~Leaving() { needless = true; }
  } leaving{needless};
  // A program that only compiles slowly ends in its file, which has more time: each run here would take up its limit.
  const bool slow = hangs(candidate) && status.get() != 1 && !given_up();
  while (!slow && finding.attempts < kConfirmations && finding.reproduced == finding.attempts && !given_up()) {
    JudgedProgram again = judge_alone(runner, oracle, finding.program, options);
    ++finding.attempts;
    bool alike = again.verdict.kind == Verdict::Kind::kDiverge && oracle::diverges_alike(again.signature, expected);
    if (alike) ++finding.reproduced;
  }
  needless = finding.reproduced < kConfirmations;
  const bool shown = !needless && status.get() == 1;
  // A run that was cut off says nothing, neither for nor against the finding.
  if (given_up()) return candidate;
  finding.status = shown ? Finding::Status::kConfirmed : Finding::Status::kFlaky;
  return finding;
}

}  // namespace jp::campaign
