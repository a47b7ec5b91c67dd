#include "explore/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "answers/findings.h"
#include "answers/statistics.h"
#include "campaign/common/job_clocks.h"
#include "campaign/feedback/rule_statistics.h"
#include "campaign/feedback/test_log.h"
#include "codec/codec.h"
#include "explore/series.h"
#include "report/files.h"
#include "report/store.h"

namespace jp::explore {
namespace {

using codec::Json;
namespace fs = std::filesystem;

Result<Json> summary_json(const std::string& folder) {
  auto verdicts = report::count_verdicts(folder);
  if (!verdicts.ok()) return verdicts.error();
  Result<std::vector<report::FindingRow>> findings = report::list_findings(folder);
  if (!findings.ok()) return findings.error();
  Json json = {{"verdicts", Json::object()}, {"tests", 0}, {"under_way", 0}, {"unfinished", 0}};
  std::int64_t tests = 0;
  for (const auto& [verdict, count] : verdicts.value()) {
    if (verdict.empty()) {
      // A campaign that ended may leave tests that it had begun; --resume runs them first.
      json[is_written(folder) ? "under_way" : "unfinished"] = count;
      continue;
    }
    json["verdicts"][verdict] = count;
    tests += count;
  }
  json["tests"] = tests;
  for (const char* status : {"confirmed", "flaky", "candidate"})
    json[status] = std::count_if(findings.value().begin(), findings.value().end(),
                                 [&](const report::FindingRow& row) { return row.status == status; });
  return json;
}

/// After an answer that took a second, the folder is not looked at for so many: reading takes a quarter of the time.
constexpr int kRest = 3;

/// What changes with anything that the answer is made of: sizes and times of the files and of the findings' folders.
std::string state_of(const std::string& folder) {
  std::string state;
  std::error_code error;
  const auto add = [&](const fs::path& path) {
    const auto time = fs::last_write_time(path, error).time_since_epoch().count();
    const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
    state += fmt::format("{} {} {}\n", path.filename().string(), time, size);
  };
  for (const char* name : {"campaign.db", "campaign.db-wal", "findings"}) add(fs::path(folder) / name);
  add(campaign::test_log_file(folder));
  add(campaign::job_time_file(folder));
  std::vector<fs::path> findings;
  for (const auto& entry : fs::directory_iterator(fs::path(folder) / "findings", error))
    findings.push_back(entry.path());
  std::sort(findings.begin(), findings.end());
  for (const fs::path& finding : findings) add(finding);
  return state;
}

}  // namespace

bool is_written(const std::string& folder) { return report::is_locked(folder); }

Result<Json> overview_json(const std::string& folder) {
  Result<Json> summary = summary_json(folder);
  if (!summary.ok()) return summary;
  Result<Json> findings = answers::findings_json(folder);
  if (!findings.ok()) return findings;
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  Series series(rows.value());
  Result<std::vector<campaign::RuleStatistics>> shares =
      campaign::rule_statistics_of(folder, [&](const campaign::TestRecord& row) { series.add(row); });
  if (!shares.ok()) return shares.error();
  Result<answers::Counts> counts = report::read_counts(folder);
  if (!counts.ok()) return counts.error();
  Result<campaign::JobTime> time = campaign::load_job_time(folder);
  if (!time.ok()) return time.error();
  summary.value()["phases"] = to_json(time.value()).at("phases");
  return Json{{"name", folder},
              {"running", is_written(folder)},
              {"summary", std::move(summary).value()},
              {"findings", std::move(findings).value()},
              {"statistics", answers::statistics_json(shares.value(), counts.value())},
              {"series", series.json()}};
}

Overview::Overview(std::string folder) : folder_(std::move(folder)) {}
Overview::~Overview() = default;

Result<Json> Overview::get() {
  const std::lock_guard lock(mutex_);
  const auto begun = std::chrono::steady_clock::now();
  std::string state = begun < fresh_until_ ? state_ : state_of(folder_);
  if (!last_ || state != state_) {
    Result<Json> made = overview_json(folder_);
    if (!made.ok()) return made;
    last_ = std::make_unique<Json>(std::move(made).value());
    state_ = std::move(state);
    const auto now = std::chrono::steady_clock::now();
    fresh_until_ = now + kRest * (now - begun);
  }
  (*last_)["running"] = is_written(folder_);
  return *last_;
}

}  // namespace jp::explore
