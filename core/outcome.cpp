#include "core/outcome.h"

#include <array>

namespace jp {

std::string_view ending_name(const Ending& ending) {
  constexpr std::array<std::string_view, 6> kNames = {"finished",  "raised",        "died",
                                                      "timed_out", "out_of_memory", "broken"};
  return kNames[ending.index()];
}

}  // namespace jp
