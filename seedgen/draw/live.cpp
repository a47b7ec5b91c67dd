#include "seedgen/draw/live.h"

namespace jp::seedgen {

Model::Model(Draft& draft) : draft_(draft) {
  if (draft.graph().values.empty() || draft.choices().chance(1, 4)) return;
  value_ = pick();
  if (value_->interval.low == value_->interval.high) value_ = pick();
}

const Value* Model::pick() const {
  const std::vector<Value>& values = draft_.graph().values;
  return &values[draft_.choices().below(values.size())];
}

std::optional<Shape> Model::shape() const {
  if (value_ == nullptr || value_->shape.empty() || extent(value_->shape) != numel(value_->shape)) return std::nullopt;
  return value_->shape;
}

std::int64_t Model::length(std::int64_t least, std::int64_t most) const {
  const std::optional<Shape> sizes = shape();
  const bool fits = sizes && sizes->back() >= least && sizes->back() <= most;
  return fits ? sizes->back() : draw_size(draft_.choices(), least, most);
}

std::optional<Dtype> Model::dtype(DtypeSet dtypes) const {
  if (value_ == nullptr || !dtypes.has(value_->dtype) || draft_.choices().chance(1, 8)) return std::nullopt;
  return value_->dtype;
}

}  // namespace jp::seedgen
