// Tensors as Python literals, from facts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"

namespace jp::reduce {

/// Largest number of elements that is written out.
inline constexpr std::int64_t kWrittenOut = 16;

/// Expressions that make a tensor of these facts' dtype and shape, the simplest first: ones, zeros, a range, the
/// elements rounded, the elements themselves. The last two only if all elements are known and few. `torch` is the
/// module's name. Empty if dtype or shape is not known.
std::vector<std::string> written_tensors(const NameFacts& facts, std::string_view torch);

}  // namespace jp::reduce
