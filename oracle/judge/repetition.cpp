#include "oracle/judge/repetition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "oracle/judge/compare.h"
#include "oracle/judge/endings.h"
#include "oracle/judge/questions.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle {
namespace {

bool same_place(const Mark& one, const Mark& other) {
  return one.difference.call == other.difference.call && one.difference.where == other.difference.where;
}

bool is_value(const Mark& mark) { return mark.difference.mismatch <= Mismatch::kStateAfter; }

bool same_tensors(const Observation& one, const Observation& other) {
  return std::equal(one.tensors.begin(), one.tensors.end(), other.tensors.begin(), other.tensors.end(),
                    [](const TensorRecord& left, const TensorRecord& right) { return left.bytes == right.bytes; });
}

RunRequest third_request(const Runs& runs, const Sides& sides) {
  RunRequest third = again_request(runs, sides);
  third.role += "_twice";
  return third;
}

std::vector<RunRequest> requests(const Runs& runs, const Sides& sides) {
  std::vector<RunRequest> list = choice_requests(runs, sides);
  list.push_back(third_request(runs, sides));
  return list;
}

Comparison compare_eager(const Observation& one, const Observation& other, const Plan& plan,
                         const ControlRuns& controls = {}) {
  Comparison comparison = compare(one, other, controls);
  if (plan.depends_on == kThreads)  // one of the two was asked to have one thread
    std::erase_if(comparison.strong, [](const Mark& mark) { return mark.difference.where == "mode.threads"; });
  return comparison;
}

// Whether what differs is free, and new each time.
bool is_free(const std::vector<Mark>& marks, const Observation& first, const Observation& second, const Runs& runs,
             const Sides& sides) {
  const Finished* third = runs.finished(third_request(runs, sides).role);
  if (!third || !compare_eager(first, second, runs.plan(), choice_controls(runs, sides)).strong.empty()) return false;
  const std::vector<Mark> anew = compare_eager(second, third->observation, runs.plan()).strong;
  return std::all_of(marks.begin(), marks.end(), [&](const Mark& mark) {
    return std::any_of(anew.begin(), anew.end(), [&](const Mark& other) { return same_place(mark, other); });
  });
}

}  // namespace

std::optional<Judgement> judge_repetition(const Runs& runs, const Sides& sides) {
  const Outcome* again = runs.outcome(again_request(runs, sides).role);
  if (!again) return std::nullopt;
  const Finished* second = std::get_if<Finished>(&again->ending);
  if (!second)
    return decided(verdict_of(Verdict::Kind::kUnstable, "eager_differs",
                              fmt::format("eager finished once; a second time it {}", describe_ending(again->ending))));
  const Observation& first = runs.finished(sides.eager)->observation;
  const Comparison comparison = compare_eager(first, second->observation, runs.plan());
  const std::vector<Mark>& marks = comparison.strong;
  Difference shown;
  if (!marks.empty()) {
    const bool may_be_free =
        std::all_of(marks.begin(), marks.end(), is_value) && same_tensors(first, second->observation);
    if (may_be_free) {
      if (auto wanted = runs.unanswered(requests(runs, sides)); !wanted.empty())
        return Judgement{{}, std::move(wanted)};
      if (is_free(marks, first, second->observation, runs, sides)) return std::nullopt;
    }
    shown = marks.front().difference;
  } else {
    // A weak class that is reported must not vary in eager, either.
    const auto opened = std::find_if(comparison.weak.begin(), comparison.weak.end(),
                                     [&](const Difference& difference) { return opens(runs.plan(), difference); });
    if (opened == comparison.weak.end()) return std::nullopt;
    shown = *opened;
  }
  return decided(verdict_of(Verdict::Kind::kUnstable, "eager_differs",
                            fmt::format("eager differs from itself at {}: first {}, then {}",
                                        place(shown.call, shown.where), shown.reference, shown.observed)));
}

}  // namespace jp::oracle
