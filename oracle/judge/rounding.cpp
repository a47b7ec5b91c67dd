#include "oracle/judge/rounding.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/half.h"
#include "oracle/judge/free_choice.h"
#include "oracle/judge/limits.h"
#include "oracle/judge/lost_choice.h"
#include "oracle/judge/small_numbers.h"

namespace jp::oracle {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

enum class Class { kFinite, kNan, kPlusInf, kMinusInf };

Class class_of(double number) {
  if (std::isnan(number)) return Class::kNan;
  if (std::isinf(number)) return number > 0 ? Class::kPlusInf : Class::kMinusInf;
  return Class::kFinite;
}

bool is_half(Dtype dtype) { return dtype == Dtype::kFloat16 || dtype == Dtype::kBFloat16; }
bool is_double(Dtype dtype) { return dtype == Dtype::kFloat64 || dtype == Dtype::kComplex128; }

double largest(Dtype dtype) {
  if (dtype == Dtype::kFloat16) return 65504;
  if (dtype == Dtype::kBFloat16) return bfloat16_to_double(0x7F7F);
  return is_double(dtype) ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

// Below it a processor may be set to compute with zeros. That doesn't count for float16, whose arithmetic is float32's.
double smallest_normal(Dtype dtype) {
  if (dtype == Dtype::kFloat16) return 0;
  return is_double(dtype) ? std::numeric_limits<double>::min() : std::numeric_limits<float>::min();
}

// What a number of higher precision would be in the narrower type. Near the largest number it could be either, and is
// classified as neither (nothing).
std::optional<Class> class_in(Dtype dtype, double number) {
  if (class_of(number) != Class::kFinite) return class_of(number);
  const double limit = largest(dtype);
  const double margin = std::min(kLimits.overflow_part, kLimits.overflow_epsilons * epsilon(dtype));
  if (is_double(dtype) || std::abs(number) < limit * (1 - margin)) return Class::kFinite;
  if (std::abs(number) <= limit * (1 + margin)) return std::nullopt;
  return number > 0 ? Class::kPlusInf : Class::kMinusInf;
}

// How far eager's whole tensor is from float64: used if nothing tells an element's own sensitivity.
struct WholeTensor {
  double tolerances = 0;
  double absolute = 0;
  bool described = true;  // false: eager is beyond the limit in more than half of the elements
};

class Inexact {
 public:
  Inexact(const Elements& eager, const Elements& compiled, const Evidence& evidence, Dtype dtype)
      : eager_(eager), compiled_(compiled), evidence_(evidence), dtype_(dtype), size_(eager.count() * eager.parts()) {}

  Counts run() {
    const Dtype narrowest = evidence_.is_python_number && is_double(dtype_) ? Dtype::kFloat32 : dtype_;
    if (evidence_.small_numbers) small_tolerance_ = small_tolerance(eager_, narrowest, evidence_.largest_shown);
    find_suspects();
    if (!suspects_.empty() || !small_.empty()) measure();
    if (!suspects_.empty()) {
      const Freedom whole = freedom_to_permute(eager_, compiled_, evidence_);
      counts_.unlisted = whole == Freedom::kUnlisted;
      lost_ = whole == Freedom::kExcluded || loses_what_choices_move(eager_, compiled_, evidence_.chosen, dtype_);
    }
    for (std::size_t i : suspects_) count(i, judge(i), unit(i, eager(i)));
    if (!small_.empty()) {
      const SmallNumbers small(eager_, compiled_, evidence_, small_tolerance_);
      for (std::size_t i : small_) count(i, small.judge(i), small_tolerance_);
    }
    if (counts_.wrong() == 0)
      for (std::size_t i = 0; i < size_; ++i) note_size(i);
    return std::move(counts_);
  }

 private:
  // `tolerance`: what one tolerance is.
  void count(std::size_t i, Settled ruling, double tolerance) {
    counts_.enter(ruling);
    if (ruling.judged == ElementVerdict::kAllowed && freedom(i) == Freedom::kUnlisted) counts_.unlisted = true;
    if (ruling.judged != ElementVerdict::kWrong) return;
    if (is_mask(i)) ++counts_.wrong_masks;
    note_size(i);
    const double distance = is_mask(i) ? kInfinite : std::abs(compiled(i) - eager(i));
    counts_.tolerances = std::max(counts_.tolerances, in_tolerances(i, distance, tolerance));
    if (distance <= worst_) return;
    worst_ = distance;
    counts_.worst = i;
  }

  // An infinity of the other sign may come of a zero of the other sign, which is a weak difference.
  double in_tolerances(std::size_t i, double distance, double tolerance) const {
    if (std::isinf(eager(i)) && std::isinf(compiled(i))) return 0;
    return is_mask(i) ? kInfinite : distance / tolerance;
  }

  double eager(std::size_t i) const { return eager_.number(i); }
  double compiled(std::size_t i) const { return compiled_.number(i); }
  // Parts of a tensor may be computed in half precision and others in its own. Where the run that casts half types up
  // shows what eager does, the element is none of these, and moved roundings tell whether that is luck.
  Dtype dtype(std::size_t i) const {
    if (!is_half(dtype_) || !evidence_.float32 || evidence_.noise_failed) return dtype_;
    const Dtype own = *eager_.dtype();
    return is_close(default_tolerance(own), evidence_.float32->number(i), eager(i)) ? own : dtype_;
  }
  Tolerance tolerance(std::size_t i) const { return default_tolerance(dtype(i)); }
  double unit(std::size_t i, double around) const { return allowance(tolerance(i), around); }
  bool is_mask(std::size_t i) const { return class_of(eager(i)) != class_of(compiled(i)); }

  // Compares bits, then weak differences, then masks and tolerance; the remaining elements are suspect.
  void find_suspects() {
    for (std::size_t i = 0; i < size_; ++i) {
      if (eager_.raw(i) == compiled_.raw(i)) continue;
      const double one = eager(i);
      const double other = compiled(i);
      if (std::isnan(one) && std::isnan(other)) {
        ++counts_.nan_payloads;
      } else if (one == other) {
        ++counts_.zero_signs;
      } else if (std::abs(one) < smallest_normal(dtype(i)) && std::abs(other) < smallest_normal(dtype(i))) {
        ++counts_.denormals;
      } else {
        ++counts_.differing;
        if (is_mask(i) || !is_close(tolerance(i), one, other))
          suspects_.push_back(i);
        else if (small_tolerance_ > 0 && std::abs(one - other) > small_tolerance_)
          small_.push_back(i);
        else
          counts_.enter({"tolerance", ElementVerdict::kRounding});
      }
    }
  }

  // The whole tensor's distances, for the evidence and as a last resort.
  void measure() {
    for (const std::vector<std::size_t>& places : {suspects_, small_})
      for (std::size_t i : places) counts_.spread = std::max(counts_.spread, spread(i));
    for (std::size_t i = 0; i < size_; ++i)
      if (std::isfinite(eager(i))) largest_ = std::max(largest_, std::abs(eager(i)));
    is_noise_ = moves_nearly_everywhere();
    if (!evidence_.float64) return;
    std::size_t finite = 0;
    std::size_t beyond = 0;
    for (std::size_t i = 0; i < size_; ++i) {
      const double third = evidence_.float64->number(i);
      if (!std::isfinite(third)) continue;
      if (std::isfinite(compiled(i)))
        counts_.compiled_to_float64 = std::max(counts_.compiled_to_float64, std::abs(compiled(i) - third));
      if (!std::isfinite(eager(i))) continue;
      ++finite;
      const double distance = std::abs(eager(i) - third);
      counts_.eager_to_float64 = std::max(counts_.eager_to_float64, distance);
      if (distance / unit(i, third) > kLimits.sensitive.of(dtype(i))) {
        ++beyond;
        continue;
      }
      whole_.tolerances = std::max(whole_.tolerances, distance / unit(i, third));
      whole_.absolute = std::max(whole_.absolute, distance);
    }
    whole_.described = kLimits.undescribed_share * beyond <= finite;
  }

  Settled judge(std::size_t i) const {
    if (evidence_.form_moves) return {"monte_carlo", ElementVerdict::kUnstable};
    if (is_mask(i)) return judge_mask(i);
    if (auto ruling = by_precision(i)) return *ruling;
    if (auto ruling = by_noise(i)) return *ruling;
    if (by_choice(i)) return {"other_choices", ElementVerdict::kAllowed};
    if (by_casts(i)) return {"emulate_precision_casts", ElementVerdict::kRounding};
    if (auto ruling = by_other_values(i)) return *ruling;
    if (evidence_.noise_failed) return by_whole_tensor(i);
    if (!evidence_.noisy.empty()) return {"monte_carlo", ElementVerdict::kWrong};
    return evidence_.float64 ? Settled{"float64", ElementVerdict::kWrong}
                             : Settled{"tolerance", ElementVerdict::kWrong};
  }

  Settled judge_mask(std::size_t i) const {
    for (const Elements& noisy : evidence_.noisy)
      if (class_of(noisy.number(i)) != class_of(eager(i))) return {"monte_carlo", ElementVerdict::kUnstable};
    if (by_choice(i)) return {"other_choices", ElementVerdict::kAllowed};
    if (const Elements* higher = evidence_.float64 ? &*evidence_.float64 : nullptr) {
      const std::optional<Class> third = class_in(dtype(i), higher->number(i));
      if (third == class_of(compiled(i)) && !is_far_off(i, higher->number(i)))
        return {"eager_wrong", ElementVerdict::kEagerWrong};
      if (third != class_of(eager(i)) && third != class_of(compiled(i))) return {"float64", ElementVerdict::kUnstable};
    } else if (evidence_.another_form && evidence_.noise_failed) {
      return {"float64", ElementVerdict::kUnstable};
    }
    if (evidence_.casts && class_of(evidence_.casts->number(i)) == class_of(eager(i)))
      return {"emulate_precision_casts", ElementVerdict::kRounding};
    return {"nonfinite", ElementVerdict::kWrong};
  }

  // Whether a finite number where eager has none is not even near the one of higher precision: then neither is right.
  bool is_far_off(std::size_t i, double third) const {
    return std::isfinite(compiled(i)) && std::isfinite(third) &&
           !(std::abs(compiled(i) - third) <= kLimits.finite_share * std::abs(third) + kLimits.slack * unit(i, third));
  }

  std::optional<Settled> by_precision(std::size_t i) const {
    if (evidence_.float32 && std::isfinite(evidence_.float32->number(i)))
      if (auto ruling = nearer(i, evidence_.float32->number(i), "float32")) return ruling;
    if (!evidence_.float64) return std::nullopt;
    const double third = evidence_.float64->number(i);
    if (!std::isfinite(third) || !std::isfinite(eager(i))) return Settled{"float64", ElementVerdict::kUnstable};
    if (auto ruling = nearer(i, third, "float64")) return ruling;
    if (std::abs(eager(i) - third) / unit(i, third) <= kLimits.sensitive.of(dtype(i))) return std::nullopt;
    // Terms of half types cancel in many sums. As far as moved roundings move these, they are rounded and no jump.
    if (is_half(dtype(i)))
      if (auto ruling = by_noise(i); ruling && ruling->judged == ElementVerdict::kRounding) return ruling;
    return Settled{"float64", ElementVerdict::kUnstable};
  }

  // What a run may be off when the other one is off by so many tolerances.
  static double rounded_within(double tolerances) { return kLimits.times_own_distance * tolerances + kLimits.slack; }

  // Whether it is rounding, or eager is wrong, by one run in higher precision.
  std::optional<Settled> nearer(std::size_t i, double third, RuleName rule) const {
    const double own = std::abs(eager(i) - third) / unit(i, third);
    const double distance = std::abs(compiled(i) - third) / unit(i, third);
    // Half types round after each operator in eager and not in fused kernels: eager is naturally farther off.
    if (distance <= kLimits.slack && own > rounded_within(distance) && !is_half(dtype(i))) {
      if (auto ruling = by_noise(i, std::abs(compiled(i) - eager(i)))) return ruling;
      return Settled{"eager_wrong", ElementVerdict::kEagerWrong};
    }
    if (own > kLimits.sensitive.of(dtype(i))) return std::nullopt;
    if (distance <= rounded_within(own)) return Settled{rule, ElementVerdict::kRounding};
    return std::nullopt;
  }

  std::optional<Settled> by_noise(std::size_t i) const {
    double distance = std::abs(compiled(i) - eager(i));
    if (evidence_.float64 && std::isfinite(evidence_.float64->number(i)))
      distance = std::min(distance, std::abs(compiled(i) - evidence_.float64->number(i)));
    return by_noise(i, distance);
  }

  std::optional<Settled> by_noise(std::size_t i, double distance) const {
    if (evidence_.noisy.empty()) return std::nullopt;
    for (const Elements& noisy : evidence_.noisy)
      if (!std::isfinite(noisy.number(i))) return Settled{"monte_carlo", ElementVerdict::kUnstable};
    const double allowed = kLimits.spreads * spread(i) + unit(i, eager(i));
    if (distance <= allowed) return Settled{"monte_carlo", ElementVerdict::kRounding};
    if (is_noise_ && spread(i) >= kLimits.noise_least * largest_ && distance <= kLimits.noise_most * largest_)
      return Settled{"monte_carlo", ElementVerdict::kUnstable};
    // Without float64 nothing is known of the roundings inside one operator: only a large difference counts.
    if (evidence_.another_form && distance <= kLimits.sensitive.of(dtype(i)) * allowed)
      return Settled{"float64", ElementVerdict::kUnstable};
    // Likewise if that run failed. Half types lose as much as the last digit of the terms if these cancel inside an
    // operator (the weights of an interpolation), which noise on its result does not show.
    if (is_half(dtype(i)) && !evidence_.float64 && distance <= epsilon(dtype(i)) * largest_)
      return Settled{"float64", ElementVerdict::kUnstable};
    return std::nullopt;
  }

  double spread(std::size_t i) const {
    double farthest = 0;
    for (const Elements& noisy : evidence_.noisy)
      if (const double deviation = std::abs(noisy.number(i) - eager(i)); std::isfinite(deviation))
        farthest = std::max(farthest, deviation);
    return farthest;
  }

  // Normalised noise: of so many elements some are moved by little in all runs, by chance.
  bool moves_nearly_everywhere() const {
    if (evidence_.noisy.empty() || suspects_.size() < kLimits.noise_elements) return false;
    const auto stays = [&](std::size_t i) { return !(spread(i) >= kLimits.noise_share * largest_); };
    const auto staying = static_cast<std::size_t>(std::count_if(suspects_.begin(), suspects_.end(), stays));
    return staying * kLimits.noise_others <= suspects_.size();
  }

  // Choices that turn an infinity's sign alone leave an infinity.
  bool only_sign_is_free(std::size_t i) const {
    return std::isinf(eager(i)) && std::all_of(evidence_.chosen.begin(), evidence_.chosen.end(),
                                               [&](const Elements& other) { return std::isinf(other.number(i)); });
  }

  bool by_choice(std::size_t i) const {
    if (lost_ || (only_sign_is_free(i) && !std::isinf(compiled(i)))) return false;
    return is_allowed(freedom(i));
  }

  // Runs with other choices round alike; the compiled run may round otherwise wherever it took the element from.
  Freedom freedom(std::size_t i) const {
    const auto alike = [&](const Elements& one, const Elements& other, double distance) {
      if (class_of(one.number(i)) != class_of(other.number(i))) return false;
      return !std::isfinite(one.number(i)) || std::abs(one.number(i) - other.number(i)) <= distance;
    };
    return freedom_of(
        eager_, evidence_.chosen, evidence_.equals,
        [&](const Elements& one, const Elements& other) { return alike(one, other, unit(i, one.number(i))); },
        [&](const Elements& run) {
          const double rounding = kLimits.sensitive.of(dtype(i)) * unit(i, run.number(i));
          return alike(run, compiled_, std::max(rounding, kLimits.spreads * spread(i)));
        });
  }

  bool by_casts(std::size_t i) const {
    return evidence_.casts && is_close(tolerance(i), eager(i), evidence_.casts->number(i));
  }

  std::optional<Settled> by_other_values(std::size_t i) const {
    if (!evidence_.float64 || !std::isfinite(evidence_.float64->number(i))) return std::nullopt;
    double own = 0;
    for (const OtherValues& other : evidence_.others) {
      const double third = other.float64.number(i);
      const double distance = std::abs(other.eager.number(i) - third);
      // Discontinuities on other values say nothing about this one.
      if (std::isfinite(distance) && distance / unit(i, third) <= kLimits.sensitive.of(dtype(i)))
        own = std::max(own, distance);
    }
    const double third = evidence_.float64->number(i);
    if (std::abs(compiled(i) - third) <= kLimits.times_own_distance * own + kLimits.slack * unit(i, third))
      return Settled{"other_values", ElementVerdict::kRounding};
    return std::nullopt;
  }

  Settled by_whole_tensor(std::size_t i) const {
    if (evidence_.another_form) return {"float64", ElementVerdict::kUnstable};
    if (!evidence_.float64) return {"tolerance", ElementVerdict::kWrong};
    if (!whole_.described) return {"float64", ElementVerdict::kUnstable};
    const double third = evidence_.float64->number(i);
    const double distance = std::abs(compiled(i) - third);
    const double slack = is_half(dtype(i)) ? kLimits.half_slack : kLimits.slack;
    const double times = kLimits.times_own_distance;
    const bool rounded =
        distance / unit(i, third) <= times * whole_.tolerances + slack || distance <= times * whole_.absolute;
    return {"float64", rounded ? ElementVerdict::kRounding : ElementVerdict::kWrong};
  }

  void note_size(std::size_t i) {
    const double difference = std::abs(compiled(i) - eager(i));
    if (!std::isfinite(difference)) return;
    counts_.max_absolute = std::max(counts_.max_absolute, difference);
    if (eager(i) != 0) counts_.max_relative = std::max(counts_.max_relative, difference / std::abs(eager(i)));
  }

  const Elements& eager_;
  const Elements& compiled_;
  const Evidence& evidence_;
  Dtype dtype_;
  std::size_t size_;
  std::vector<std::size_t> suspects_;
  std::vector<std::size_t> small_;  // within the default tolerance, beyond that of small numbers
  double small_tolerance_ = 0;
  bool is_noise_ = false;
  WholeTensor whole_;
  bool lost_ = false;   // what choices only move
  double worst_ = -1;   // the largest distance among the wrong ones
  double largest_ = 0;  // magnitude among eager's finite elements
  Counts counts_;
};

}  // namespace

std::string_view element_verdict_name(ElementVerdict judged) {
  constexpr std::array<std::string_view, 5> kNames = {"rounding", "eager_wrong", "unstable", "allowed", "wrong"};
  return kNames[static_cast<std::size_t>(judged)];
}

void Counts::enter(Settled ruling) {
  const auto same = [&](const Settled& one) { return one.rule == ruling.rule && one.judged == ruling.judged; };
  const auto found = std::find_if(settled.begin(), settled.end(), same);
  if (found == settled.end()) {
    settled.push_back({ruling.rule, ruling.judged, 1});
  } else {
    ++found->elements;
  }
}

std::size_t Counts::count(ElementVerdict judged) const {
  std::size_t sum = 0;
  for (const Settled& one : settled)
    if (one.judged == judged) sum += one.elements;
  return sum;
}

RuleName Counts::wrong_rule() const {
  RuleName rule = "exact";
  for (const Settled& one : settled)
    if (one.judged == ElementVerdict::kWrong && (rule == "exact" || one.rule == "nonfinite")) rule = one.rule;
  return rule;
}

Counts compare_inexact(const Elements& eager, const Elements& compiled, const Evidence& evidence, Dtype dtype) {
  if (eager.bytes() == compiled.bytes()) return {};
  return Inexact(eager, compiled, evidence, dtype).run();
}

}  // namespace jp::oracle
