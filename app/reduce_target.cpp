#include "app/reduce_target.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <utility>

#include "answers/findings.h"
#include "answers/steps.h"
#include "campaign/common/confirm.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "core/files.h"
#include "mutate/engine/engine.h"

namespace jp::app {
namespace {

Result<oracle::PlanOptions> plan_for(const ReduceSubject& options) {
  Result<std::string> backend = resolve_backend(options.backend);
  if (!backend.ok()) return backend.error();
  Result<oracle::PlanOptions> made = plan_options(options.judging);
  if (!made.ok()) return made.error();
  oracle::PlanOptions plan = std::move(made).value();
  plan.backend = backend.value();
  plan.switches = options.switches;
  if (options.against.empty()) return plan;
  Result<std::string> seed = read_file(options.against);
  if (!seed.ok()) return seed.error();
  plan.seed_text = seed.value();
  return plan;
}

/// The program of the file with the steps of --lineage made upon it.
Result<Program> program_of(const ReduceSubject& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok() || options.lineage.empty()) return program;
  Result<mutate::Parsed> base = mutate::parse(program.value());
  Result<std::string> text = read_file(options.lineage);
  if (!base.ok()) return base.error();
  if (!text.ok()) return text.error();
  Result<std::vector<std::string>> steps = answers::read_lineage(text.value());
  if (!steps.ok()) return Error{fmt::format("{}: {}", options.lineage, steps.error().message)};
  const answers::Replayed replayed = answers::replay_written(base.value(), steps.value());
  for (const answers::ReplayedStep& step : replayed.steps)
    if (!step.error.empty()) return Error{fmt::format("{}: {}", options.lineage, step.error)};
  return replayed.made.program();
}

/// A finding is judged as its plan says. The campaign is locked until the command ends.
Result<ReduceTarget> target_of_finding(const ReduceSubject& options) {
  if (!options.of_files.empty())
    return Error{fmt::format("a finding is reduced as it was found: leave out {}", fmt::join(options.of_files, ", "))};
  Result<std::string> folder = campaign_folder(options.campaign);
  if (!folder.ok()) return folder.error();
  auto store = report::Store::open(folder.value());
  if (!store.ok()) return store.error();
  Result<Finding> finding = report::load_finding(folder.value(), options.file);
  if (!finding.ok()) return finding.error();
  ReduceTarget target{finding.value().program, finding.value().plan.oracle, plan_options_of(finding.value().plan),
                      finding.value(),         std::move(store).value(),    folder.value()};
  if (!oracle::find_oracle(target.oracle))
    return Error{fmt::format("the finding was judged by the oracle '{}', which this version lacks", target.oracle)};
  return target;
}

/// "3f2a" is a finding, unless there is such a file.
bool names_finding(const ReduceSubject& options) {
  if (!options.campaign.empty()) return true;
  std::error_code error;
  return options.file.find_first_not_of("0123456789abcdef") == std::string::npos &&
         !std::filesystem::exists(options.file, error);
}

}  // namespace

Result<ReduceTarget> reduce_target(const ReduceSubject& options) {
  if (names_finding(options)) return target_of_finding(options);
  Result<Program> program = program_of(options);
  if (!program.ok()) return program.error();
  Result<oracle::PlanOptions> plan = plan_for(options);
  if (!plan.ok()) return plan.error();
  Result<std::vector<std::string>> oracles = chosen_oracles(options.judging, {});
  if (!oracles.ok()) return oracles.error();
  if (oracles.value().size() != 1) return Error{"a program is reduced under one --oracle: name that which diverges"};
  return ReduceTarget{program.value(), oracles.value().front(), plan.value(), {}, nullptr, ""};
}

}  // namespace jp::app
