#include "mutate/rewrite/casts.h"

#include <fmt/format.h>

#include <optional>

#include "core/operators.h"

namespace jp::mutate {
namespace {

bool is_unsigned(std::string_view dtype) { return dtype.starts_with("uint"); }
bool is_integer(std::string_view dtype) { return is_unsigned(dtype) || dtype.starts_with("int"); }

std::string conversion(std::string_view to, const std::string& torch, Choices& choices) {
  const std::optional<Dtype> dtype = parse_dtype(to);
  const OperatorFacts* method = dtype ? find_cast(*dtype) : nullptr;
  std::uint64_t form = choices.below(4);
  if (form == 0 && method) return fmt::format(".{}()", method->name);
  if (form == 1) return fmt::format(".to(dtype={}.{})", torch, to);
  if (form == 2) return fmt::format(".type({}.{})", torch, to);
  return fmt::format(".to({}.{})", torch, to);
}

std::vector<std::string_view> without(std::vector<std::string_view> names, Dtype dtype) {
  std::erase(names, dtype_name(dtype));
  return names;
}

}  // namespace

std::string cast_tail(std::string_view from, std::string_view to, const std::string& torch, Choices& choices) {
  std::string tail;
  bool complex = from.starts_with("complex");
  if (complex && !to.starts_with("complex") && to != "bool") tail += ".real";
  if (from != "bool" && !is_integer(from) && is_integer(to))
    tail += fmt::format(".nan_to_num().clamp({}, 100)", is_unsigned(to) ? 0 : -100);
  return tail + conversion(to, torch, choices);
}

std::vector<std::string_view> cast_targets(Dtype from) {
  if (is_complex(from)) return without({"complex64", "complex64", "complex128", "complex128", "float32"}, from);
  if (is_floating(from))
    return without(
        {"float64", "float64", "float64", "float32", "float32", "float32", "bfloat16", "bfloat16", "bfloat16",
         "float16", "float16", "float16", "complex64", "complex128", "int32", "int64", "uint8", "bool"},
        from);
  if (from == Dtype::kBool) return {"uint8", "int32", "int64", "float32"};
  return without(
      {"int64", "int64", "int32", "int32", "int16", "int8", "uint8", "bool", "float32", "float64", "float16"}, from);
}

std::vector<std::string_view> storage_targets(Dtype from) {
  if (is_complex(from)) return without({"complex64", "complex128", "float32", "float64", "float16"}, from);
  if (is_integral(from))
    return without({"bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64", "uint16", "uint32"},
                   from);
  return without({"bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64",
                  "complex64", "complex128", "uint16", "uint32", "uint64", "float8_e4m3fn", "float8_e5m2"},
                 from);
}

std::vector<std::string_view> gentle_targets(Dtype from) {
  if (is_complex(from)) return without({"complex64", "complex128"}, from);
  if (from == Dtype::kFloat64) return {"float32", "bfloat16"};
  if (is_floating(from)) return without({"float32", "float64", "bfloat16"}, from);
  if (from == Dtype::kInt64) return {"int32"};
  if (from == Dtype::kBool) return {"uint8", "int32", "float32"};
  return without({"int32", "int64"}, from);
}

}  // namespace jp::mutate
