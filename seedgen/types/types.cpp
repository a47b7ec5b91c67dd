#include "seedgen/types/types.h"

namespace jp::seedgen {

Argument python_number(Dtype dtype, double number) {
  if (dtype == Dtype::kBool) return number != 0;
  if (is_integral(dtype)) return static_cast<std::int64_t>(number);
  return number;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  std::optional<Shape> shape = broadcast_shapes(a, b);
  return shape && extent(*shape) <= kMaxElements ? shape : std::nullopt;
}

}  // namespace jp::seedgen
