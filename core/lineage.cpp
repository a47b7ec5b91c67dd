#include "core/lineage.h"

#include <algorithm>

namespace jp {

int Lineage::next_number() const {
  int next = 0;
  for (const Step& step : steps) next = std::max(next, step.number + 1);
  return next;
}

}  // namespace jp
