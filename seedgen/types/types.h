// What torch does with types: promotion of dtypes, broadcasting of shapes, strides of results.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/choices.h"
#include "core/graph.h"

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

/// The dtypes of arguments; int16 comes up as well, where uint8 meets int8.
inline constexpr DtypeSet kFloats = {Dtype::kFloat16, Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
inline constexpr DtypeSet kIntegers = {Dtype::kUInt8, Dtype::kInt8, Dtype::kInt16, Dtype::kInt32, Dtype::kInt64};
inline constexpr DtypeSet kBools = {Dtype::kBool};
inline constexpr DtypeSet kNumbers = kFloats | kIntegers;
inline constexpr DtypeSet kAnyDtype = kNumbers | kBools;
/// Complex ones come only where an operator says that it takes them.
inline constexpr DtypeSet kComplex = {Dtype::kComplex64, Dtype::kComplex128};
inline constexpr DtypeSet kEveryDtype = kAnyDtype | kComplex;

/// Most dimensions of a value, largest extents of an argument and of a result.
inline constexpr int kMaxRank = 5;
inline constexpr std::int64_t kMaxArgumentElements = 2048;
inline constexpr std::int64_t kMaxElements = 8192;

/// torch.promote_types.
Dtype promote(Dtype a, Dtype b);

/// Floating or complex: what autograd differentiates. Inline, as every candidate for an operand is asked.
inline bool has_gradients(Dtype dtype) { return dtype > Dtype::kInt64; }
/// Of the parts of a complex number; other dtypes as they are.
Dtype part_of(Dtype dtype);
/// Of complex numbers made of such parts: complex128 for float64, else complex64.
Dtype complex_of(Dtype dtype);

/// What takes part in type promotion: tensors with dimensions count more than 0-d tensors, those more than numbers.
struct Operand {
  enum class Kind : std::uint8_t { kTensor, kZeroDim, kNumber };
  Kind kind = Kind::kTensor;
  Dtype dtype = Dtype::kFloat32;  // of a number: bool, int64 or float32
};
Operand operand_of(const Value& value);

/// torch.result_type of two.
Dtype result_type(Operand a, Operand b);
/// The same, or nothing where torch would give complex32: a float16 tensor beside a complex number or 0-d tensor.
std::optional<Dtype> common_type(Operand a, Operand b);
/// torch.result_type of any number of them.
Dtype result_type(std::initializer_list<Operand> all);

/// The dtype of operators that leave the integers (exp, true division): float32 for bool and integers.
Dtype to_floating(Dtype dtype);

/// A number as a Python literal of the dtype's kind: a bool, an integer (`number` is whole), or a float, also for
/// complex dtypes.
Argument python_number(Dtype dtype, double number);

inline std::int64_t numel(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= size;
  return product;
}
/// The elements if sizes of 0 were 1: what bounds a shape, so that an empty dimension never hides huge ones.
inline std::int64_t extent(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= std::max<std::int64_t>(size, 1);
  return product;
}
Strides contiguous_strides(const Shape& shape);
/// Laid out row by row without gaps, as far as is known.
bool is_contiguous(const Value& value);
/// The shape of a broadcast; nothing when the shapes don't go together or the result is too large.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
/// True when `from` can be expanded to `to`.
bool expands_to(const Shape& from, const Shape& to);

}  // namespace jp::seedgen
