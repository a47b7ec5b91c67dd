#include "explore/series.h"

#include <algorithm>

#include "codec/codec.h"

namespace jp::explore {
namespace {

constexpr std::size_t kMostPoints = 200;

}  // namespace

Series::Series(const std::vector<report::FindingRow>& findings) {
  for (const report::FindingRow& row : findings) ++firsts_[row.first_test];
}

void Series::add(const campaign::TestRecord& row) {
  Point now = points_.empty() ? Point{} : points_.back();
  buckets_.insert(row.buckets.begin(), row.buckets.end());
  ++now.tests;
  now.second += row.seconds;
  now.diverging += row.verdict == "diverge";
  if (auto found = firsts_.find(row.test); found != firsts_.end()) now.findings += found->second;
  now.buckets = static_cast<std::int64_t>(buckets_.size());
  now.graph_breaks += row.graph_breaks;
  now.recompiles += row.recompiles;
  points_.push_back(now);
}

codec::Json Series::json_of(const Point& point) {
  return {{"second", point.second},        {"tests", point.tests},     {"diverging", point.diverging},
          {"findings", point.findings},    {"buckets", point.buckets}, {"graph_breaks", point.graph_breaks},
          {"recompiles", point.recompiles}};
}

codec::Json Series::json() const {
  codec::Json rows = codec::Json::array();
  const std::size_t shown = std::min(points_.size(), kMostPoints);
  for (std::size_t i = 1; i <= shown; ++i) rows.push_back(json_of(points_[i * points_.size() / shown - 1]));
  return rows;
}

}  // namespace jp::explore
