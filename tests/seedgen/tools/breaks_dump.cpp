// Breaks each constraint of each operator: JSON lines {"op", "name", "only_ours", "seed", "source", …} for
// check_breaks.py and scripts/only_ours.py. "shape" is that of the value that breaks it, "taken" of what it replaces.
//
//   breaks_dump FIRST SEEDS BEFORE [--every] [OPERATOR…]
//
// Of the calls of so many seeds one breach that is new by operator, constraint, place, way, dtype and shape class is
// printed, behind BEFORE valid calls; every one with --every. Without names all operators are broken.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "seedgen/bases/members.h"
#include "seedgen/broken.h"

namespace jp::seedgen {
namespace {

std::vector<std::int64_t> sizes_of(const GraphValue& value) { return {value.shape.begin(), value.shape.end()}; }

void print_operator(const std::string& op, std::uint64_t first, std::uint64_t seeds, int before, bool every) {
  Coverage printed;
  for (std::uint64_t seed = first; seed < first + seeds; ++seed)
    for (const BrokenCall& call : broken_calls(op, seed, before)) {
      if (!printed.add(call.feature) && !every) continue;
      const nlohmann::json line = {{"op", call.op},
                                   {"name", feature_name(call.feature)},
                                   {"only_ours", call.only_ours},
                                   {"seed", seed},
                                   {"constraint", constraint_name(call.breach.constraint)},
                                   {"place", call.breach.place},
                                   {"far", call.breach.far},
                                   {"dtype", dtype_name(call.breach.value.dtype)},
                                   {"shape", sizes_of(call.breach.value)},
                                   {"taken", sizes_of(call.breach.taken)},
                                   {"source", call.source}};
      fmt::print("{}\n", line.dump());
    }
}

}  // namespace
}  // namespace jp::seedgen

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: breaks_dump FIRST SEEDS BEFORE [--every] [OPERATOR...]\n");
    return 2;
  }
  const bool every = argc > 4 && std::string_view(argv[4]) == "--every";
  std::vector<std::string> operators(argv + (every ? 5 : 4), argv + argc);
  if (operators.empty())
    for (const jp::seedgen::Member& member : jp::seedgen::all_members()) operators.emplace_back(member.id);
  for (const std::string& op : operators)
    jp::seedgen::print_operator(op, std::strtoull(argv[1], nullptr, 10), std::strtoull(argv[2], nullptr, 10),
                                std::atoi(argv[3]), every);
  return 0;
}
