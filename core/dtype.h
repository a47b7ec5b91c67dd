// Element types of tensors: those of torch's that jitprobe has rules for (size, kind, precision). Others (unsigned
// integers of more than 8 bits, float8, quantised and packed types) occur in recorded values by their name alone.
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
/// The name behind `torch.`: "float32". Never an alias such as "float" or "half".
std::string_view dtype_name(Dtype dtype);
/// The type that dtype_name() gives this name, with or without "torch." before it. Nothing for aliases, for types
/// without rules and for other text.
std::optional<Dtype> parse_dtype(std::string_view name);
/// Bytes of one element, 1 to 16; of a complex number both parts.
int dtype_size(Dtype dtype);
/// The four real floating types; complex ones are none.
bool is_floating(Dtype dtype);
bool is_complex(Dtype dtype);
/// Integers and bool.
bool is_integral(Dtype dtype);
/// Distance from 1 to the next larger number, as `torch.finfo(dtype).eps`; of a complex type, that of its parts; 0 for
/// integers and bool.
double epsilon(Dtype dtype);

}  // namespace jp
