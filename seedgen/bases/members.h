// All operators as one table: what is drawn evenly, counted and covered.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "seedgen/bases/operator.h"

namespace jp::seedgen {

/// One operator: a member of a family.
struct Member {
  const Operator* family = nullptr;
  std::size_t index = 0;
  std::string_view id;
};

/// Every operator of every family, by family and then in the order of its table. Its calls have its id as `op`.
const std::vector<Member>& all_members();

/// Where an operator stands in all_members(); -1: nowhere (a broken rule).
int member_number(std::string_view id);

/// Those of the ids, in the order of all_members(); all where there are none. An unknown id is a broken invariant.
std::vector<Member> members_named(const std::vector<std::string>& ids);

}  // namespace jp::seedgen
