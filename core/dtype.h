// Torch's element types, as far as our rules need them: sizes, classes, limits of precision.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace jp {

/// In the order of torch's promotion of kinds: bool, integers, floating, complex. Numbers of the enumeration travel
/// from the worker (pyrunner/packed_facts.h); text holds names.
enum class Dtype : std::uint8_t {
  kBool,
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kBFloat16,
  kFloat32,
  kFloat64,
  kComplex64,
  kComplex128,
};

/// All twelve, in the order of the enumeration.
const std::vector<Dtype>& all_dtypes();
/// "float32": the name after `torch.`.
std::string_view dtype_name(Dtype dtype);
/// The type of that name ("float32", also "torch.float32"), or nothing for one that our rules don't cover.
std::optional<Dtype> parse_dtype(std::string_view name);
/// Bytes of one element, 1 to 16; of a complex number both parts.
int dtype_size(Dtype dtype);
// Inline, as every candidate for an operand is asked.
constexpr bool is_floating(Dtype dtype) { return dtype >= Dtype::kFloat16 && dtype <= Dtype::kFloat64; }
constexpr bool is_complex(Dtype dtype) { return dtype >= Dtype::kComplex64; }
/// Integers and bool.
constexpr bool is_integral(Dtype dtype) { return dtype <= Dtype::kInt64; }
/// Distance from 1 to the next larger number (complex: of its parts); 0 for integers.
double epsilon(Dtype dtype);

}  // namespace jp
