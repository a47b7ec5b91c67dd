#include "oracle/rounding.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

namespace jp::oracle {
namespace {

enum class Class { kFinite, kNan, kPlusInf, kMinusInf };

Class class_of(double number) {
  if (std::isnan(number)) return Class::kNan;
  if (std::isinf(number)) return number > 0 ? Class::kPlusInf : Class::kMinusInf;
  return Class::kFinite;
}

double largest(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFloat16:
      return 65504;
    case Dtype::kBFloat16:
      return bfloat16_to_double(0x7F7F);
    case Dtype::kFloat32:
    case Dtype::kComplex64:
      return std::numeric_limits<float>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

// What a number of the float64 run would be in the narrower type. Near the largest number it could be either, and is
// called neither (nothing).
std::optional<Class> class_in(Dtype dtype, double number) {
  if (class_of(number) != Class::kFinite) return class_of(number);
  const double limit = largest(dtype);
  const double margin = std::min(0.1, 16 * epsilon(dtype));
  if (std::abs(number) < limit * (1 - margin)) return Class::kFinite;
  if (dtype == Dtype::kFloat64 || dtype == Dtype::kComplex128) return Class::kFinite;
  if (std::abs(number) <= limit * (1 + margin)) return std::nullopt;
  return number > 0 ? Class::kPlusInf : Class::kMinusInf;
}

// Three rows of numbers of one length; `third` is empty without a witness.
struct Rows {
  std::size_t size = 0;
  std::function<double(std::size_t)> eager;
  std::function<double(std::size_t)> compiled;
  std::function<double(std::size_t)> third;
  std::function<bool(std::size_t)> same_bits;
  Dtype dtype = Dtype::kFloat32;
};

struct Suspect {
  std::size_t at = 0;
  bool mask = false;
};

// Bits, then masks, then tolerance; what is left is suspect.
std::vector<Suspect> find_suspects(const Rows& rows, Tolerance tolerance, Counts& counts) {
  std::vector<Suspect> suspects;
  for (std::size_t i = 0; i < rows.size; ++i) {
    if (rows.same_bits(i)) continue;
    const double eager = rows.eager(i);
    const double compiled = rows.compiled(i);
    if (std::isnan(eager) && std::isnan(compiled)) {
      ++counts.nan_payloads;
    } else if (eager == compiled) {
      ++counts.zero_signs;
    } else {
      ++counts.differing;
      const bool mask = class_of(eager) != class_of(compiled);
      if (!mask && is_close(tolerance, eager, compiled))
        ++counts.close;
      else
        suspects.push_back({i, mask});
    }
  }
  return suspects;
}

// How far eager is from the float64 run, in tolerances, and whether the float64 run describes eager at all.
struct OwnRounding {
  double distance = 0;
  double absolute = 0;
  bool describes = true;
};

OwnRounding own_rounding(const Rows& rows, Tolerance tolerance, Counts& counts) {
  OwnRounding own;
  std::size_t finite = 0;
  std::size_t beyond = 0;
  for (std::size_t i = 0; i < rows.size; ++i) {
    const double eager = rows.eager(i);
    const double third = rows.third(i);
    if (!std::isfinite(third)) continue;
    if (std::isfinite(rows.compiled(i)))
      counts.compiled_to_float64 = std::max(counts.compiled_to_float64, std::abs(rows.compiled(i) - third));
    if (!std::isfinite(eager)) continue;
    ++finite;
    counts.eager_to_float64 = std::max(counts.eager_to_float64, std::abs(eager - third));
    const double scaled = std::abs(eager - third) / allowance(tolerance, third);
    if (scaled > sensitive_limit(rows.dtype)) {
      ++beyond;
    } else {
      own.distance = std::max(own.distance, scaled);
      own.absolute = std::max(own.absolute, std::abs(eager - third));
    }
  }
  own.describes = 2 * beyond <= finite;
  return own;
}

// Tolerances that a half type may be off beside twice eager's distance. One tolerance is one or two units in the last
// place there, and a chain of operators that rounds after each loses several, while a tensor of one element can be
// right by luck and then shows no rounding of its own.
constexpr double kHalfSlack = 8;

enum class Judged { kRounding, kEagerWrong, kUnstable, kWrong };

Judged judge_mask(const Rows& rows, std::size_t i) {
  const std::optional<Class> third = class_in(rows.dtype, rows.third(i));
  if (third == class_of(rows.eager(i))) return Judged::kWrong;
  return third == class_of(rows.compiled(i)) ? Judged::kEagerWrong : Judged::kUnstable;
}

Judged judge_number(const Rows& rows, std::size_t i, Tolerance tolerance, const OwnRounding& own) {
  const double third = rows.third(i);
  if (!std::isfinite(third) || !std::isfinite(rows.eager(i))) return Judged::kUnstable;
  const double unit = allowance(tolerance, third);
  const double eager = std::abs(rows.eager(i) - third) / unit;
  const double compiled = std::abs(rows.compiled(i) - third) / unit;
  // Half types round after each operator in eager and not in fused kernels: being farther off is their nature.
  const bool half = rows.dtype == Dtype::kFloat16 || rows.dtype == Dtype::kBFloat16;
  if (compiled <= 1 && eager > 2 * compiled + 1 && !half) return Judged::kEagerWrong;
  if (eager > sensitive_limit(rows.dtype)) return Judged::kUnstable;
  if (compiled <= 2 * std::max(eager, own.distance) + (half ? kHalfSlack : 1)) return Judged::kRounding;
  return std::abs(rows.compiled(i) - third) <= 2 * own.absolute ? Judged::kRounding : Judged::kWrong;
}

void note_size(const Rows& rows, std::size_t i, Counts& counts) {
  const double eager = rows.eager(i);
  const double difference = std::abs(rows.compiled(i) - eager);
  if (!std::isfinite(difference)) return;
  counts.max_absolute = std::max(counts.max_absolute, difference);
  if (eager != 0) counts.max_relative = std::max(counts.max_relative, difference / std::abs(eager));
}

// Infinities of both signs and NaN count as farther off than any number.
double badness(const Rows& rows, const Suspect& suspect) {
  const double difference = std::abs(rows.compiled(suspect.at) - rows.eager(suspect.at));
  return suspect.mask || !std::isfinite(difference) ? std::numeric_limits<double>::infinity() : difference;
}

Counts compare_rows(const Rows& rows, Tolerance tolerance, Witness witness) {
  Counts counts;
  const std::vector<Suspect> suspects = find_suspects(rows, tolerance, counts);
  const bool present = witness == Witness::kPresent;
  const OwnRounding own = present && !suspects.empty() ? own_rounding(rows, tolerance, counts) : OwnRounding{};
  double worst = -1;
  for (const Suspect& suspect : suspects) {
    Judged judged = witness == Witness::kDisagrees ? Judged::kUnstable : Judged::kWrong;
    if (present) judged = suspect.mask ? judge_mask(rows, suspect.at) : judge_number(rows, suspect.at, tolerance, own);
    if (judged == Judged::kWrong && !own.describes) judged = Judged::kUnstable;
    if (judged == Judged::kRounding) ++counts.rounding;
    if (judged == Judged::kEagerWrong) ++counts.eager_wrong;
    if (judged == Judged::kUnstable) ++counts.unstable;
    if (judged != Judged::kWrong) continue;
    ++counts.wrong;
    if (suspect.mask) ++counts.wrong_masks;
    note_size(rows, suspect.at, counts);
    if (double bad = badness(rows, suspect); bad > worst) {
      worst = bad;
      counts.worst = suspect.at;
    }
  }
  if (counts.wrong == 0)
    for (std::size_t i = 0; i < rows.size; ++i) note_size(rows, i, counts);
  return counts;
}

}  // namespace

Counts compare_inexact(const Elements& eager, const Elements& compiled, Witness witness,
                       const std::optional<Elements>& float64) {
  if (witness == Witness::kPresent &&
      (!float64 || !float64->is_inexact() || float64->count() != eager.count() || float64->parts() != eager.parts()))
    witness = Witness::kDisagrees;
  if (eager.bytes() == compiled.bytes()) return {};
  Rows rows;
  rows.size = eager.count() * eager.parts();
  rows.dtype = *eager.dtype();
  rows.eager = [&](std::size_t i) { return eager.number(i); };
  rows.compiled = [&](std::size_t i) { return compiled.number(i); };
  rows.same_bits = [&](std::size_t i) { return eager.raw(i) == compiled.raw(i); };
  if (float64) rows.third = [&](std::size_t i) { return float64->number(i); };
  return compare_rows(rows, default_tolerance(rows.dtype), witness);
}

Counts compare_exact(const Elements& eager, const Elements& compiled, Witness witness,
                     const std::optional<Elements>& float64) {
  if (witness == Witness::kPresent &&
      (!float64 || float64->dtype() != eager.dtype() || float64->count() != eager.count()))
    witness = Witness::kDisagrees;
  Counts counts;
  if (eager.bytes() == compiled.bytes()) return counts;
  for (std::size_t i = 0; i < eager.count(); ++i) {
    if (eager.raw(i) == compiled.raw(i)) continue;
    ++counts.differing;
    const bool moves = witness == Witness::kPresent && float64->raw(i) != eager.raw(i);
    if (moves || witness == Witness::kDisagrees) {
      ++counts.unstable;
    } else {
      if (counts.wrong == 0) counts.worst = i;
      ++counts.wrong;
    }
  }
  return counts;
}

Counts compare_number(double eager, double compiled, Witness witness, double float64) {
  Rows rows;
  rows.size = 1;
  rows.eager = [=](std::size_t) { return eager; };
  rows.compiled = [=](std::size_t) { return compiled; };
  rows.third = [=](std::size_t) { return float64; };
  rows.same_bits = [=](std::size_t) {
    return (std::isnan(eager) && std::isnan(compiled)) ||
           (eager == compiled && std::signbit(eager) == std::signbit(compiled));
  };
  const bool narrow = witness == Witness::kPresent && eager != float64 && !(std::isnan(eager) && std::isnan(float64));
  rows.dtype = narrow ? Dtype::kFloat32 : Dtype::kFloat64;
  return compare_rows(rows, default_tolerance(rows.dtype), witness);
}

}  // namespace jp::oracle
