#include "seedgen/types/types.h"

#include <algorithm>

namespace jp::seedgen {
namespace {

// c10/core/ScalarType.h, promoteTypes, for the dtypes that programs hold.
Dtype promote_integers(Dtype a, Dtype b) {
  if (a == Dtype::kUInt8 && b == Dtype::kInt8) return Dtype::kInt16;
  if (a == Dtype::kInt8 && b == Dtype::kUInt8) return Dtype::kInt16;
  return std::max(a, b);
}

struct Promotion {
  std::optional<Dtype> tensors;
  std::optional<Dtype> zero_dims;
  std::optional<Dtype> numbers;

  void add(Operand operand) {
    std::optional<Dtype>& slot = operand.kind == Operand::Kind::kTensor    ? tensors
                                 : operand.kind == Operand::Kind::kZeroDim ? zero_dims
                                                                           : numbers;
    slot = slot ? promote(*slot, operand.dtype) : operand.dtype;
  }

  // aten/src/ATen/native/TypeProperties.cpp, combine_categories: the lower operand counts only if it is of a higher
  // category (bool, integer, float, complex).
  static std::optional<Dtype> combine(std::optional<Dtype> higher, std::optional<Dtype> lower) {
    if (!higher) return lower;
    if (!lower || is_complex(*higher)) return higher;
    if (is_floating(*higher)) return is_complex(*lower) ? complex_of(*higher) : *higher;
    if (*higher == Dtype::kBool || !is_integral(*lower)) return promote(*higher, *lower);
    return higher;
  }

  Dtype result() const {
    std::optional<Dtype> type = combine(tensors, combine(zero_dims, numbers));
    JP_CHECK(type.has_value(), "a type promotion of nothing");
    return *type;
  }
};

}  // namespace

Dtype promote(Dtype a, Dtype b) {
  if (a == b) return a;
  if (is_complex(a) || is_complex(b)) return std::max(complex_of(a), complex_of(b));
  if (is_floating(a) != is_floating(b)) return is_floating(a) ? a : b;
  if (!is_floating(a)) return promote_integers(a, b);
  bool halves = std::max(a, b) == Dtype::kBFloat16;
  return halves ? Dtype::kFloat32 : std::max(a, b);
}

Dtype part_of(Dtype dtype) {
  if (!is_complex(dtype)) return dtype;
  return dtype == Dtype::kComplex128 ? Dtype::kFloat64 : Dtype::kFloat32;
}

Dtype complex_of(Dtype dtype) {
  return dtype == Dtype::kFloat64 || dtype == Dtype::kComplex128 ? Dtype::kComplex128 : Dtype::kComplex64;
}

Operand operand_of(const Value& value) {
  return {value.shape.empty() ? Operand::Kind::kZeroDim : Operand::Kind::kTensor, value.dtype};
}

Dtype result_type(std::initializer_list<Operand> all) {
  Promotion promotion;
  for (Operand operand : all) promotion.add(operand);
  return promotion.result();
}

Dtype result_type(Operand a, Operand b) { return result_type({a, b}); }

std::optional<Dtype> common_type(Operand a, Operand b) {
  auto halves = [](Operand higher, Operand lower) {
    return higher.dtype == Dtype::kFloat16 && is_complex(lower.dtype) && higher.kind < lower.kind;
  };
  if (halves(a, b) || halves(b, a)) return std::nullopt;
  return result_type(a, b);
}

Dtype to_floating(Dtype dtype) { return is_integral(dtype) ? Dtype::kFloat32 : dtype; }

Argument python_number(Dtype dtype, double number) {
  if (dtype == Dtype::kBool) return number != 0;
  if (is_integral(dtype)) return static_cast<std::int64_t>(number);
  return number;
}

Strides contiguous_strides(const Shape& shape) {
  Strides strides = Ints::filled(shape.size(), 1);
  for (int i = shape.size() - 2; i >= 0; --i) strides[i] = strides[i + 1] * std::max<std::int64_t>(shape[i + 1], 1);
  return strides;
}

bool is_contiguous(const Value& value) {
  if (!value.strides_known) return false;
  std::int64_t step = 1;
  for (int i = value.shape.size() - 1; i >= 0; --i) {
    if (value.shape[i] != 1 && value.strides[i] != step) return numel(value.shape) == 0;
    step *= value.shape[i];
  }
  return true;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape result = Ints::filled(std::max(a.size(), b.size()), 1);
  std::int64_t elements = 1;
  for (int i = 1; i <= result.size(); ++i) {
    std::int64_t of_a = i <= a.size() ? a[a.size() - i] : 1;
    std::int64_t of_b = i <= b.size() ? b[b.size() - i] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1) return std::nullopt;
    result[result.size() - i] = of_a == 1 ? of_b : of_a;
    elements *= std::max<std::int64_t>(result[result.size() - i], 1);
  }
  if (elements > kMaxElements) return std::nullopt;
  return result;
}

bool expands_to(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (int i = 1; i <= from.size(); ++i) {
    std::int64_t size = from[from.size() - i];
    if (size != 1 && size != to[to.size() - i]) return false;
  }
  return true;
}

}  // namespace jp::seedgen
