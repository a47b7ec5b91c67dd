#include "seedgen/distinct.h"

#include <fmt/format.h>

#include <cmath>

namespace jp::seedgen {

Value draw_keyed(Draft& draft, const ShapeWant& shape) {
  Want want{.dtypes = kAnyDtype, .shape = shape, .within = {-1e9, 1e9}, .exact = true};
  want.plain = true;
  want.rather = takes_steps;
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
  Interval whole =
      x.dtype == Dtype::kBool ? x.interval : Interval{std::trunc(x.interval.low), std::trunc(x.interval.high)};
  Distinct keys{.text = fmt::format("$0.long() * {} + {}", n, ramp),
                .interval = scaled(whole, count) + Interval{0, count - 1}};
  if (!floats_only && draft.flip()) return keys;
  keys.dtype = Dtype::kFloat64;
  keys.text = fmt::format("$0.double().trunc() * {} + {}", n, ramp);
  return keys;
}

}  // namespace jp::seedgen
