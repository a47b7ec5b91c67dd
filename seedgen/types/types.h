// Torch's rules for types: promotion of dtypes, broadcasting of shapes, strides of results.
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

/// The dtypes of arguments; int16 also occurs, if uint8 is combined with int8.
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

/// torch.promote_types.
Dtype promote(Dtype a, Dtype b);

/// Floating or complex: what autograd differentiates. Inline, because it is called for every candidate operand.
inline bool has_gradients(Dtype dtype) { return dtype > Dtype::kInt64; }
/// The dtype of the parts of a complex number; other dtypes are unchanged.
Dtype part_of(Dtype dtype);
/// The dtype of complex numbers with such parts: complex128 for float64, else complex64.
Dtype complex_of(Dtype dtype);

/// An operand's part in type promotion. Promotion priority: tensors with dimensions, then 0-d tensors, then Python
/// numbers; a lower one wins only with a higher category.
struct Operand {
  enum class Kind : std::uint8_t { kTensor, kZeroDim, kNumber };
  Kind kind = Kind::kTensor;
  Dtype dtype = Dtype::kFloat32;  // of a number: bool, int64 or float32
};
Operand operand_of(const Value& value);

/// torch.result_type of two.
Dtype result_type(Operand a, Operand b);
/// The same, or nothing if torch would give complex32: a float16 tensor combined with a complex number or 0-d tensor.
std::optional<Dtype> common_type(Operand a, Operand b);
/// torch.result_type of any number of them.
Dtype result_type(std::initializer_list<Operand> all);

/// The dtype of operators whose results are not integers (exp, true division): float32 for bool and integers.
Dtype to_floating(Dtype dtype);

/// A number as a Python literal of the dtype's kind: a bool, an integer (`number` is whole), or a float, also for
/// complex dtypes.
Argument python_number(Dtype dtype, double number);

inline std::int64_t numel(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= size;
  return product;
}
/// The number of elements if sizes of 0 were 1: bounds a shape, so that an empty dimension never hides huge ones.
inline std::int64_t extent(const Shape& shape) {
  std::int64_t product = 1;
  for (std::int64_t size : shape) product *= std::max<std::int64_t>(size, 1);
  return product;
}
Strides contiguous_strides(const Shape& shape);
/// Contiguous, as far as is known.
bool is_contiguous(const Value& value);
/// The shape of a broadcast; nothing if the shapes don't broadcast or the result is too large.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);
/// True if `from` can be expanded to `to`.
bool expands_to(const Shape& from, const Shape& to);

}  // namespace jp::seedgen
