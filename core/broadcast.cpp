#include "core/broadcast.h"

namespace jp {

bool broadcast_into(std::span<std::int64_t> shape, SizeSpan other) {
  const std::span<std::int64_t> last = shape.last(other.size());
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (last[i] == 1)
      last[i] = other[i];
    else if (other[i] != 1 && other[i] != last[i])
      return false;
  }
  return true;
}

bool expands_to(SizeSpan from, SizeSpan to) {
  if (from.size() > to.size()) return false;
  const SizeSpan last = to.last(from.size());
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] != 1 && from[i] != last[i]) return false;
  return true;
}

}  // namespace jp
