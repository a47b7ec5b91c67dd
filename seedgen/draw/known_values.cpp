#include "seedgen/draw/known_values.h"

namespace jp::seedgen {

void KnownValues::add(const Value& value, InputSensitivity sensitivity) {
  of_dtype_[static_cast<std::size_t>(value.dtype)].add(value.id);
  const auto shape = std::find(shapes_.begin(), shapes_.end(), value.shape);
  place_of_.push_back(static_cast<std::size_t>(shape - shapes_.begin()));
  if (shape == shapes_.end()) shapes_.push_back(value.shape);
  set_sensitivity(value.id, sensitivity);
  unread_.add(value.id);
  if (value.input) return;
  results_.add(value.id);
  if (sensitivity != InputSensitivity::kDependent) unread_constants_.add(value.id);
}

void KnownValues::set_sensitivity(int id, InputSensitivity sensitivity) {
  sensitivity == InputSensitivity::kConstant ? constant_.add(id) : constant_.drop(id);
  sensitivity == InputSensitivity::kDependent ? dependent_.add(id) : dependent_.drop(id);
}

void KnownValues::mark_read(int id) {
  unread_.drop(id);
  unread_constants_.drop(id);
}

InputSensitivity KnownValues::sensitivity(int id) const {
  if (dependent_.has(id)) return InputSensitivity::kDependent;
  return constant_.has(id) ? InputSensitivity::kConstant : InputSensitivity::kStepwise;
}

void KnownValues::find(DtypeSet dtypes, ValueSet& found) const {
  found.clear();
  for (std::size_t i = 0; i < kDtypes; ++i)
    if (dtypes.has(static_cast<Dtype>(i))) found |= of_dtype_[i];
}

void KnownValues::keep_mates(ValueSet& among) {
  mates_.clear();
  for (DtypeSet kind : {kFloats | kComplex, kIntegers | kBools}) {
    find(kind, kind_);
    waiting_ = unread_constants_;
    waiting_ &= kind_;
    kind_ &= among;
    keep_shapes(kind_, [&](const Shape& shape) {
      return waiting_.any([&](int id) { return expands_to(shape_of(id), shape); });
    });
    mates_ |= kind_;
  }
  std::swap(among, mates_);
}

}  // namespace jp::seedgen
