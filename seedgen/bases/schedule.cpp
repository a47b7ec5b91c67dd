#include "seedgen/bases/schedule.h"

#include <algorithm>

#include "seedgen/bases/operator.h"

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
    const std::uint64_t quarters = constant(members[drawn]) ? 2 : seen[drawn] ? 1 : 0;
    if (choices.chance(quarters, 4)) drawn = choices.below(members.size());
    seen[drawn] = true;
    schedule.push_back(members[drawn]);
  }
  const std::size_t early = schedule.size() / 3;
  for (std::size_t i = early; early > 0 && i < schedule.size(); ++i) {
    if (!constant(schedule[i]) || choices.chance(1, 32)) continue;
    Member& earlier = schedule[choices.below(early)];
    if (!constant(earlier)) std::swap(earlier, schedule[i]);
  }
  return schedule;
}

}  // namespace jp::seedgen
