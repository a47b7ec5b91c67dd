#include "oracle/judge/lost_choice.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "oracle/judge/limits.h"
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

using Places = std::vector<std::size_t>;

// The parts at which some run differs from eager.
Places free_places(const Elements& eager, const Evidence& evidence) {
  Places places;
  for (std::size_t i = 0; i < eager.count() * eager.parts(); ++i) {
    const auto differs = [&](const Elements& run) { return run.raw(i) != eager.raw(i); };
    if (std::any_of(evidence.chosen.begin(), evidence.chosen.end(), differs) ||
        std::any_of(evidence.equals.begin(), evidence.equals.end(), differs))
      places.push_back(i);
  }
  return places;
}

// What a tensor holds at these places, in an order of bytes.
std::vector<std::string_view> sorted_parts(const Elements& elements, const Places& places) {
  std::vector<std::string_view> parts;
  for (const std::size_t i : places) parts.push_back(elements.raw(i));
  std::sort(parts.begin(), parts.end());
  return parts;
}

std::vector<double> sorted_numbers(const Elements& elements, const Places& places) {
  std::vector<double> numbers;
  for (const std::size_t i : places) numbers.push_back(elements.number(i));
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

// Floats may be rounded otherwise.
bool is_made_of(const Elements& compiled, const Elements& eager, const Places& places) {
  if (!eager.is_inexact()) return sorted_parts(compiled, places) == sorted_parts(eager, places);
  const std::vector<double> one = sorted_numbers(eager, places);
  const std::vector<double> other = sorted_numbers(compiled, places);
  const Tolerance tolerance = default_tolerance(*eager.dtype());
  for (std::size_t i = 0; i < one.size(); ++i)
    if (std::abs(one[i] - other[i]) > kLimits.sensitive.of(*eager.dtype()) * allowance(tolerance, one[i])) return false;
  return true;
}

}  // namespace

Freedom freedom_to_permute(const Elements& eager, const Elements& compiled, const Evidence& evidence) {
  if (evidence.chosen.empty()) return Freedom::kFree;
  if (eager.is_inexact() && (!is_finite(eager) || !is_finite(compiled))) return Freedom::kFree;
  const Places places = free_places(eager, evidence);
  if (places.size() < 2 || is_made_of(compiled, eager, places)) return Freedom::kFree;
  const std::vector<std::string_view> parts = sorted_parts(eager, places);
  const auto permutes = [&](const Elements& run) { return sorted_parts(run, places) == parts; };
  if (!std::all_of(evidence.chosen.begin(), evidence.chosen.end(), permutes) ||
      !std::all_of(evidence.equals.begin(), evidence.equals.end(), permutes))
    return Freedom::kFree;
  return freedom_if_listed(evidence.equals.size());
}

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
