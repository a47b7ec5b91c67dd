// Casts in the spellings that programs use, with a defined result for every value: before a cast from floating to
// integer, NaN is replaced by 0 and values are clamped to [-100, 100] ([0, 100] for unsigned types), which every
// integer type holds.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"

namespace jp::mutate {

/// The text to put after a tensor to cast it: ".nan_to_num().clamp(0, 100).to(torch.uint8)". `from` and `to` are names
/// of dtypes.
std::string cast_tail(std::string_view from, std::string_view to, const std::string& torch, Choices& choices);

/// Names of dtypes to cast to, without `from` itself. A dtype that more operators accept is listed more often, so that
/// it is drawn more often.
std::vector<std::string_view> cast_targets(Dtype from);
/// The same for a value that is only stored in the dtype and cast back before it is used: also float8 and unsigned
/// ones.
std::vector<std::string_view> storage_targets(Dtype from);
/// Dtypes that hold typical values of `from` without changing what they mean: indices stay in range and finite values
/// stay finite.
std::vector<std::string_view> gentle_targets(Dtype from);

}  // namespace jp::mutate
