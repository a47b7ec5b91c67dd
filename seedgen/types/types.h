// Torch's rules for types: promotion of dtypes, broadcasting of shapes, strides of results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/broadcast.h"
#include "core/choices.h"
#include "core/graph.h"
#include "core/promotion.h"

namespace jp::seedgen {

using Value = GraphValue;

/// A set of dtypes.
class DtypeSet {
 public:
  constexpr DtypeSet(std::initializer_list<Dtype> members) {
    for (Dtype dtype : members) bits_ |= 1u << static_cast<unsigned>(dtype);
  }
  constexpr bool has(Dtype dtype) const { return bits_ >> static_cast<unsigned>(dtype) & 1u; }
  constexpr bool meets(DtypeSet other) const { return (bits_ & other.bits_) != 0; }
  constexpr DtypeSet operator|(DtypeSet other) const { return DtypeSet(bits_ | other.bits_); }
  constexpr DtypeSet operator&(DtypeSet other) const { return DtypeSet(bits_ & other.bits_); }

 private:
  explicit constexpr DtypeSet(unsigned bits) : bits_(bits) {}
  unsigned bits_ = 0;
};

/// The dtypes of arguments.
inline constexpr DtypeSet kFloats = {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
inline constexpr DtypeSet kIntegers = {Dtype::kUInt8, Dtype::kInt8, Dtype::kInt16, Dtype::kInt32, Dtype::kInt64};
inline constexpr DtypeSet kBools = {Dtype::kBool};
inline constexpr DtypeSet kNumbers = kFloats | kIntegers;
inline constexpr DtypeSet kAnyDtype = kNumbers | kBools;
/// Complex dtypes occur only if an operator says that it supports them.
inline constexpr DtypeSet kComplex = {Dtype::kComplex64, Dtype::kComplex128};
inline constexpr DtypeSet kEveryDtype = kAnyDtype | kComplex;

/// Most dimensions of a value, largest extents of an argument and of a result.
inline constexpr int kMaxRank = 5;
inline constexpr std::int64_t kMaxArgumentElements = 2048;
inline constexpr std::int64_t kMaxElements = 8192;

/// Floating or complex: what autograd differentiates. Inline, as every candidate for an operand is asked.
inline bool has_gradients(Dtype dtype) { return dtype > Dtype::kInt64; }
/// A value in a type promotion.
inline PromotionOperand operand_of(const Value& value) {
  return PromotionOperand::tensor(value.dtype, static_cast<std::size_t>(value.shape.size()));
}

/// A number as a Python literal of the dtype's kind: a bool, an integer (`number` is whole), or a float, also for
/// complex dtypes.
Argument python_number(Dtype dtype, double number);

/// The elements if sizes of 0 were 1: what bounds a shape, so that an empty dimension never hides huge ones.
inline std::int64_t extent(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= std::max<std::int64_t>(size, 1);
  return product;
}
/// The shape of a broadcast; nothing when the shapes don't go together or its extent() is above kMaxElements.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

}  // namespace jp::seedgen
