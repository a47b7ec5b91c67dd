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

/// Known bugs, and what a person has put aside. `fuzz` does not count known bugs as findings either.
bool is_aside(const answers::ListedFinding& finding) {
  return !finding.label.label.empty() || finding.row.status == status_name(Finding::Status::kKnown);
}

/// Each finding counts once: as "known", or by its status.
Json counted(const std::vector<answers::ListedFinding>& findings) {
  Json json = {{"confirmed", 0}, {"flaky", 0}, {"candidate", 0}, {"known", 0}};
  for (const answers::ListedFinding& finding : findings) {
    Json& count = json[is_aside(finding) ? "known" : finding.row.status];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  return json;
}

Result<Json> summary_json(const std::string& folder, const std::vector<answers::ListedFinding>& findings) {
  auto verdicts = report::count_verdicts(folder);
  if (!verdicts.ok()) return verdicts.error();
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
  json.update(counted(findings));
  return json;
}

/// The curve after each test, and what of it found what. Only what counts as a finding raises the curve.
struct Read {
  Json series;
  std::vector<campaign::RuleStatistics> shares;
};
Result<Read> read_tests(const std::string& folder, const std::vector<answers::ListedFinding>& findings) {
  std::vector<report::FindingRow> rows;
  for (const answers::ListedFinding& finding : findings)
    if (!is_aside(finding)) rows.push_back(finding.row);
  Series series(rows);
  Result<std::vector<campaign::RuleStatistics>> shares =
      campaign::rule_statistics_of(folder, [&](const campaign::TestRecord& row) { series.add(row); });
  if (!shares.ok()) return shares.error();
  return Read{series.json(), std::move(shares).value()};
}

/// After an answer that took a second, the folder is not looked at for so many: reading takes a quarter of the time.
constexpr int kRest = 3;

/// What changes with anything that the answer is made of: sizes and times of the files and of the findings' folders,
/// and whether some process writes them, which no file tells of a campaign that was killed.
std::string state_of(const std::string& folder) {
  std::string state = is_written(folder) ? "written\n" : "";
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
  Result<std::vector<answers::ListedFinding>> listed = answers::listed_findings(folder);
  if (!listed.ok()) return listed.error();
  Result<Json> summary = summary_json(folder, listed.value());
  if (!summary.ok()) return summary;
  Result<Read> tests = read_tests(folder, listed.value());
  if (!tests.ok()) return tests.error();
  Result<answers::Counts> counts = report::read_counts(folder);
  if (!counts.ok()) return counts.error();
  Result<campaign::JobTime> time = campaign::load_job_time(folder);
  if (!time.ok()) return time.error();
  summary.value()["phases"] = to_json(time.value()).at("phases");
  Json findings = Json::array();
  for (const answers::ListedFinding& finding : listed.value()) findings.push_back(answers::row_json(folder, finding));
  return Json{{"name", folder},
              {"running", is_written(folder)},
              {"summary", std::move(summary).value()},
              {"findings", std::move(findings)},
              {"statistics", answers::statistics_json(tests.value().shares, counts.value())},
              {"series", std::move(tests.value().series)}};
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
