#include "campaign/common/exactness.h"

#include "campaign/common/judging.h"

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
  Plan plan{.oracle = "eager_vs_compiled", .runs = {{.role = "eager"}, {.role = "compiled", .compiled = true}}};
  std::vector<Outcome> outcomes = {{.role = "eager", .ending = Finished{.observation = before}},
                                   {.role = "compiled", .ending = Finished{.observation = after}}};
  oracle::Judgement judgement = need_oracle("eager_vs_compiled").judge(plan, outcomes);
  if (!judgement.wanted.empty()) return "values differ beyond the default tolerances";
  if (judgement.verdict.kind != Verdict::Kind::kAgree) return judgement.verdict.reason;
  if (exactness == mutate::Exactness::kBitwise && judgement.verdict.rule != "bitwise") return "not equal bit for bit";
  return "";
}

}  // namespace jp::campaign
