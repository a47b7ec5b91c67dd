// What the comparison of two observations has found so far.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/verdict.h"
#include "oracle/judge/limits.h"
#include "oracle/judge/rules.h"

namespace jp::oracle {

/// A strong difference with the name of the rule that decided and a sentence about it.
struct Mark {
  Difference difference;
  RuleName rule;
  std::string sentence;
  /// Whether rounding could explain it, so that control runs are worth asking for.
  bool open = false;
  /// Whether it involves only finite numbers, and is small: other input values may show it to be nothing.
  bool borderline = false;
};

/// A place that was not compared because eager itself varies there, and the rule that says so.
struct Unstable {
  std::string place;
  RuleName rule;
};

struct Comparison {
  std::vector<Mark> strong;
  std::vector<Difference> weak;
  std::vector<Unstable> unstable;
  std::vector<Decision> decisions;
  /// The last question that an agreement needed: a rule in the order of judging, or one that excused something.
  RuleName agreement = "bitwise";
  bool refused = false;      // the backend declares this refusal as expected
  bool both_raised = false;  // in at least one call
  bool eager_wrong = false;  // in at least one place
  bool unlisted = false;     // in at least one place (free_choice.h)
  /// Describes the first output that could not be read; "" if all could.
  std::string incomparable;

  void add(Mark mark) {
    if (strong.size() < kLimits.looked_at_differences) strong.push_back(std::move(mark));
  }
  void add_weak(Difference difference) {
    const auto of_its_class = std::count_if(
        weak.begin(), weak.end(), [&](const Difference& other) { return other.mismatch == difference.mismatch; });
    if (static_cast<std::size_t>(of_its_class) < kLimits.kept_differences) weak.push_back(std::move(difference));
  }
  void skip(std::string place, RuleName rule) {
    if (unstable.size() < kLimits.kept_differences) unstable.push_back({std::move(place), rule});
  }
  void decide(Decision decision) {
    if (decisions.size() < kLimits.kept_differences) decisions.push_back(std::move(decision));
  }
  /// The table of rules is in the order in which they are asked.
  void loosen(RuleName to) {
    if (find_rule(to.text()) > find_rule(agreement.text())) agreement = to;
  }
  bool any_open() const {
    return std::any_of(strong.begin(), strong.end(), [](const Mark& mark) { return mark.open; });
  }
  bool all_borderline() const {
    return std::all_of(strong.begin(), strong.end(), [](const Mark& mark) { return mark.borderline; });
  }
};

/// "call 2 inputs[0]" for call 1, since readers count from one; in the first call without the call.
std::string place(int call, std::string_view where);

}  // namespace jp::oracle
