#include "oracle/reduce/pass.h"

#include <algorithm>
#include <array>

namespace jp::reduce {
namespace {

struct OwnStep {
  std::string_view name;
  std::string_view does;
};
/// Steps that are no passes: of the lineage (lineage.cpp), of the engine, and the last of all (names.h).
constexpr std::array<OwnStep, 8> kOwnSteps = {
    {{"drop_steps", "Removes mutations without which the fault still shows."},
     {"make_constant", "Replaces what mutations computed by the constant that it comes to."},
     {"shrink_draws", "Makes the numbers that mutations drew smaller."},
     {"shrink_seed", "Draws the program anew with fewer operators, and applies the same mutations."},
     {"shrink_data", "Makes the sizes, dtypes and values of the arguments simpler, and applies the same mutations."},
     {"focus", "Leaves only the output that shows the fault, and what it is computed from."},
     {"tidy", "Writes the program in the reducer's own layout."},
     {"plain_names", "Gives arguments and variables plain names."}}};

}  // namespace

std::string_view what_it_does(std::string_view step) {
  if (const Pass* pass = Passes::instance().find(step)) return pass->does();
  for (const OwnStep& own : kOwnSteps)
    if (own.name == step) return own.does;
  return "";
}

std::vector<const Pass*> passes_in_order() {
  std::vector<const Pass*> passes = Passes::instance().all();
  std::stable_sort(passes.begin(), passes.end(),
                   [](const Pass* one, const Pass* other) { return one->tier() < other->tier(); });
  return passes;
}

}  // namespace jp::reduce
