#include "fleet/patience.h"

#include "codec/codec.h"

namespace jp::fleet {

double deadline_of(const codec::Json& terms) {
  constexpr double kLeast = 600;
  constexpr double kRuns = 40;
  return std::max(kLeast, kRuns * terms.at("settings").at("limits").at("seconds").get<double>());
}

}  // namespace jp::fleet
