// The ladder: backends of torch's own, each with one component of the compiler more than the one before.
#pragma once

#include <array>
#include <string_view>

namespace jp {

struct Rung {
  std::string_view backend;    // as torch.compile takes it
  std::string_view component;  // what it adds
};

inline constexpr std::array<Rung, 4> kLadder = {{{"eager", "dynamo"},
                                                 {"aot_eager", "aot_autograd"},
                                                 {"aot_eager_decomp_partition", "decompositions"},
                                                 {"inductor", "inductor"}}};

/// nullptr for a backend that is not on the ladder.
constexpr const Rung* rung_of(std::string_view backend) {
  for (const Rung& rung : kLadder)
    if (rung.backend == backend) return &rung;
  return nullptr;
}

}  // namespace jp
