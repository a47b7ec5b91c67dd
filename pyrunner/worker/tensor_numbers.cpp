#include "pyrunner/worker/tensor_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>
#include <utility>

#include "core/half.h"
#include "core/tensor_type.h"

namespace jp::pyrunner {
namespace {

constexpr std::int64_t kWhole = 64;
constexpr std::int64_t kPositions = 16;
constexpr std::int64_t kExact = std::int64_t{1} << 53;

struct Bool {
  std::uint8_t bits;
};
struct Half {
  std::uint16_t bits;
};
struct BFloat {
  std::uint16_t bits;
};

double number(Bool value) { return value.bits == 0 ? 0 : 1; }

double number(Half half) { return half_to_double(half.bits); }
double number(BFloat bfloat) { return bfloat16_to_double(bfloat.bits); }

template <typename T>
double number(T value) {
  return static_cast<double>(value);
}

template <typename T>
bool exact(T value) {
  if constexpr (std::is_same_v<T, std::int64_t>) return -kExact <= value && value <= kExact;
  return true;
}

/// Calls `visit` with the offset of each element, in row-major order.
template <typename Visit>
void each_offset(const Strided& tensor, const Visit& visit) {
  const std::int64_t row = tensor.shape.empty() ? 1 : tensor.shape.back();
  const std::int64_t step = tensor.shape.empty() ? 0 : tensor.strides.back();
  std::vector<std::int64_t> index(tensor.shape.empty() ? 0 : tensor.shape.size() - 1, 0);
  std::int64_t offset = 0;
  for (std::int64_t left = element_count(tensor.shape); left > 0; left -= row) {
    for (std::int64_t i = 0; i < row; ++i) visit(offset + i * step);
    for (std::size_t dim = index.size(); dim-- > 0;) {
      offset += tensor.strides[dim];
      if (++index[dim] < tensor.shape[dim]) break;
      offset -= tensor.strides[dim] * tensor.shape[dim];
      index[dim] = 0;
    }
  }
}

template <typename T>
void enter(NameFacts& entry, const Strided& tensor, bool negated) {
  const std::vector<std::int64_t> wanted = known_positions(tensor);
  std::vector<Elements::value_type> elements;
  elements.reserve(wanted.size());
  auto next = wanted.begin();
  std::int64_t position = 0;
  bool bounded = !wanted.empty();
  double low = HUGE_VAL;
  double high = -HUGE_VAL;
  double sum = 0;
  each_offset(tensor, [&](std::int64_t offset) {
    T raw;
    std::memcpy(&raw, tensor.first + offset * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    const double value = negated ? -number(raw) : number(raw);
    if (next != wanted.end() && *next == position++) {
      if (exact(raw)) elements.emplace_back(*next, value);
      ++next;
    }
    bounded = bounded && exact(raw) && !std::isnan(value);
    low = std::min(low, value);
    high = std::max(high, value);
    sum += value;
  });
  entry.elements = Elements(std::move(elements));
  if (bounded) entry.minimum = low;
  if (bounded) entry.maximum = high;
  if (bounded && std::isfinite(sum)) entry.sum = sum;
}

}  // namespace

std::int64_t extent(const Strided& tensor) {
  std::int64_t last = 0;
  for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    if (tensor.shape[dim] == 0) return 0;
    last += (tensor.shape[dim] - 1) * tensor.strides[dim];
  }
  return last + 1;
}

std::vector<std::int64_t> known_positions(const Strided& tensor) {
  const std::int64_t count = element_count(tensor.shape);
  std::vector<std::int64_t> positions(static_cast<std::size_t>(count <= kWhole ? count : kPositions));
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    positions[i] = count <= kWhole ? number : number * (count - 1) / (kPositions - 1);
  }
  return positions;
}

void enter_numbers(NameFacts& entry, const Strided& tensor, Dtype dtype, bool negated) {
  switch (dtype) {
    case Dtype::kBool:
      return enter<Bool>(entry, tensor, negated);
    case Dtype::kUInt8:
      return enter<std::uint8_t>(entry, tensor, negated);
    case Dtype::kInt8:
      return enter<std::int8_t>(entry, tensor, negated);
    case Dtype::kInt16:
      return enter<std::int16_t>(entry, tensor, negated);
    case Dtype::kInt32:
      return enter<std::int32_t>(entry, tensor, negated);
    case Dtype::kInt64:
      return enter<std::int64_t>(entry, tensor, negated);
    case Dtype::kFloat16:
      return enter<Half>(entry, tensor, negated);
    case Dtype::kBFloat16:
      return enter<BFloat>(entry, tensor, negated);
    case Dtype::kFloat32:
      return enter<float>(entry, tensor, negated);
    case Dtype::kFloat64:
      return enter<double>(entry, tensor, negated);
    case Dtype::kComplex64:
    case Dtype::kComplex128:
      return;
  }
}

}  // namespace jp::pyrunner
