#include "seedgen/harvest/instance.h"

#include <fmt/format.h>

namespace jp::seedgen {
namespace {

constexpr std::size_t kManyDimensions = 6;

std::string integer_class(std::int64_t value) {
  if (value <= -2) return "<=-2";
  return value >= 2 ? ">=2" : fmt::to_string(value);
}

std::string float_class(double value) {
  if (value < 0) return "float<0";
  if (value > 0) return "float>0";
  return value == 0 ? "float=0" : "nan";
}

std::string tensor_class(const ParameterValue& tensor) {
  const std::size_t rank = tensor.shape.size();
  std::string text = fmt::format("{}[{}", tensor.word, rank >= kManyDimensions ? ">=6" : fmt::to_string(rank));
  for (const std::int64_t size : tensor.shape) text += fmt::format(" {}", integer_class(size));
  return text + "]";
}

}  // namespace

std::string value_class(const ParameterValue& value) {
  switch (value.kind) {
    case ParameterValue::Kind::kNone:
      return "none";
    case ParameterValue::Kind::kWord:
      return fmt::format("'{}", value.word);
    case ParameterValue::Kind::kInteger:
      return integer_class(value.integer);
    case ParameterValue::Kind::kFloat:
      return float_class(value.number);
    case ParameterValue::Kind::kTensor:
      return tensor_class(value);
    case ParameterValue::Kind::kList:
      break;
  }
  std::string text = "(";
  for (const ParameterValue& item : value.items) text += fmt::format("{},", value_class(item));
  return text + ")";
}

}  // namespace jp::seedgen
