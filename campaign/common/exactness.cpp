#include "campaign/common/exactness.h"

#include "oracle/judge/verdicts.h"

namespace jp::campaign {

std::string broken_promise(mutate::Exactness exactness, const Observation& before, const Observation& after) {
  if (exactness == mutate::Exactness::kVariation) {
    bool works = !after.calls.empty() && !after.calls.front().exception;
    return works ? "" : "its first call raises";
  }
  if (exactness == mutate::Exactness::kBroken) {
    bool raises = !after.calls.empty() && after.calls.front().exception;
    return raises ? "" : "its first call goes through";
  }
  const oracle::Judgement judgement =
      oracle::judge_two_runs(Finished{.observation = before}, Finished{.observation = after});
  if (!judgement.wanted.empty()) return "values differ beyond the default tolerances";
  if (judgement.verdict.kind != Verdict::Kind::kAgree) return judgement.verdict.reason;
  const std::string& rule = judgement.verdict.rule;
  // A call that raises in both runs doesn't keep the others from being equal.
  if (exactness == mutate::Exactness::kBitwise && rule != "bitwise" && rule != "both_raise")
    return "not equal bit for bit";
  return "";
}

}  // namespace jp::campaign
