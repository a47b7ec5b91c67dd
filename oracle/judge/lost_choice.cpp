#include "oracle/judge/lost_choice.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "oracle/judge/tolerance.h"

namespace jp::oracle {
namespace {

constexpr int kFewestRuns = 2;              // with one alone sums may be alike by chance
constexpr double kShareOfMoved = 1.0 / 64;  // by which rounding may shift a sum, of what is moved

struct Moves {
  double gained = 0;  // by the sum
  double moved = 0;   // what is taken away somewhere and what is added somewhere
};

Moves moves(const Elements& from, const Elements& to) {
  Moves found;
  for (std::size_t i = 0; i < from.count() * from.parts(); ++i) {
    found.gained += to.number(i) - from.number(i);
    found.moved += std::abs(to.number(i) - from.number(i));
  }
  return found;
}

bool is_finite(const Elements& elements) {
  for (std::size_t i = 0; i < elements.count() * elements.parts(); ++i)
    if (!std::isfinite(elements.number(i))) return false;
  return true;
}

// Everywhere the compiled tensor has what eager or some run has.
bool is_of_them(const Elements& compiled, const Elements& eager, const std::vector<Elements>& chosen,
                Tolerance tolerance) {
  for (std::size_t i = 0; i < eager.count() * eager.parts(); ++i) {
    const double shown = compiled.number(i);
    const auto has = [&](const Elements& run) { return is_close(tolerance, run.number(i), shown); };
    if (!has(eager) && std::none_of(chosen.begin(), chosen.end(), has)) return false;
  }
  return true;
}

}  // namespace

bool loses_what_choices_move(const Elements& eager, const Elements& compiled, const std::vector<Elements>& chosen,
                             Dtype dtype) {
  if (!is_finite(eager) || !is_finite(compiled) || !std::all_of(chosen.begin(), chosen.end(), is_finite)) return false;
  int moving = 0;
  double most = 0;
  for (const Elements& run : chosen) {
    const Moves found = moves(eager, run);
    if (std::abs(found.gained) > kShareOfMoved * found.moved) return false;
    if (found.moved > 0) ++moving;
    most = std::max(most, found.moved);
  }
  const bool keeps_sum = std::abs(moves(eager, compiled).gained) <= 2 * kShareOfMoved * most;
  return moving >= kFewestRuns && !keeps_sum && is_of_them(compiled, eager, chosen, default_tolerance(dtype));
}

}  // namespace jp::oracle
