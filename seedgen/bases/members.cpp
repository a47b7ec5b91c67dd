#include "seedgen/bases/members.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace jp::seedgen {

const std::vector<Member>& all_members() {
  static const std::vector<Member> members = [] {
    std::vector<Member> all;
    for (const Operator* family : Registry<Operator>::instance().all()) {
      std::vector<std::string_view> ids = family->members();
      for (std::size_t i = 0; i < ids.size(); ++i) all.push_back({family, i, ids[i]});
    }
    return all;
  }();
  return members;
}

int member_number(std::string_view id) {
  static const std::unordered_map<std::string_view, int> numbers = [] {
    std::unordered_map<std::string_view, int> all;
    const std::vector<Member>& members = all_members();
    for (std::size_t i = 0; i < members.size(); ++i) all.emplace(members[i].id, static_cast<int>(i));
    return all;
  }();
  auto found = numbers.find(id);
  return found == numbers.end() ? -1 : found->second;
}

std::vector<Member> members_named(const std::vector<std::string>& ids, const std::vector<std::string>& without) {
  if (ids.empty() && without.empty()) return all_members();
  // Few are named as a rule: one look at all of them would take longer than drawing a small program.
  std::set<int> numbers;
  for (const std::string& id : ids) {
    numbers.insert(member_number(id));
    JP_CHECK(member_number(id) >= 0, "there is no operator {}", id);
  }
  const auto left_out = [&](const Member& member) {
    return std::find(without.begin(), without.end(), member.id) != without.end();
  };
  std::vector<Member> members;
  for (const int number : numbers) members.push_back(all_members()[static_cast<std::size_t>(number)]);
  if (ids.empty()) members = all_members();
  std::erase_if(members, left_out);
  return members;
}

}  // namespace jp::seedgen
