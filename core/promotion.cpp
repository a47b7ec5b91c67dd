#include "core/promotion.h"

#include <algorithm>
#include <array>

namespace jp {
namespace {

enum class Category : std::uint8_t { kBool, kInteger, kFloat, kComplex };

Category category(Dtype dtype) {
  if (dtype == Dtype::kBool) return Category::kBool;
  if (is_complex(dtype)) return Category::kComplex;
  return is_floating(dtype) ? Category::kFloat : Category::kInteger;
}

/// A dtype on the way to the result: torch's complex32, which Dtype lacks, is a complex64 that `is_half`.
struct Promoted {
  Dtype dtype;
  bool is_half = false;
};

Promoted complex_of(Dtype dtype) { return {complex_dtype(dtype), dtype == Dtype::kFloat16}; }

/// A Python number counts as one of its category at the default width.
Promoted promoted(const PromotionOperand& operand, Dtype default_dtype) {
  if (operand.kind != PromotionOperand::Kind::kNumber) return {operand.dtype};
  if (is_complex(operand.dtype)) return complex_of(default_dtype);
  return {is_floating(operand.dtype) ? default_dtype : operand.dtype};
}

/// What operands of one kind give beside those of lower priority.
Promoted combine(Promoted higher, Promoted lower) {
  if (category(lower.dtype) <= category(higher.dtype)) return higher;
  // Floats keep their width when they become complex; integers take the width of what they meet.
  return category(higher.dtype) == Category::kFloat ? complex_of(higher.dtype) : lower;
}

}  // namespace

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) return std::max(complex_dtype(a), complex_dtype(b));
  if (category(a) != category(b)) return category(a) > category(b) ? a : b;
  if (std::min(a, b) == Dtype::kUInt8 && std::max(a, b) == Dtype::kInt8) return Dtype::kInt16;
  if (std::min(a, b) == Dtype::kFloat16 && std::max(a, b) == Dtype::kBFloat16) return Dtype::kFloat32;
  return std::max(a, b);
}

std::optional<Dtype> promote(std::span<const PromotionOperand> operands, Dtype default_dtype) {
  std::array<std::optional<Promoted>, 3> by_kind;
  for (const PromotionOperand& operand : operands) {
    const Promoted one = promoted(operand, default_dtype);
    std::optional<Promoted>& all = by_kind[static_cast<std::size_t>(operand.kind)];
    all = all ? Promoted{promote(all->dtype, one.dtype), all->is_half || one.is_half} : one;
  }
  // From the lowest priority upwards: 0-d tensors take in the numbers first.
  std::optional<Promoted> result;
  for (std::size_t kind = by_kind.size(); kind-- > 0;)
    if (by_kind[kind]) result = result ? combine(*by_kind[kind], *result) : *by_kind[kind];
  return result && !result->is_half ? std::optional(result->dtype) : std::nullopt;
}

bool can_cast(Dtype from, Dtype to) { return category(from) <= category(to); }

Dtype real_dtype(Dtype dtype) {
  if (!is_complex(dtype)) return dtype;
  return dtype == Dtype::kComplex128 ? Dtype::kFloat64 : Dtype::kFloat32;
}

Dtype complex_dtype(Dtype dtype) {
  return dtype == Dtype::kFloat64 || dtype == Dtype::kComplex128 ? Dtype::kComplex128 : Dtype::kComplex64;
}

}  // namespace jp
