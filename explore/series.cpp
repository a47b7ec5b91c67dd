#include "explore/series.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "campaign/feedback/test_log.h"
#include "codec/codec.h"
#include "report/store.h"

namespace jp::explore {
namespace {

using codec::Json;

constexpr std::size_t kMostPoints = 200;

struct Point {
  double second = 0;
  std::int64_t tests = 0;
  std::int64_t diverging = 0;
  std::int64_t findings = 0;
  std::int64_t buckets = 0;
  std::int64_t graph_breaks = 0;
  std::int64_t recompiles = 0;
};

Json json_of(const Point& point) {
  return {{"second", point.second},        {"tests", point.tests},     {"diverging", point.diverging},
          {"findings", point.findings},    {"buckets", point.buckets}, {"graph_breaks", point.graph_breaks},
          {"recompiles", point.recompiles}};
}

/// How many findings each test was the first to meet.
std::map<std::uint64_t, std::int64_t> first_tests(const std::string& folder) {
  std::map<std::uint64_t, std::int64_t> firsts;
  const Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return firsts;
  for (const report::FindingRow& row : rows.value()) ++firsts[row.first_test];
  return firsts;
}

/// Tests that were run again have two rows; the first one counts.
std::vector<Point> points_of(const std::string& folder) {
  std::vector<Point> points;
  std::set<std::uint64_t> seen;
  const std::map<std::uint64_t, std::int64_t> firsts = first_tests(folder);
  std::set<std::string> buckets;
  Point now;
  campaign::read_test_log(folder, [&](const campaign::TestRecord& row) {
    if (!seen.insert(row.test).second) return;
    buckets.insert(row.buckets.begin(), row.buckets.end());
    ++now.tests;
    now.second += row.seconds;
    now.diverging += row.verdict == "diverge";
    now.findings += firsts.contains(row.test) ? firsts.at(row.test) : 0;
    now.buckets = static_cast<std::int64_t>(buckets.size());
    now.graph_breaks += row.graph_breaks;
    now.recompiles += row.recompiles;
    points.push_back(now);
  });
  return points;
}

}  // namespace

Json series_json(const std::string& folder) {
  const std::vector<Point> points = points_of(folder);
  Json rows = Json::array();
  const std::size_t shown = std::min(points.size(), kMostPoints);
  for (std::size_t i = 1; i <= shown; ++i) rows.push_back(json_of(points[i * points.size() / shown - 1]));
  return rows;
}

}  // namespace jp::explore
