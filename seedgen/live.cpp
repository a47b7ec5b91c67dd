#include "seedgen/live.h"

namespace jp::seedgen {

std::optional<Shape> draw_live_shape(Draft& draft) {
  const std::vector<Value>& values = draft.graph().values;
  if (values.empty() || draft.choices().chance(1, 4)) return std::nullopt;
  const Shape& shape = values[draft.choices().below(values.size())].shape;
  if (shape.empty() || extent(shape) != numel(shape)) return std::nullopt;
  return shape;
}

std::int64_t draw_live_length(Draft& draft, std::int64_t least, std::int64_t most) {
  const std::optional<Shape> shape = draw_live_shape(draft);
  const bool fits = shape && shape->back() >= least && shape->back() <= most;
  return fits ? shape->back() : draw_size(draft.choices(), least, most);
}

std::optional<Dtype> draw_live_dtype(Draft& draft, DtypeSet dtypes) {
  const std::vector<Value>& values = draft.graph().values;
  if (values.empty() || draft.flip()) return std::nullopt;
  const Dtype dtype = values[draft.choices().below(values.size())].dtype;
  return dtypes.has(dtype) ? std::optional(dtype) : std::nullopt;
}

}  // namespace jp::seedgen
