// All operators as one table, from which operators are drawn uniformly, counted and covered.
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

/// The index of an operator in all_members(); -1: none (a broken rule).
int member_number(std::string_view id);

/// The members with these ids, in the order of all_members(); all of them if there are no ids. An unknown id is a
/// broken invariant. Those in `without` are left out.
std::vector<Member> members_named(const std::vector<std::string>& ids, const std::vector<std::string>& without = {});

}  // namespace jp::seedgen
