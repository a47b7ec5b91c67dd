#include "explore/report.h"

#include <vector>

#include "codec/codec.h"
#include "core/version.h"
#include "explore/campaigns.h"
#include "explore/overview.h"

namespace jp::explore {
namespace {

using codec::Json;

/// What a reader of a report looks at: recorded values are not among it, and are most of a finding's bytes.
Json without_outcomes(Json finding) {
  finding.erase("outcomes");
  if (finding.contains("evidence")) finding["evidence"].erase("plain");
  return finding;
}

}  // namespace

Result<Json> report_data(const std::string& folder, const std::string& id, std::size_t most) {
  Json data = {{"version", JITPROBE_VERSION}, {"campaign", nullptr}, {"findings", Json::array()}, {"left_out", 0}};
  std::vector<std::string> ids = {id};
  if (id.empty()) {
    Result<Json> overview = overview_json(folder);
    if (!overview.ok()) return overview;
    ids.clear();
    for (const Json& row : overview.value()["findings"]) ids.push_back(row["id"].get<std::string>());
    data["campaign"] = std::move(overview).value();
  }
  std::size_t size = codec::text(data).size();
  int left_out = 0;
  for (const std::string& one : ids) {
    Result<Json> finding = full_finding_json(folder, one);
    if (!finding.ok() && !id.empty()) return finding;
    const Json row = finding.ok() ? without_outcomes(std::move(finding).value()) : Json();
    const std::size_t more = codec::text(row).size();
    if (row.is_null() || size + more > most) {
      ++left_out;
      continue;
    }
    size += more;
    data["findings"].push_back(row);
  }
  data["left_out"] = left_out;
  return data;
}

}  // namespace jp::explore
