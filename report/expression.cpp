#include "report/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "core/dtype.h"
#include "core/half.h"
#include "core/tensor_type.h"
#include "report/reproducer.h"

namespace jp::report {
namespace {

constexpr std::size_t kStep = 4;
constexpr std::int64_t kMostShown = 64;

std::string flat(const Expression& expression) {
  std::string text = expression.head;
  for (std::size_t i = 0; i < expression.items.size(); ++i) {
    if (i > 0) text += ", ";
    text += flat(expression.items[i]);
  }
  return text + expression.tail;
}

template <typename Number>
Number read_number(std::string_view bytes, std::size_t index) {
  Number number;
  std::memcpy(&number, bytes.data() + index * sizeof(Number), sizeof(Number));
  return number;
}

std::string complex_literal(double real, double imaginary, bool single) {
  return fmt::format("complex({}, {})", float_literal(real, single), float_literal(imaginary, single));
}

std::string element_literal(Dtype dtype, std::string_view bytes, std::size_t i) {
  switch (dtype) {
    case Dtype::kBool:
      return bytes[i] ? "True" : "False";
    case Dtype::kUInt8:
      return fmt::format("{}", read_number<std::uint8_t>(bytes, i));
    case Dtype::kInt8:
      return fmt::format("{}", read_number<std::int8_t>(bytes, i));
    case Dtype::kInt16:
      return fmt::format("{}", read_number<std::int16_t>(bytes, i));
    case Dtype::kInt32:
      return fmt::format("{}", read_number<std::int32_t>(bytes, i));
    case Dtype::kInt64:
      return fmt::format("{}", read_number<std::int64_t>(bytes, i));
    case Dtype::kFloat16:
      return float_literal(half_to_double(read_number<std::uint16_t>(bytes, i)), true);
    case Dtype::kBFloat16:
      return float_literal(bfloat16_to_double(read_number<std::uint16_t>(bytes, i)), true);
    case Dtype::kFloat32:
      return float_literal(read_number<float>(bytes, i), true);
    case Dtype::kFloat64:
      return float_literal(read_number<double>(bytes, i));
    case Dtype::kComplex64:
      return complex_literal(read_number<float>(bytes, 2 * i), read_number<float>(bytes, 2 * i + 1), true);
    case Dtype::kComplex128:
      return complex_literal(read_number<double>(bytes, 2 * i), read_number<double>(bytes, 2 * i + 1), false);
  }
  return "";
}

Expression nested(const std::vector<std::string>& elements, const std::vector<std::int64_t>& shape, std::size_t axis,
                  std::size_t& at) {
  if (axis == shape.size()) return {elements[at++], {}, ""};
  std::vector<Expression> items;
  for (std::int64_t i = 0; i < shape[axis]; ++i) items.push_back(nested(elements, shape, axis + 1, at));
  return list(std::move(items));
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return shape.size() == 1 ? fmt::format("{}", shape[0]) : fmt::format("{}", fmt::join(shape, ", "));
}

// 0, 1, 2 … in a type for which arange is written simply.
bool counts_up(const std::vector<std::string>& elements, Dtype dtype) {
  if (elements.size() < 4 || (dtype != Dtype::kFloat32 && dtype != Dtype::kInt64)) return false;
  for (std::size_t i = 0; i < elements.size(); ++i)
    if (elements[i] != fmt::format("{}{}", i, dtype == Dtype::kInt64 ? "" : ".0")) return false;
  return true;
}

// A whole tensor of one value: torch.zeros(2, 3).
std::optional<Expression> filled(const std::vector<std::string>& elements, const std::vector<std::int64_t>& shape,
                                 const std::string& keyword, Dtype dtype) {
  if (elements.size() < 4) return std::nullopt;
  if (std::any_of(elements.begin(), elements.end(), [&](const auto& one) { return one != elements[0]; }))
    return std::nullopt;
  const bool zero = elements[0] == "0" || elements[0] == "0.0";
  const bool one = elements[0] == "1" || elements[0] == "1.0";
  std::vector<Expression> arguments;
  for (std::int64_t size : shape) arguments.push_back({fmt::format("{}", size), {}, ""});
  if (!zero && !one) arguments = {tuple(std::move(arguments)), {elements[0], {}, ""}};
  // zeros and ones are float32 by default; full infers the type from its value.
  const bool told = (zero || one) ? dtype != Dtype::kFloat32 : !keyword.empty();
  if (told) arguments.push_back({fmt::format("dtype=torch.{}", dtype_name(dtype)), {}, ""});
  return call(zero ? "torch.zeros" : one ? "torch.ones" : "torch.full", std::move(arguments));
}

std::optional<double> hexadecimal(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || *end != '\0') return std::nullopt;
  return value;
}

std::optional<Expression> leaf_expression(const Value& value) {
  switch (value.kind) {
    case Value::Kind::kNone:
      return Expression{"None", {}, ""};
    case Value::Kind::kBool:
      return value.type == "bool" ? std::optional(Expression{value.text, {}, ""}) : std::nullopt;
    case Value::Kind::kInt:
      return value.type == "int" ? std::optional(Expression{value.text, {}, ""}) : std::nullopt;
    case Value::Kind::kText:
      return value.type == "str" ? std::optional(Expression{python_literal(value.text), {}, ""}) : std::nullopt;
    case Value::Kind::kFloat: {
      const std::optional<double> number = value.type == "float" ? hexadecimal(value.text) : std::nullopt;
      return number ? std::optional(Expression{float_literal(*number), {}, ""}) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

bool is_container(const Value& value) {
  return (value.kind == Value::Kind::kSequence && (value.type == "list" || value.type == "tuple")) ||
         (value.kind == Value::Kind::kMapping && value.type == "dict");
}

Expression container(const Value& value, std::vector<Expression> items) {
  if (value.kind == Value::Kind::kSequence)
    return value.type == "list" ? list(std::move(items)) : tuple(std::move(items));
  for (std::size_t i = 0; i < items.size(); ++i) items[i].head = value.labels[i] + ": " + items[i].head;
  return {"{", std::move(items), "}"};
}

std::string kind_text(const TensorRecord& record) {
  return fmt::format("<tensor of shape ({}), {}>", shape_text(record.shape), record.dtype);
}

Expression shown(const Value& value, const std::vector<TensorRecord>& tensors) {
  if (value.kind == Value::Kind::kTensor && value.index >= 0) {
    const TensorRecord& record = tensors[static_cast<std::size_t>(value.index)];
    std::optional<Expression> whole;
    const std::optional<std::int64_t> count = checked_element_count(record.shape);
    if (count && *count <= kMostShown) whole = tensor_expression(record);
    return whole ? *whole : Expression{kind_text(record), {}, ""};
  }
  if (const auto leaf = leaf_expression(value)) return *leaf;
  std::vector<Expression> items;
  for (const Value& item : value.items) items.push_back(shown(item, tensors));
  if (is_container(value)) return container(value, std::move(items));
  for (std::size_t i = 0; i < items.size() && i < value.labels.size(); ++i)
    items[i].head = value.labels[i] + "=" + items[i].head;
  if (items.empty()) return {value.text.empty() ? value.type : value.type + " " + value.text, {}, ""};
  return call(value.type, std::move(items));
}

}  // namespace

Expression call(std::string name, std::vector<Expression> arguments) {
  return {std::move(name) + "(", std::move(arguments), ")"};
}

Expression list(std::vector<Expression> items) { return {"[", std::move(items), "]"}; }

Expression tuple(std::vector<Expression> items) {
  const bool single = items.size() == 1;
  return {"(", std::move(items), single ? ",)" : ")"};
}

std::string layout(const Expression& expression, std::size_t indent, std::size_t used, std::size_t rest) {
  const std::string line = flat(expression);
  if (expression.items.empty() || used + line.size() + rest <= kLineWidth) return line;
  std::string text = expression.head + "\n";
  for (const Expression& item : expression.items) {
    text += std::string(indent + kStep, ' ');
    text += layout(item, indent + kStep, indent + kStep, 1) + ",\n";
  }
  std::string tail = expression.tail;
  if (tail.starts_with(",")) tail.erase(0, 1);
  return text + std::string(indent, ' ') + tail;
}

std::string float_literal(double value, bool single) {
  if (std::isnan(value)) return "torch.nan";
  if (std::isinf(value)) return value > 0 ? "torch.inf" : "-torch.inf";
  std::string text = single ? fmt::format("{}", static_cast<float>(value)) : fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::vector<std::string> element_literals(std::string_view dtype, std::string_view bytes, std::size_t count) {
  const std::optional<Dtype> known = parse_dtype(dtype);
  std::vector<std::string> elements;
  if (!known || bytes.size() != count * static_cast<std::size_t>(dtype_size(*known))) return elements;
  for (std::size_t i = 0; i < count; ++i) elements.push_back(element_literal(*known, bytes, i));
  return elements;
}

std::optional<Expression> tensor_expression(const TensorRecord& record) {
  const std::optional<Dtype> dtype = parse_dtype(record.dtype);
  const std::optional<std::int64_t> checked = checked_element_count(record.shape);
  if (!dtype || record.layout != "strided" || !record.unreadable.empty() || !checked) return std::nullopt;
  const auto count = static_cast<std::size_t>(*checked);
  const std::string keyword = fmt::format("dtype=torch.{}", record.dtype);
  if (count == 0) {
    std::vector<Expression> sizes;
    for (std::int64_t size : record.shape) sizes.push_back({fmt::format("{}", size), {}, ""});
    if (*dtype != Dtype::kFloat32) sizes.push_back({keyword, {}, ""});
    return call("torch.empty", std::move(sizes));
  }
  const std::vector<std::string> elements = element_literals(record.dtype, record.bytes, count);
  if (elements.empty()) return std::nullopt;
  const bool implied =
      *dtype == Dtype::kFloat32 || *dtype == Dtype::kInt64 || *dtype == Dtype::kBool || *dtype == Dtype::kComplex64;
  if (auto simple = filled(elements, record.shape, implied ? "" : keyword, *dtype)) return simple;
  if (counts_up(elements, *dtype)) {
    Expression numbers =
        call("torch.arange", {{fmt::format("{}{}", count, *dtype == Dtype::kInt64 ? "" : ".0"), {}, ""}});
    if (record.shape.size() != 1) numbers.tail += fmt::format(".reshape({})", shape_text(record.shape));
    return numbers;
  }
  std::size_t at = 0;
  std::vector<Expression> arguments = {nested(elements, record.shape, 0, at)};
  if (!implied) arguments.push_back({keyword, {}, ""});
  return call("torch.tensor", std::move(arguments));
}

std::optional<Expression> value_expression(const Value& value, const std::vector<TensorRecord>& tensors) {
  if (value.kind == Value::Kind::kTensor) {
    if (value.index < 0 || value.type != "torch.Tensor") return std::nullopt;
    return tensor_expression(tensors[static_cast<std::size_t>(value.index)]);
  }
  if (!is_container(value)) return leaf_expression(value);
  std::vector<Expression> items;
  for (const Value& item : value.items) {
    std::optional<Expression> one = value_expression(item, tensors);
    if (!one) return std::nullopt;
    items.push_back(std::move(*one));
  }
  return container(value, std::move(items));
}

std::string value_text(const Value& value, const std::vector<TensorRecord>& tensors) {
  return layout(shown(value, tensors), 0, 0) + "\n";
}

}  // namespace jp::report
