#include "seedgen/harvest/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

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

std::string rank_class(const ParameterValue& tensor) {
  const std::size_t rank = tensor.shape.size();
  return rank >= kManyDimensions ? ">=6" : fmt::to_string(rank);
}

std::string tensor_class(const ParameterValue& tensor) {
  std::string text = fmt::format("{}[{}", tensor.word, rank_class(tensor));
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

std::vector<std::string> value_traits(const ParameterValue& value) {
  std::vector<std::string> traits;
  if (value.kind == ParameterValue::Kind::kTensor) {
    traits = {value.word, fmt::format("rank {}", rank_class(value))};
    for (const std::int64_t size : {0, 1})
      if (std::count(value.shape.begin(), value.shape.end(), size) > 0) traits.push_back(fmt::format("size {}", size));
  } else if (value.kind == ParameterValue::Kind::kList) {
    traits = {fmt::format("items {}", integer_class(static_cast<std::int64_t>(value.items.size())))};
    for (const ParameterValue& item : value.items)
      for (std::string& trait : value_traits(item)) traits.push_back(std::move(trait));
  } else {
    traits = {value_class(value)};
  }
  return traits;
}

}  // namespace jp::seedgen
