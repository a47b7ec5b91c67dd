// Casts as a person writes them, defined for every value: a floating value goes to an integer type only without NaN and
// within the range of the type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"

namespace jp::mutate {

/// A cast of a tensor: what stands behind it, as ".nan_to_num().clamp(0, 100).to(torch.uint8)".
std::string cast_tail(std::string_view from, std::string_view to, const std::string& torch, Choices& choices);

/// Names of types to cast to; the likelier an operator takes them, the more often a name stands in it. The type itself
/// is left out.
std::vector<std::string_view> cast_targets(Dtype from);
/// The same for a value that is only stored in the type and cast back before it is used: eight bits and unsigned too.
std::vector<std::string_view> storage_targets(Dtype from);
/// Types that hold such values without another meaning: indices stay in range, finite values finite.
std::vector<std::string_view> gentle_targets(Dtype from);

}  // namespace jp::mutate
