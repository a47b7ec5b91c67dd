#include "oracle/reduce/values.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/tensor_type.h"

namespace jp::reduce {
namespace {

std::string number(double value, Dtype dtype) {
  if (dtype == Dtype::kBool) return value != 0 ? "True" : "False";
  if (is_integral(dtype)) return fmt::format("{}", static_cast<std::int64_t>(value));
  std::string text = fmt::format("{}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

/// Nested lists in the shape, from the element `at` on.
std::string nested(const std::vector<double>& values, const std::vector<std::int64_t>& shape, std::size_t dimension,
                   std::size_t& at, Dtype dtype) {
  if (dimension == shape.size()) return number(values[at++], dtype);
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < shape[dimension]; ++i) parts.push_back(nested(values, shape, dimension + 1, at, dtype));
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

/// The keyword arguments after the data; dtypes that torch infers by itself are omitted.
std::string options(const NameFacts& facts, std::string_view torch, bool by_default) {
  std::string text;
  if (!by_default) text += fmt::format(", dtype={}.{}", torch, dtype_name(*facts.dtype));
  if (facts.requires_grad.value_or(false)) text += ", requires_grad=True";
  return text;
}

}  // namespace

std::vector<std::string> written_tensors(const NameFacts& facts, std::string_view torch) {
  if (facts.kind != "tensor" || !facts.dtype || !facts.shape) return {};
  const Dtype dtype = *facts.dtype;
  const auto& shape = *facts.shape;
  const std::int64_t count = element_count(shape);
  const std::string sizes = shape.empty() ? "()" : fmt::format("{}", fmt::join(shape, ", "));
  std::vector<std::string> texts;
  const std::string made = options(facts, torch, dtype == Dtype::kFloat32);
  texts.push_back(fmt::format("{}.ones({}{})", torch, sizes, made));
  texts.push_back(fmt::format("{}.zeros({}{})", torch, sizes, made));
  if (shape.size() == 1 && dtype != Dtype::kBool && !is_complex(dtype)) {
    const bool plain = dtype == Dtype::kFloat32 || dtype == Dtype::kInt64;
    texts.push_back(fmt::format("{}.arange({}{}{})", torch, count, dtype == Dtype::kFloat32 ? "." : "",
                                options(facts, torch, plain)));
  }
  if (count > kWrittenOut || static_cast<std::int64_t>(facts.elements.size()) != count || is_complex(dtype))
    return texts;
  std::vector<double> exact;
  for (const auto& [at, value] : facts.elements) {
    if (!std::isfinite(value)) return texts;
    exact.push_back(value);
  }
  std::vector<double> rounded = exact;
  for (double& value : rounded) value = std::round(value * 2) / 2;
  const bool inferred = dtype == Dtype::kFloat32 || dtype == Dtype::kInt64 || dtype == Dtype::kBool;
  for (const std::vector<double>* values : {&rounded, &exact}) {
    if (values == &exact && exact == rounded) break;
    std::size_t at = 0;
    texts.push_back(fmt::format("{}.tensor({}{})", torch, nested(*values, shape, 0, at, dtype),
                                options(facts, torch, inferred && count > 0)));
  }
  return texts;
}

}  // namespace jp::reduce
