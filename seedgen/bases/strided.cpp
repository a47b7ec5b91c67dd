#include "seedgen/bases/strided.h"

#include <algorithm>

namespace jp::seedgen {

bool is_dense(const Value& x) {
  return x.strides_known && element_count(x.shape) > 0 && is_non_overlapping_and_dense(x.shape, x.strides);
}

Diagonal draw_diagonal_of(Draft& draft, const Shape& shape) {
  std::vector<Dim> dims = draft.dims(shape.size(), 2);
  Diagonal diagonal{.first = dims[0], .second = dims[1]};
  std::int64_t rows = shape[diagonal.first.at];
  std::int64_t columns = shape[diagonal.second.at];
  diagonal.offset = draft.between(std::max<std::int64_t>(-2, 1 - std::max<std::int64_t>(rows, 1)),
                                  std::min<std::int64_t>(2, std::max<std::int64_t>(columns, 1) - 1));
  std::int64_t offset = diagonal.offset;
  std::int64_t length = offset >= 0 ? std::min(rows, columns - offset) : std::min(rows + offset, columns);
  for (int i = 0; i < shape.size(); ++i)
    if (i != diagonal.first.at && i != diagonal.second.at) diagonal.shape.push_back(shape[i]);
  diagonal.shape.push_back(std::max<std::int64_t>(length, 0));
  return diagonal;
}

Want want_for_strided() {
  Want want{.dtypes = kEveryDtype, .shape = ShapeWant::any(0, kMaxRank, 1)};
  want.live = [](const Value& value) { return is_dense(value) && !value.overlaps_itself; };
  return want;
}

// Each dimension takes steps over what is left of the span. Without overlaps a dimension's stride exceeds everything
// that the ones before it reach.
Strided draw_strided_of(Draft& draft, const Value& x, bool overlaps) {
  std::int64_t last = 0;  // the highest offset from the first element
  for (int i = 0; i < x.shape.size(); ++i) last += (x.shape[i] - 1) * x.strides[i];
  Strided drawn;
  std::int64_t reached = 0;
  auto rank = static_cast<int>(draft.between(0, 3));
  for (int i = 0; i < rank; ++i) {
    std::int64_t stride = overlaps ? draft.between(0, 3) : reached + draft.between(1, 2);
    std::int64_t most = stride == 0 ? 4 : (last - reached) / stride + 1;
    std::int64_t size = draft.between(1, std::clamp<std::int64_t>(most, 1, 5));
    drawn.overlaps = drawn.overlaps || (size > 1 && stride <= reached);
    reached += (size - 1) * stride;
    auto at = static_cast<int>(draft.between(0, drawn.shape.size()));
    drawn.shape.insert(at, size);
    drawn.strides.insert(at, stride);
  }
  return drawn;
}

}  // namespace jp::seedgen
