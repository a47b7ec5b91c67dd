// Where a MessagePack value ends, found without reading what it holds.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace jp::codec {

/// The size of the value at the front of `bytes`. Nothing where they end early, are no MessagePack, or nest deeper than
/// `most_depth`: whoever reads the value by recursion may then run out of stack.
std::optional<std::size_t> extent(std::string_view bytes, std::size_t most_depth);

}  // namespace jp::codec
