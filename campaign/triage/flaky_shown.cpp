#include "campaign/triage/flaky_shown.h"

#include <fmt/format.h>

#include "campaign/triage/flaky.h"
#include "codec/codec.h"
#include "report/short_form.h"
#include "report/store.h"

namespace jp::campaign {

Result<std::vector<Finding>> flaky_findings(const std::string& folder) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  std::vector<Finding> findings;
  for (const report::FindingRow& row : rows.value()) {
    if (row.status != status_name(Finding::Status::kFlaky)) continue;
    Result<Finding> finding = report::load_finding(folder, row.id);
    if (!finding.ok()) return finding.error();
    findings.push_back(std::move(finding).value());
  }
  return findings;
}

std::string flaky_text(const std::vector<Finding>& findings) {
  if (findings.empty()) return "";
  std::string text = "flaky, and no condition that was tried explains it:\n";
  for (const Finding& finding : findings) {
    text += fmt::format("  {} {} on {}: {}\n", finding.signature.id(), finding.signature.kind,
                        finding.signature.backend, report::one_line(finding.verdict.reason, 160));
    const std::string tried = finding.trials.empty() ? fmt::format("{} of {}", finding.reproduced, finding.attempts)
                                                     : trials_text(finding.trials);
    text += fmt::format("    shown: {}\n", tried);
  }
  return text;
}

codec::Json flaky_json(const std::vector<Finding>& findings) {
  codec::Json rows = codec::Json::array();
  for (const Finding& finding : findings) {
    codec::Json trials = codec::Json::array();
    for (const Trial& trial : finding.trials)
      trials.push_back(
          {{"condition", trial.condition}, {"reproduced", trial.reproduced}, {"attempts", trial.attempts}});
    rows.push_back({{"id", finding.signature.id()},
                    {"reproduced", finding.reproduced},
                    {"attempts", finding.attempts},
                    {"trials", std::move(trials)},
                    {"reason", finding.verdict.reason}});
  }
  return rows;
}

}  // namespace jp::campaign
