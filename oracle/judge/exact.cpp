// Elements that are compared exactly: integers, bools and types without rules.
#include <algorithm>
#include <limits>
#include <string_view>

#include "oracle/judge/free_choice.h"
#include "oracle/judge/lost_choice.h"
#include "oracle/judge/rounding.h"

namespace jp::oracle {
namespace {

// Whether the element is the smallest or largest number of its type: the result of undefined conversions.
bool at_end(const Elements& elements, std::size_t i) {
  const std::string_view raw = elements.raw(i);
  const bool is_signed = elements.dtype() != Dtype::kUInt8;
  const auto is = [&](char low, char high) {
    return std::all_of(raw.begin(), raw.end() - 1, [&](char byte) { return byte == low; }) && raw.back() == high;
  };
  const char zero = '\0';
  const char ones = '\xFF';
  return is_signed ? is(zero, '\x80') || is(ones, '\x7F') : is(zero, zero) || is(ones, ones);
}

Freedom freedom_at(const Elements& eager, const Elements& compiled, const Evidence& evidence, std::size_t i) {
  return freedom_of(
      eager, evidence.chosen, evidence.equals,
      [i](const Elements& one, const Elements& other) { return one.raw(i) == other.raw(i); },
      [&](const Elements& run) { return run.raw(i) == compiled.raw(i); });
}

Settled judge_exact(const Elements& eager, const Elements& compiled, const Evidence& evidence, Freedom freedom,
                    std::size_t i) {
  if (evidence.form_moves) return {"monte_carlo", ElementVerdict::kUnstable};
  for (const Elements& noisy : evidence.noisy)
    if (noisy.raw(i) != eager.raw(i)) return {"monte_carlo", ElementVerdict::kUnstable};
  if (evidence.may_be_undefined && (at_end(eager, i) || at_end(compiled, i)))
    return {"float_to_int", ElementVerdict::kUnstable};
  if (is_allowed(freedom)) return {"other_choices", ElementVerdict::kAllowed};
  if (evidence.float64 && evidence.float64->raw(i) != eager.raw(i)) return {"float64", ElementVerdict::kUnstable};
  if (evidence.float32 && evidence.float32->raw(i) != eager.raw(i)) return {"float32", ElementVerdict::kUnstable};
  if (evidence.casts && evidence.casts->raw(i) == eager.raw(i))
    return {"emulate_precision_casts", ElementVerdict::kRounding};
  if (evidence.another_form && evidence.noise_failed) return {"float64", ElementVerdict::kUnstable};
  return {"exact", ElementVerdict::kWrong};
}

}  // namespace

Counts compare_exact(const Elements& eager, const Elements& compiled, const Evidence& evidence) {
  Counts counts;
  if (eager.bytes() == compiled.bytes()) return counts;
  const Freedom whole = freedom_to_permute(eager, compiled, evidence);
  counts.unlisted = whole == Freedom::kUnlisted;
  for (std::size_t i = 0; i < eager.count(); ++i) {
    if (eager.raw(i) == compiled.raw(i)) continue;
    ++counts.differing;
    const Freedom freedom = whole == Freedom::kExcluded ? whole : freedom_at(eager, compiled, evidence, i);
    const Settled ruling = judge_exact(eager, compiled, evidence, freedom, i);
    if (ruling.judged == ElementVerdict::kAllowed && freedom == Freedom::kUnlisted) counts.unlisted = true;
    if (ruling.judged == ElementVerdict::kWrong && counts.wrong() == 0) counts.worst = i;
    counts.enter(ruling);
  }
  if (counts.wrong() > 0) counts.tolerances = std::numeric_limits<double>::infinity();
  return counts;
}

}  // namespace jp::oracle
