// How a campaign went: its test log as points of a curve.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "campaign/feedback/test_record.h"
#include "codec/json.h"
#include "report/store.h"

namespace jp::explore {

/// The curve after each test, in the order in which tests ended.
class Series {
 public:
  /// `findings`: those that count as the campaign's, which say what test met them first.
  explicit Series(const std::vector<report::FindingRow>& findings);
  /// The next test. Each comes once.
  void add(const campaign::TestRecord& row);
  /// An array of at most 200 points: {"second": of runs so far, all jobs together, "tests", "diverging", "findings":
  /// those that these tests met first, "buckets": different values of the compiler's counters so far, "graph_breaks",
  /// "recompiles"}. Empty without a test.
  codec::Json json() const;

 private:
  struct Point {
    double second = 0;
    std::int64_t tests = 0;
    std::int64_t diverging = 0;
    std::int64_t findings = 0;
    std::int64_t buckets = 0;
    std::int64_t graph_breaks = 0;
    std::int64_t recompiles = 0;
  };
  static codec::Json json_of(const Point& point);

  std::map<std::uint64_t, std::int64_t> firsts_;  // how many findings each test was the first to meet
  std::set<std::string> buckets_;
  std::vector<Point> points_;
};

}  // namespace jp::explore
