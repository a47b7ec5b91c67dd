#include "oracle/reduce/pass.h"

#include <algorithm>

namespace jp::reduce {

std::string_view tier_name(Tier tier) {
  switch (tier) {
    case Tier::kDrop:
      return "drop";
    case Tier::kFlatten:
      return "flatten";
    case Tier::kReplace:
      return "replace";
    case Tier::kShrink:
      return "shrink";
    case Tier::kPolish:
      return "polish";
  }
  JP_CHECK(false, "an unknown tier");
  return "";
}

std::vector<const Pass*> passes_in_order() {
  std::vector<const Pass*> passes = Passes::instance().all();
  std::stable_sort(passes.begin(), passes.end(),
                   [](const Pass* one, const Pass* other) { return one->tier() < other->tier(); });
  return passes;
}

}  // namespace jp::reduce
