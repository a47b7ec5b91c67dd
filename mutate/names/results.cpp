#include "mutate/names/results.h"

#include <array>

#include "core/among.h"
#include "core/operators.h"

namespace jp::mutate {
namespace {

/// Views that are the operand itself where there is nothing to do.
bool is_sometimes_itself(std::string_view name) {
  return name.starts_with("atleast_") || name.starts_with("resolve_") || name == "conj" || name == "real" ||
         name == "positive";
}

/// They copy, or give a view that is another tensor object.
constexpr auto kNeverItself = std::to_array<std::string_view>({"reshape", "reshape_as", "ravel", "einsum"});

/// Methods that give no tensor.
constexpr auto kNoTensor =
    std::to_array<std::string_view>({"item", "tolist", "size", "dim", "numel", "nelement", "ndimension",
                                     "is_floating_point", "is_complex", "get_device"});

}  // namespace

bool may_give_operand(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  if (!op) return !among(kNoTensor, name) && !name.starts_with("_foreach_");
  if (among(kNeverItself, op->name)) return false;
  if (op->result == OperatorFacts::Result::kView) return is_sometimes_itself(op->name);
  return !op->is_new();
}

}  // namespace jp::mutate
