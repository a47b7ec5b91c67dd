// Comparing syntax trees.
#pragma once

#include <fmt/format.h>

#include <string>

#include "mutate/syntax/tree.h"

namespace jp::mutate::testing {

/// Where two trees differ first, or "".
inline std::string tree_difference(const Tree& one, const Tree& other) {
  auto print = [](const Tree& tree, int i) {
    if (i >= tree.size()) return std::string("nothing");
    Node node = tree.node(i);
    return fmt::format("{} {} {} \"{}\" {}..{} in {} up to {}", i, node.named(), node.kind(), node.field_name(),
                       node.begin(), node.end(), node.parent() ? node.parent().index() : -1, node.past());
  };
  for (int i = 0; i < one.size() || i < other.size(); ++i)
    if (std::string left = print(one, i), right = print(other, i); left != right) return left + " / " + right;
  return "";
}

}  // namespace jp::mutate::testing
