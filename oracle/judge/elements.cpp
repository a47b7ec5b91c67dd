#include "oracle/judge/elements.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include "core/half.h"
#include "core/tensor_type.h"

namespace jp::oracle {
namespace {

// Records are little-endian, and so is every machine that torch supports.
static_assert(std::endian::native == std::endian::little);

template <typename T>
T load(std::string_view bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace

std::optional<Elements> Elements::of(const TensorRecord& record) {
  const std::optional<std::int64_t> checked = checked_element_count(record.shape);
  if (!record.unreadable.empty() || record.layout != "strided" || !checked) return std::nullopt;
  const auto count = static_cast<std::size_t>(*checked);
  Elements elements;
  elements.dtype_ = parse_dtype(record.dtype);
  elements.count_ = count;
  elements.bytes_ = record.bytes;
  if (count == 0) return record.bytes.empty() ? std::optional(elements) : std::nullopt;
  const std::size_t size =
      elements.dtype_ ? static_cast<std::size_t>(dtype_size(*elements.dtype_)) : record.bytes.size() / count;
  if (size == 0 || record.bytes.size() % size != 0 || record.bytes.size() / size != count) return std::nullopt;
  elements.width_ = size / elements.parts();
  return elements;
}

double Elements::number(std::size_t i) const {
  const std::string_view bytes = raw(i);
  switch (*dtype_) {
    case Dtype::kFloat16:
      return half_to_double(load<std::uint16_t>(bytes));
    case Dtype::kBFloat16:
      return bfloat16_to_double(load<std::uint16_t>(bytes));
    case Dtype::kFloat32:
    case Dtype::kComplex64:
      return load<float>(bytes);
    default:
      return load<double>(bytes);
  }
}

std::string Elements::show(std::size_t i) const {
  if (is_inexact()) {
    if (parts() == 2) return fmt::format("({:.9g}{:+.9g}j)", number(2 * i), number(2 * i + 1));
    return fmt::format("{:.{}g}", number(i), *dtype_ == Dtype::kFloat64 ? 17 : 9);
  }
  const std::string_view bytes = raw(i);
  if (dtype_ == Dtype::kBool) return bytes[0] == 0 ? "False" : "True";
  if (dtype_ == Dtype::kUInt8) return fmt::format("{}", load<std::uint8_t>(bytes));
  if (dtype_ == Dtype::kInt8) return fmt::format("{}", load<std::int8_t>(bytes));
  if (dtype_ == Dtype::kInt16) return fmt::format("{}", load<std::int16_t>(bytes));
  if (dtype_ == Dtype::kInt32) return fmt::format("{}", load<std::int32_t>(bytes));
  if (dtype_ == Dtype::kInt64) return fmt::format("{}", load<std::int64_t>(bytes));
  std::string text = "0x";
  for (std::size_t at = bytes.size(); at-- > 0;) text += fmt::format("{:02x}", static_cast<unsigned char>(bytes[at]));
  return text;
}

bool shows_halves(const Observation& run) {
  return std::any_of(run.tensors.begin(), run.tensors.end(), [](const TensorRecord& record) {
    return record.dtype == "float16" || record.dtype == "bfloat16";
  });
}

std::string position(const TensorRecord& record, std::size_t i) {
  if (record.shape.empty()) return "";
  std::vector<std::size_t> index(record.shape.size());
  for (std::size_t dim = record.shape.size(); dim-- > 0;) {
    const auto size = static_cast<std::size_t>(record.shape[dim]);
    if (size == 0) return "";
    index[dim] = i % size;
    i /= size;
  }
  return fmt::format("[{}]", fmt::join(index, ", "));
}

}  // namespace jp::oracle
