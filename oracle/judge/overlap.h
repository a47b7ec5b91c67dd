// Tensors whose elements share memory with one another: writes through them have no defined result.
#pragma once

#include <cstdint>
#include <optional>

#include "core/observation.h"

namespace jp::oracle {

/// Whether two elements of the tensor have the same address, from its shape and strides. Exact for tensors of up to
/// 4096 elements; larger ones are assumed to overlap if their strides alone can't rule it out.
bool overlaps_itself(const TensorRecord& tensor);

/// From the tensor's first element to behind its last, in elements of its storage; strides are not negative.
std::int64_t extent(const TensorRecord& tensor);

/// Whether an argument may overlap itself that is larger than what runs with other choices look at
/// (pyrunner/runtime/controls/overlapping.py).
bool overlaps_beyond_choices(const Observation& run);

/// The first call after which an argument that overlaps itself, or what it is a view of, has been written, or nothing.
std::optional<int> overlapping_write(const Observation& run);

}  // namespace jp::oracle
