#include "seedgen/bases/distinct.h"

#include <fmt/format.h>

#include <cmath>

namespace jp::seedgen {
namespace {

// Floats are taken in eighths: most lie between -2 and 2, whose whole parts are nearly all alike.
constexpr double kParts = 8;

Interval parts_of(const Value& x) { return is_integral(x.dtype) ? x.interval : scaled(x.interval, kParts); }

bool differ(const Value& x) { return parts_of(x).high - parts_of(x).low >= 4; }

}  // namespace

Value Distinct::picked(const Shape& shape) const {
  Value keys = fresh_unknown(dtype, shape, interval);
  keys.whole = true;
  return keys;
}

Value draw_keyed(Draft& draft, const ShapeWant& shape) {
  Want want{.dtypes = kAnyDtype, .shape = shape, .within = {-1e9, 1e9}, .exact = true};
  want.plain = true;
  want.preferred = differ;
  return draft.input(want);
}

Distinct distinct(Draft& draft, const Value& x, int dim, bool floats_only) {
  std::int64_t n = dim < 0 ? numel(x.shape) : x.shape[dim];
  Shape places = x.shape;
  if (dim >= 0)
    for (int i = 0; i < places.size(); ++i) places[i] = i == dim ? n : 1;
  std::string ramp = fmt::format("torch.arange({}).view({})", n, fmt::join(places, ", "));
  if (places.empty()) ramp = fmt::format("torch.arange({}).view(())", n);
  auto count = static_cast<double>(n);
  Interval whole = {std::trunc(parts_of(x).low), std::trunc(parts_of(x).high)};
  std::string parts = is_integral(x.dtype) ? "$0" : fmt::format("($0.double() * {})", kParts);
  Distinct keys{.text = fmt::format("{}.long() * {} + {}", parts, n, ramp),
                .interval = scaled(whole, count) + Interval{0, count - 1}};
  if (!floats_only && draft.flip()) return keys;
  keys.dtype = Dtype::kFloat64;
  keys.text = fmt::format("{} * {} + {}", is_integral(x.dtype) ? "$0.double()" : parts + ".trunc()", n, ramp);
  return keys;
}

}  // namespace jp::seedgen
