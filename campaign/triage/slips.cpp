#include "campaign/triage/slips.h"

#include <fmt/format.h>

#include <set>

#include "campaign/common/confirm.h"
#include "campaign/common/judging.h"
#include "oracle/signature/signature.h"
#include "report/reduced.h"
#include "report/reproducer.h"

namespace jp::campaign {
namespace {

// The unreduced signatures of a campaign's findings.
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
                  const std::map<std::string, Program>& others, const std::function<void(const Finding&)>& kept,
                  const std::function<bool(const Program&, const JudgedProgram&)>& explained) {
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  const oracle::PlanOptions options = plan_options_of(finding.plan);
  const std::string id = finding.signature.id();
  const report::Slip slip{id, report::load_slip(folder, id).depth + 1};
  const report::ReproducerOptions versions = versions_of(runner);
  for (const auto& [met, program] : others) {
    const std::optional<JudgedProgram> judged = still_diverges(runner, oracle, program, options);
    if (runner.given_up()) return Done{};
    if (!judged || (explained && explained(program, *judged))) continue;
    const Finding found = candidate(program, *judged);
    const std::string found_id = found.signature.id();
    Result<std::set<std::string>> known = looks(folder);
    if (!known.ok()) return known.error();
    if (known.value().contains(oracle::unrefined(found.signature).id())) continue;
    if (Status put = report::keep_slip(folder, found_id, slip); !put.ok()) return put;
    if (Result<bool> added = store.add_finding(found, report::kNoTest, versions); !added.ok()) return added.error();
    const Finding confirmed = confirm(runner, oracle, found, standalone_for(runner, folder, found_id), versions);
    if (Result<bool> added = store.add_finding(confirmed, report::kNoTest, versions); !added.ok()) return added.error();
    kept(confirmed);
  }
  return Done{};
}

std::string slip_sentence(const Finding& finding) {
  return fmt::format("found during the reduction, stored as a finding of its own: {} ({}): {}", finding.signature.id(),
                     status_name(finding.status), finding.verdict.reason);
}

}  // namespace jp::campaign
