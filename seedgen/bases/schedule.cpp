#include "seedgen/bases/schedule.h"

#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen {
namespace {

bool constant(const Member& member) { return member.family->constant(member.index); }

}  // namespace

std::vector<Member> draw_schedule(Choices& choices, const std::vector<Member>& members, int calls) {
  std::vector<bool> seen(members.size());
  std::vector<Member> schedule;
  schedule.reserve(static_cast<std::size_t>(calls));
  for (int i = 0; i < calls; ++i) {
    std::uint64_t drawn = choices.below(members.size());
    const Chance unseen = seen[drawn] ? kPolicy.seen_again : kPolicy.other_again;
    const Chance again = constant(members[drawn]) ? kPolicy.constant_again : unseen;
    if (again.drawn(choices)) drawn = choices.below(members.size());
    seen[drawn] = true;
    schedule.push_back(members[drawn]);
  }
  const std::size_t early = schedule.size() / kPolicy.early_part;
  for (std::size_t i = early; early > 0 && i < schedule.size(); ++i) {
    if (!constant(schedule[i]) || kPolicy.late_constant.drawn(choices)) continue;
    Member& earlier = schedule[choices.below(early)];
    if (!constant(earlier)) std::swap(earlier, schedule[i]);
  }
  return schedule;
}

}  // namespace jp::seedgen
