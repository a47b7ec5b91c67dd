// Breaks each constraint of each operator: JSON lines {"op", "name", "only_ours", "seed", "source", …} for
// check_breaks.py and scripts/only_ours.py. "shape" and "from" are of the value that breaks it, "taken" of what it
// replaces; "was" and "now" are numbers that a call has in its parentheses.
//
//   breaks_dump FIRST SEEDS BEFORE [--every] [--tensors] [OPERATOR…]
//
// Of the calls of so many seeds one breach that is new by operator, constraint, place, way, dtype and shape class is
// printed, behind BEFORE valid calls; every one with --every. With --tensors the only live value is an argument of a
// dtype and a shape that the seed draws, as the mutation break_rule has it. Without names all operators are broken.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "seedgen/bases/members.h"
#include "seedgen/broken.h"
#include "seedgen/constraints/only_ours.h"

namespace jp::seedgen {
namespace {

struct Options {
  std::uint64_t first = 0;
  std::uint64_t seeds = 0;
  int before = 0;
  bool every = false;
  bool tensors = false;
};

const std::vector<std::vector<std::int64_t>> kShapes = {{},
                                                        {1},
                                                        {2},
                                                        {5},
                                                        {1, 1},
                                                        {1, 4},
                                                        {4, 1},
                                                        {2, 2},
                                                        {3, 4},
                                                        {4, 4},
                                                        {2, 3, 4},
                                                        {1, 1, 1},
                                                        {3, 2, 1, 2},
                                                        {1, 2, 1, 2, 2},
                                                        {2, 3, 3, 3},
                                                        {1, 3, 2, 2},
                                                        {2, 1, 3, 2, 2},
                                                        {3, 1, 2}};

TensorType drawn_type(std::string_view op, std::uint64_t seed) {
  Choices choices = Choices(seed).fork(op);
  TensorType type;
  type.dtype = choices.pick(std::vector<Dtype>(all_dtypes().begin(), all_dtypes().end()));
  type.shape = choices.pick(kShapes);
  return type;
}

std::vector<std::int64_t> sizes_of(const GraphValue& value) { return {value.shape.begin(), value.shape.end()}; }

void print_operator(const std::string& op, const Options& options) {
  Coverage printed;
  for (std::uint64_t seed = options.first; seed < options.first + options.seeds; ++seed)
    for (const BrokenCall& call :
         options.tensors ? broken_calls_of(op, seed, drawn_type(op, seed)) : broken_calls(op, seed, options.before)) {
      if (!printed.add(call.feature) && !options.every) continue;
      const nlohmann::json line = {{"op", call.op},
                                   {"name", feature_name(call.feature)},
                                   {"only_ours", call.only_ours},
                                   {"seed", seed},
                                   {"constraint", constraint_name(call.breach.constraint)},
                                   {"place", place_of(call.breach)},
                                   {"far", call.breach.far},
                                   {"dtype", dtype_name(call.breach.value.dtype)},
                                   {"from", dtype_name(call.breach.taken.dtype)},
                                   {"shape", sizes_of(call.breach.value)},
                                   {"taken", sizes_of(call.breach.taken)},
                                   {"was", call.breach.was},
                                   {"now", call.breach.now},
                                   {"source", call.source}};
      fmt::print("{}\n", line.dump());
    }
}

}  // namespace
}  // namespace jp::seedgen

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: breaks_dump FIRST SEEDS BEFORE [--every] [--tensors] [OPERATOR...]\n");
    return 2;
  }
  jp::seedgen::Options options{.first = std::strtoull(argv[1], nullptr, 10),
                               .seeds = std::strtoull(argv[2], nullptr, 10),
                               .before = std::atoi(argv[3])};
  std::vector<std::string> operators;
  for (int i = 4; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--every")
      options.every = true;
    else if (word == "--tensors")
      options.tensors = true;
    else
      operators.emplace_back(word);
  }
  if (operators.empty())
    for (const jp::seedgen::Member& member : jp::seedgen::all_members()) operators.emplace_back(member.id);
  for (const std::string& op : operators) jp::seedgen::print_operator(op, options);
  return 0;
}
