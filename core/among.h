// Whether something stands in a list, or a part in a text.
#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace jp {

/// Whether `word` is one of the list's words.
template <class List>
bool among(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

/// Whether the text has `part` somewhere.
inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace jp
