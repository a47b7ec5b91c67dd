#include "mutate/names/results.h"

#include <array>

#include "core/among.h"

namespace jp::mutate {
namespace {

/// Torch declares that they allocate. With one operand einsum gives a view of it; the others give their operand where
/// there is nothing to do.
constexpr auto kSometimesNew = std::to_array<std::string_view>({"einsum", "feature_dropout", "chalf"});

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

bool gives_new_memory(const OperatorFacts& op) { return op.is_new() && !among(kSometimesNew, op.name); }

bool may_give_operand(std::string_view name) {
  const OperatorFacts* op = find_operator(base_name(name));
  if (!op) return !among(kNoTensor, name) && !name.starts_with("_foreach_");
  if (among(kNeverItself, op->name)) return false;
  if (op->result == OperatorFacts::Result::kView) return is_sometimes_itself(op->name);
  return !gives_new_memory(*op);
}

}  // namespace jp::mutate
