#include "campaign/making/test_counts.h"

#include <set>
#include <string>

namespace jp::campaign {

void add_verdict(const Verdict& verdict, Tally& tally) {
  switch (verdict.kind) {
    case Verdict::Kind::kRejected:
      ++tally.rejected;
      return;
    case Verdict::Kind::kVacuous:
      ++tally.vacuous;
      return;
    case Verdict::Kind::kUnstable:
      ++tally.unstable;
      break;
    case Verdict::Kind::kDiverge:
      ++tally.divergences;
      break;
    case Verdict::Kind::kAgree:
      if (verdict.rule == "eager_wrong") ++tally.eager_wrong;
      break;
  }
  ++tally.tests;
}

void add_rules(const Verdict& verdict, report::Counts& counts) {
  std::set<std::string> fired = {verdict.rule};
  for (const Decision& decision : verdict.decisions) fired.insert(decision.rule);
  for (const Difference& weak : verdict.weak) fired.emplace(mismatch_name(weak.mismatch));
  for (const std::string& rule : fired) ++counts["rule:" + rule]["fired"];
  ++counts["rule:" + verdict.rule]["decided"];
}

report::Counts counts_of(const MakerCounts& made) {
  report::Counts counts;
  for (const auto& [id, count] : made.steps.mutations) {
    auto undone = made.steps.undone.find(id);
    counts["mutation:" + id] = {{"tried", count.tried},
                                {"applied", count.applied},
                                {"not_applicable", count.not_applicable},
                                {"unparsable", count.unparsable},
                                {"undone", undone == made.steps.undone.end() ? 0 : undone->second}};
  }
  counts["seeds"] = {{"made", made.seeds}, {"invalid", made.invalid_seeds}, {"masked", made.suppressed}};
  return counts;
}

}  // namespace jp::campaign
