// Values that a compiler gives in another form by design. What they hold is compared all the same.
#pragma once

#include <optional>

#include "core/observation.h"

namespace jp::oracle {

/// numpy's scalars become tensors or arrays of one element: `compiled` as the scalar of eager's type that it stands
/// for. Nothing where this is not the case, or where the element types differ. `run`: the observation that `compiled`
/// is in.
std::optional<Value> as_numpy_scalar(const Value& eager, const Value& compiled, const Observation& run);

/// Iterators over lists and tuples: Dynamo makes either from what is left to come.
bool iterate_alike(const Value& eager, const Value& compiled);

}  // namespace jp::oracle
