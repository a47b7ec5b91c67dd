#include "mutate/calls/pure_names.h"

#include <algorithm>
#include <array>

#include "core/operators.h"

namespace jp::mutate {
namespace {

constexpr auto kKinds = std::to_array<std::string_view>({"identifier",
                                                         "attribute",
                                                         "call",
                                                         "argument_list",
                                                         "keyword_argument",
                                                         "integer",
                                                         "float",
                                                         "true",
                                                         "false",
                                                         "none",
                                                         "tuple",
                                                         "list",
                                                         "slice",
                                                         "subscript",
                                                         "binary_operator",
                                                         "ellipsis",
                                                         "comparison_operator",
                                                         "unary_operator",
                                                         "string",
                                                         "string_content",
                                                         "expression_list",
                                                         "parenthesized_expression",
                                                         "string_start",
                                                         "string_end"});

}  // namespace

bool is_pure_name(std::string_view name) {
  const OperatorFacts* op = find_operator(name);
  return op && op->pure;
}

bool is_pure_kind(std::string_view kind) { return std::find(kKinds.begin(), kKinds.end(), kind) != kKinds.end(); }

}  // namespace jp::mutate
