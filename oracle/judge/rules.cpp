#include "oracle/judge/rules.h"

#include "core/verdict.h"

namespace jp::oracle {

std::string_view decided_by_name(DecidedBy by) {
  constexpr std::array<std::string_view, 5> kNames = {"order", "judge", "backend", "worker", "grammar"};
  return kNames[static_cast<std::size_t>(by)];
}

std::vector<std::string> weak_classes() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(Mismatch::kDenormal); ++i)
    if (const auto mismatch = static_cast<Mismatch>(i); is_weak(mismatch)) names.emplace_back(mismatch_name(mismatch));
  return names;
}

}  // namespace jp::oracle
