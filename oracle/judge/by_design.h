// Values that a compiler returns in another form by design. Their contents are compared all the same.
#pragma once

#include <optional>

#include "core/observation.h"

namespace jp::oracle {

/// numpy's scalars become tensors or arrays of one element: `compiled` as the scalar of eager's type that it stands
/// for. Nothing if this is not the case, or if the element types differ. `run`: the observation that contains
/// `compiled`.
std::optional<Value> as_numpy_scalar(const Value& eager, const Value& compiled, const Observation& run);

/// Whether both are iterators over lists or tuples: Dynamo makes either from the remaining items.
bool iterate_alike(const Value& eager, const Value& compiled);

}  // namespace jp::oracle
