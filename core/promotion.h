// Type promotion as torch does it: the dtype in which an operator computes with operands of several dtypes. Rules are
// those of "Type promotion" in torch's documentation of tensor attributes; tests/core/check_types.py holds every answer
// against eager.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>

#include "core/dtype.h"

namespace jp {

/// torch.promote_types.
Dtype promote(Dtype a, Dtype b);

/// What takes part in a promotion. Tensors with dimensions take priority over 0-d tensors, and those over Python
/// numbers: a lower one counts only with a higher category (bool, integer, float, complex).
struct PromotionOperand {
  enum class Kind : std::uint8_t { kTensor, kZeroDim, kNumber };
  Kind kind = Kind::kTensor;
  /// Of a number only the category counts: a float is as wide as the default dtype.
  Dtype dtype = Dtype::kFloat32;

  static PromotionOperand tensor(Dtype dtype, std::size_t rank) {
    return {rank == 0 ? Kind::kZeroDim : Kind::kTensor, dtype};
  }
  static PromotionOperand number(Dtype dtype) { return {Kind::kNumber, dtype}; }
};

/// torch.result_type of any number of operands, where `default_dtype` is torch.get_default_dtype(). Nothing for no
/// operands, and where torch gives complex32, which Dtype lacks: float16 beside a complex of lower priority.
std::optional<Dtype> promote(std::span<const PromotionOperand> operands, Dtype default_dtype = Dtype::kFloat32);
inline std::optional<Dtype> promote(std::initializer_list<PromotionOperand> operands,
                                    Dtype default_dtype = Dtype::kFloat32) {
  return promote(std::span(operands.begin(), operands.size()), default_dtype);
}

/// torch.can_cast: an in-place operator may write results of `from` into a tensor of `to`.
bool can_cast(Dtype from, Dtype to);

/// The dtype in which operators compute that leave the integers (exp, true division) where the default dtype is
/// float32: that for bools and integers, others as they are.
inline Dtype to_floating(Dtype dtype) { return is_integral(dtype) ? Dtype::kFloat32 : dtype; }
/// The dtype of a complex number's parts; others as they are.
Dtype real_dtype(Dtype dtype);
/// The dtype of complex numbers made of such parts: complex128 for float64, else complex64, which is the default for
/// integers, and what is wide enough for float16 (torch: complex32).
Dtype complex_dtype(Dtype dtype);

}  // namespace jp
