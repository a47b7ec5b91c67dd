#include "app/slips.h"

#include <fmt/format.h>

#include <set>

#include "app/attribute.h"
#include "app/confirm.h"
#include "app/judging.h"
#include "app/version.h"
#include "oracle/signature.h"
#include "report/reduced.h"
#include "report/reproducer.h"

namespace jp::app {
namespace {

// How the findings of a campaign look before they are reduced.
Result<std::set<std::string>> looks(const std::string& folder) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  std::set<std::string> ids;
  for (const report::FindingRow& row : rows.value()) {
    Result<Finding> finding = report::load_finding(folder, row.id);
    if (!finding.ok()) return finding.error();
    ids.insert(oracle::unrefined(finding.value().signature).id());
  }
  return ids;
}

}  // namespace

Status keep_slips(report::Store& store, const std::string& folder, const Finding& finding, pyrunner::Runner& runner,
                  const std::map<std::string, Program>& others, const std::function<void(const Finding&)>& kept) {
  const auto given_up = [&] { return runner.options().given_up && runner.options().given_up(); };
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions plan = plan_options_of(finding.plan);
  const std::string id = finding.signature.id();
  const report::Slip slip{id, report::load_slip(folder, id).depth + 1};
  const report::ReproducerOptions versions{.version = JITPROBE_VERSION,
                                           .torch_version = runner.info().torch,
                                           .python_version = runner.info().python,
                                           .python_folder = runner.options().runtime_dir};
  for (const auto& [met, program] : others) {
    Judged judged = judge_alone(runner, oracle, program, plan);
    if (given_up()) return Done{};
    if (judged.verdict.kind != Verdict::Kind::kDiverge) continue;
    judged = attribute(runner, oracle, program, plan, std::move(judged));
    if (given_up()) return Done{};
    const Finding found = candidate(program, judged);
    const std::string found_id = found.signature.id();
    Result<std::set<std::string>> known = looks(folder);
    if (!known.ok()) return known.error();
    if (known.value().contains(oracle::unrefined(found.signature).id())) continue;
    if (Status put = report::keep_slip(folder, found_id, slip); !put.ok()) return put;
    if (Result<bool> added = store.add_finding(found, report::kNoTest, versions); !added.ok()) return added.error();
    const pyrunner::Standalone standalone{.python = runner.options().python,
                                          .guard = runner.options().guard,
                                          .cache = runner.options().cache_dir,
                                          .folder = fmt::format("{}/confirm-{}", folder, found_id),
                                          .given_up = runner.options().given_up};
    const Finding confirmed = confirm(runner, oracle, found, standalone, versions);
    if (Result<bool> added = store.add_finding(confirmed, report::kNoTest, versions); !added.ok()) return added.error();
    kept(confirmed);
  }
  return Done{};
}

std::string slip_sentence(const Finding& finding) {
  return fmt::format("met on the way, and kept as a finding of its own: {} ({}): {}", finding.signature.id(),
                     status_name(finding.status), finding.verdict.reason);
}

}  // namespace jp::app
