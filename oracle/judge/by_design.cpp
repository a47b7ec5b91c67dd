#include "oracle/judge/by_design.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "oracle/judge/elements.h"

namespace jp::oracle {
namespace {

constexpr std::string_view kNumpy = "numpy.";

// The element type of a numpy scalar's class: "float32" of "numpy.float32", "bool" of "numpy.bool_".
std::string element_type(std::string_view scalar) {
  const std::string name(scalar.substr(kNumpy.size()));
  return name == "bool_" ? "bool" : name;
}

// As the worker writes Python's own numbers. Of types without rules only the wider unsigned integers are numpy's, too.
std::string text_of(const Elements& element) {
  if (!element.dtype()) {
    std::uint64_t number = 0;
    const std::string_view bytes = element.raw(0);
    std::memcpy(&number, bytes.data(), std::min(bytes.size(), sizeof number));
    return fmt::format("{}", number);
  }
  if (!element.is_inexact()) return element.show(0);
  if (element.parts() == 2) return fmt::format("{:a} {:a}", element.number(0), element.number(1));
  return fmt::format("{:a}", element.number(0));
}

bool over_sequence(const Value& value) { return value.type == "list_iterator" || value.type == "tuple_iterator"; }

}  // namespace

std::optional<Value> as_numpy_scalar(const Value& eager, const Value& compiled, const Observation& run) {
  if (!eager.type.starts_with(kNumpy) || eager.kind == Value::Kind::kTensor) return std::nullopt;
  const auto at = static_cast<std::size_t>(compiled.index);
  if (compiled.kind != Value::Kind::kTensor || compiled.index < 0 || at >= run.tensors.size()) return std::nullopt;
  const TensorRecord& record = run.tensors[at];
  const std::optional<Elements> elements = Elements::of(record);
  if (!elements || !record.shape.empty() || record.dtype != element_type(eager.type)) return std::nullopt;
  Value scalar = eager;
  scalar.text = text_of(*elements);
  return scalar;
}

bool iterate_alike(const Value& eager, const Value& compiled) {
  return eager.kind == Value::Kind::kIterator && compiled.kind == Value::Kind::kIterator && over_sequence(eager) &&
         over_sequence(compiled);
}

}  // namespace jp::oracle
