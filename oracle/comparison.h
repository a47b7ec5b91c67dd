// What the comparison of two observations has found so far.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/verdict.h"

namespace jp::oracle {

/// More differences than this of one strength say nothing new and are left out.
inline constexpr std::size_t kMostDifferences = 64;

/// A strong difference with the name of the rule that decided and a sentence about it.
struct Mark {
  Difference difference;
  std::string rule;
  std::string sentence;
  /// Whether a float64 run may still explain it.
  bool precision = false;
};

/// How two runs agree, from exactly to hardly.
enum class Agreement { kBitwise, kTolerance, kFloat64, kEagerWrong };

struct Comparison {
  std::vector<Mark> strong;
  std::vector<Difference> weak;
  /// Places that were not compared, because eager itself moves with the precision there.
  std::vector<std::string> unstable;
  Agreement agreement = Agreement::kBitwise;
  bool refused = false;      // the backend declares this refusal as expected
  bool both_raised = false;  // in at least one call

  void add(Mark mark) {
    if (strong.size() < kMostDifferences) strong.push_back(std::move(mark));
  }
  void add_weak(Difference difference) {
    if (weak.size() < kMostDifferences) weak.push_back(std::move(difference));
  }
  void skip(std::string place) {
    if (unstable.size() < kMostDifferences) unstable.push_back(std::move(place));
  }
  void loosen(Agreement to) { agreement = std::max(agreement, to); }
  /// Whether a float64 run could change the verdict.
  bool asks_float64() const {
    return std::any_of(strong.begin(), strong.end(), [](const Mark& mark) { return mark.precision; });
  }
};

/// "call 2 inputs[0]"; without the call in the first one.
std::string place(int call, std::string_view where);

}  // namespace jp::oracle
