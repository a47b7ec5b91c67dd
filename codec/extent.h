// Where a MessagePack value ends, found without decoding it.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace jp::codec {

/// The size of the value at the front of `bytes`. Nothing if they end early, are not MessagePack, or nest deeper than
/// `most_depth`: a recursive reader might then run out of stack.
std::optional<std::size_t> extent(std::string_view bytes, std::size_t most_depth);

}  // namespace jp::codec
