// Operators over lists of tensors, torch._foreach_*: each list contains live values of any dtypes and shapes, with as
// many results. In-place forms write every tensor of the first list. Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/foreach_rules.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen::foreach_operators {
namespace {

using namespace foreach_rules;

constexpr std::int64_t kMostItems = 3;
constexpr std::array<double, 8> kScalars = {2, 0.5, 1.5, -1, 3, 1, 0.25, -0.5};

constexpr Row kRows[] = {
    with_complex(with_integers({"_foreach_abs", Kind::kUnary, absolute, kFloats, kEverything, {}, 0, kSame}),
                 complex_abs),
    with_complex(with_integers({"_foreach_neg", Kind::kUnary, negated, kFloats, kEverything, {}, 0, kSame}), negated),
    with_complex(to_floats({"_foreach_sqrt", Kind::kUnary, rises<sqrt_of>, kFloats, kPositive, {}, 0, kRounded}),
                 complex_root, kPositive),
    with_complex(to_floats({"_foreach_rsqrt", Kind::kUnary, rsqrt_image, kFloats, kPositive}), complex_rsqrt,
                 kPositive),
    with_complex(to_floats({"_foreach_exp", Kind::kUnary, rises<exp_of>, kFloats, {-20, 8}}), complex_exp, {-20, 8}),
    with_complex(to_floats({"_foreach_expm1", Kind::kUnary, rises<expm1_of>, kFloats, {-20, 8}}), complex_expm1,
                 {-20, 8}),
    with_complex(to_floats({"_foreach_log", Kind::kUnary, rises<log_of>, kFloats, kPositive}), complex_log, kPositive),
    with_complex(to_floats({"_foreach_log1p", Kind::kUnary, rises<log1p_of>, kFloats, {-0.5, 1e6}}), complex_log1p,
                 {0, 1e6}),
    with_complex(to_floats({"_foreach_sin", Kind::kUnary, unit, kFloats, {-100, 100}}), complex_wave, {-9, 9}),
    with_complex(to_floats({"_foreach_cos", Kind::kUnary, unit, kFloats, {-100, 100}}), complex_wave, {-9, 9}),
    with_complex(to_floats({"_foreach_tanh", Kind::kUnary, rises<tanh_of>}), complex_tangent, kTurns),
    to_floats({"_foreach_erf", Kind::kUnary, erf_image}),
    with_complex(to_floats({"_foreach_atan", Kind::kUnary, rises<atan_of>}), complex_arc, {0.25, 8}),
    with_complex(to_floats({"_foreach_sigmoid", Kind::kUnary, rises<sigmoid_of>, kFloats, {-300, 300}}), complex_unit,
                 kTurns),
    with_complex(to_floats({"_foreach_reciprocal", Kind::kUnary, reciprocal_image, kFloats, kPositive}),
                 complex_reciprocal, kPositive),
    with_integers({"_foreach_floor", Kind::kUnary, rises<floor_of>, kFloats, kEverything, {}, 0, kSame, true}),
    with_integers({"_foreach_ceil", Kind::kUnary, rises<ceil_of>, kFloats, kEverything, {}, 0, kSame, true}),
    with_integers({"_foreach_trunc", Kind::kUnary, rises<trunc_of>, kFloats, kEverything, {}, 0, kSame, true}),
    with_integers({"_foreach_round", Kind::kUnary, round_image, kFloats, kEverything, {}, 0, kSame, true}),
    {"_foreach_frac", Kind::kUnary, frac_image, kFloats, kEverything, {}, 0, kSame, true},
    with_integers({"_foreach_sign", Kind::kUnary, rises<sign_of>, kFloats, kEverything, {}, 0, kSame, true},
                  kAllIntegers),
    with_complex(with_integers({"_foreach_add", Kind::kBinary, sum, kFloats, kEverything, kEverything, 0, kRounded},
                               kAllIntegers),
                 complex_sum),
    with_complex(
        with_integers({"_foreach_sub", Kind::kBinary, difference, kFloats, kEverything, kEverything, 0, kRounded}),
        complex_difference),
    with_complex(with_integers({"_foreach_mul", Kind::kBinary, product, kFloats, kEverything, kEverything, 1, kRounded},
                               kAllIntegers),
                 complex_times),
    with_complex(to_floats({"_foreach_div", Kind::kBinary, ratio, kFloats, kEverything, kPositive, 1, kRounded}),
                 complex_ratio),
    with_integers({"_foreach_maximum", Kind::kBinary, larger, kFloats, kEverything, kEverything, 0, kSame},
                  kAllIntegers),
    with_integers({"_foreach_minimum", Kind::kBinary, smaller, kFloats, kEverything, kEverything, 0, kSame},
                  kAllIntegers),
    with_integers({"_foreach_clamp_min", Kind::kBinary, larger, kFloats, kEverything, kEverything, 0, kSame},
                  kAllIntegers),
    with_integers({"_foreach_clamp_max", Kind::kBinary, smaller, kFloats, kEverything, kEverything, 0, kSame},
                  kAllIntegers),
    with_complex(with_integers({"_foreach_pow", Kind::kBinary, power, kFloats, {kLeastDivisor, 16}, {1, 3}, 1}),
                 complex_power, {0.5, 2}),
    with_complex(with_integers({"_foreach_addcmul", Kind::kTernary, plus_product}), complex_plus_product),
    with_complex({"_foreach_addcdiv", Kind::kTernary, plus_ratio, kFloats, kEverything, kPositive, 1},
                 complex_plus_ratio),
    with_complex({"_foreach_lerp", Kind::kBlend, between, kFloats, {-1e4, 1e4}, {-1e4, 1e4}}, complex_between,
                 {-1e4, 1e4}),
};

// One call as it is drawn: for each item of the first list its type, and its result.
struct Lists {
  std::vector<Value> first;
  std::vector<Value> second;
  std::vector<Value> third;
  std::vector<Interval> second_image;
  std::vector<Interval> third_image;
  /// Of the results, if they don't follow from the operands' by the row's image.
  std::vector<Interval> images;
};

class Foreach final : public Operator {
 public:
  std::string_view name() const override { return "foreach"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    bool writes = draft.choices().chance(1, 3);
    Lists lists;
    for (std::int64_t i = draft.between(2, kMostItems); i > 0; --i)
      lists.first.push_back(draw_first(draft, row, lists, writes));
    Call call{.op = row.name, .forms = writes ? Forms(kOneInPlace) : Forms(kOne)};
    call.add(refs_of(lists.first));
    if (row.kind == Kind::kBinary) draw_second(draft, row, lists, writes, call);
    if (row.kind == Kind::kTernary) draw_product(draft, row, lists, writes, call);
    if (row.kind == Kind::kBlend) draw_blend(draft, row, lists, writes, call);
    record(draft, row, lists, writes, std::move(call));
  }

 private:
  // What is written has memory of its own.
  static auto apart_from(const Lists& lists) {
    return [&lists](const Value& value) {
      return std::none_of(lists.first.begin(), lists.first.end(),
                          [&](const Value& target) { return target.storage == value.storage; });
    };
  }

  static Dtype dtype_of(const Row& row, Dtype dtype) {
    if (row.image == absolute) return real_dtype(dtype);
    return row.floating ? to_floating(dtype) : dtype;
  }

  static std::optional<Interval> image_of(const Row& row, const Value& x, Interval y, Interval z) {
    const bool complex = is_complex(x.dtype);
    if (complex && !inside(x.interval, row.complex_domain)) return std::nullopt;
    const Dtype dtype = dtype_of(row, x.dtype);
    // The sum of bools is whether one of them is true.
    if (x.dtype == Dtype::kBool && row.image == sum) return Interval{0, 1};
    Interval image = (complex ? row.complex : row.image)(x.interval, y, z);
    if (row.exactness != kSame || complex) image = rounded(image, dtype, 4);
    return inside(image, range_of(dtype)) ? std::optional(image) : std::nullopt;
  }

  // Integers go with integers, because numbers for all items are of one kind.
  static DtypeSet dtypes_of(const Row& row, const Lists& lists, bool writes) {
    DtypeSet others = row.complex ? row.dtypes | kComplex : row.dtypes;
    if (writes && row.image == absolute) others = row.dtypes;
    const DtypeSet integers = writes && row.floating ? DtypeSet{} : row.integers;
    if (lists.first.empty()) return others | integers;
    return is_integral(lists.first[0].dtype) ? integers : others;
  }
  static bool integral(const Lists& lists) { return is_integral(lists.first[0].dtype); }
  // Numbers beside bools would make integers of them.
  static bool has_bools(const Lists& lists) {
    return std::any_of(lists.first.begin(), lists.first.end(), [](const Value& x) { return x.dtype == Dtype::kBool; });
  }
  static bool has_gradients(const Lists& lists) {
    const auto any = [](const std::vector<Value>& list) {
      return std::any_of(list.begin(), list.end(), [](const Value& value) { return value.requires_grad; });
    };
    return any(lists.first) || any(lists.second) || any(lists.third);
  }
  static Argument number_of(const Lists& lists, double number) {
    if (integral(lists)) return static_cast<std::int64_t>(number);
    return number;
  }

  static Interval neutral_of(const Row& row) { return {row.neutral, row.neutral}; }

  // A constant item gives a constant, whatever the others are.
  static bool varies(const Value& x) { return x.interval.high - x.interval.low >= 0.01; }

  static bool of_fractions(const Row& row) { return row.image == frac_image; }

  static bool (*preferred_discontinuous(const Row& row))(const Value&) {
    if (of_fractions(row)) return has_fractions;
    return row.name == "_foreach_sign" ? both_signs : jumpy;
  }

  static bool jumpy(const Value& x) { return takes_steps(x) && both_signs(x); }

  static Value draw_first(Draft& draft, const Row& row, const Lists& lists, bool writes) {
    Want want{
        .dtypes = dtypes_of(row, lists, writes), .within = row.domain, .exact = row.discontinuous, .written = writes};
    want.neutral = clip({1, 1}, row.domain).low;
    Interval second = row.kind == Kind::kTernary ? Interval{0, 0} : neutral_of(row);
    want.fits = [&, second](const Value& x) { return image_of(row, x, second, neutral_of(row)).has_value(); };
    // foreach never writes to a tensor with the conj or neg bit set.
    if (writes) want.live = [apart = apart_from(lists)](const Value& value) { return !value.lazy && apart(value); };
    want.preferred = row.discontinuous ? preferred_discontinuous(row) : varies;
    // Torch has no derivative of the in-place forms of maximum and minimum.
    want.plain = writes && (row.name == "_foreach_maximum" || row.name == "_foreach_minimum");
    draft.beside_nobody();
    return draft.input(want);
  }

  // Another list, with an item for each of the first, of its dtype and shape. Plain ones have no gradients and share no
  // memory with the first.
  template <typename Fits>
  static std::vector<Value> draw_list(Draft& draft, const Row& row, const Lists& lists, bool plain, Interval within,
                                      double neutral, Fits&& fits) {
    std::vector<Value> list;
    for (const Value& x : lists.first) {
      std::size_t at = list.size();
      Want want{
          .dtypes = {x.dtype}, .shape = ShapeWant::exactly(x.shape), .within = within, .exact = row.discontinuous};
      want.neutral = neutral;
      want.fits = [&, at](const Value& value) { return fits(at, value.interval); };
      want.plain = plain;
      if (plain) want.live = apart_from(lists);
      want.preferred = varies;
      if (row.image == larger || row.image == smaller)
        want.preferred = [other = x.interval](const Value& value) { return overlap(other, value.interval); };
      draft.beside_only(x);
      list.push_back(draft.input(want));
    }
    return list;
  }

  // A bound that leaves all elements unchanged.
  static double outside(const Row& row, Interval x) {
    return row.image == larger ? std::floor(x.low) : std::ceil(x.high);
  }

  // Numbers that suit an item; the neutral one if none of the usual ones does.
  template <typename Fits>
  static double draw_scalar(Draft& draft, double neutral, Fits&& fits) {
    std::vector<double> possible;
    for (double scalar : kScalars)
      if (fits(scalar)) possible.push_back(scalar);
    return possible.empty() ? neutral : draft.choices().pick(possible);
  }

  static Argument scalar_list(const std::vector<double>& scalars, bool integral) {
    std::string text = "[";
    for (std::size_t i = 0; i < scalars.size(); ++i)
      fmt::format_to(std::back_inserter(text), "{}{}{}", i > 0 ? ", " : "", scalars[i],
                     scalars[i] == std::floor(scalars[i]) && !integral ? ".0" : "");
    return text + "]";
  }

  // A tensor without dimensions for all, of a dtype that changes none of theirs.
  static bool draw_one_tensor(Draft& draft, const Row& row, Lists& lists, bool writes, Call& call) {
    if (row.image != sum && row.image != product && row.image != ratio) return false;
    // Beside items without dimensions it would count in the promotion.
    for (const Value& x : lists.first)
      if (x.shape.empty()) return false;
    const Dtype dtype = integral(lists) ? Dtype::kInt64 : Dtype::kFloat32;
    Want want{.dtypes = {dtype}, .shape = ShapeWant::exactly({}), .within = row.parameter, .plain = true};
    want.neutral = row.neutral;
    want.fits = [&](const Value& value) {
      return std::all_of(lists.first.begin(), lists.first.end(), [&](const Value& x) {
        return inside(value.interval, range_of(x.dtype)) && image_of(row, x, value.interval, {}).has_value();
      });
    };
    if (writes) want.live = apart_from(lists);
    const Value one = draft.input(want);
    lists.second_image.assign(lists.first.size(), one.interval);
    call.add(Ref{one.id});
    return true;
  }

  // Powers of two.
  static bool draw_exponents(const Row& row, Lists& lists, bool writes, Call& call) {
    if (row.image != power || writes) return false;
    for (const Value& x : lists.first) {
      const Interval image = rounded({std::exp2(x.interval.low), std::exp2(x.interval.high)}, x.dtype, 4);
      if (is_complex(x.dtype) || !inside(image, range_of(x.dtype))) return lists.images.clear(), false;
      lists.images.push_back(image);
    }
    call.forms = kNumberFirst;
    call.add(number_of(lists, 2));
    return true;
  }

  // A list, a number for all, or a number for each.
  static void draw_second(Draft& draft, const Row& row, Lists& lists, bool writes, Call& call) {
    call.forms = writes ? Forms(kTwoInPlace) : Forms(kTwo);
    std::uint64_t kind = draft.choices().below(4);
    const bool bools = has_bools(lists);
    if (bools) kind = 0;
    if (!bools && draft.choices().chance(1, 8) &&
        (draw_one_tensor(draft, row, lists, writes, call) || draw_exponents(row, lists, writes, call)))
      return;
    // A number is converted to the item's dtype first: -1 is 255 beside bytes.
    auto fits = [&](std::size_t at, Interval y) {
      return inside(y, row.parameter) && inside(y, range_of(lists.first[at].dtype)) &&
             image_of(row, lists.first[at], y, {}).has_value();
    };
    if (kind < 2) {
      bool scales = (row.image == sum || row.image == difference) && !bools && draft.choices().chance(1, 3);
      double alpha = scales ? (draft.flip() || integral(lists) ? 2 : 0.5) : 1;
      auto image = [&](Interval y, Dtype dtype) { return scales ? rounded(scaled(y, alpha), dtype) : y; };
      lists.second = draw_list(draft, row, lists, writes, row.parameter, row.neutral,
                               [&](std::size_t at, Interval y) { return fits(at, image(y, lists.first[at].dtype)); });
      for (const Value& y : lists.second) lists.second_image.push_back(image(y.interval, y.dtype));
      call.add(refs_of(lists.second));
      if (!scales) return;
      call.add(number_of(lists, alpha));
      call.forms = writes ? Forms(kScaledInPlace) : Forms(kScaled);
      return;
    }
    // A bound outside of all elements leaves them unchanged, or only itself remains; one beyond their middle leaves
    // few.
    bool bounds = row.image == larger || row.image == smaller;
    auto cuts = [&](std::size_t at, double scalar) {
      const Interval x = lists.first[at].interval;
      const double middle = (x.low + x.high) / 2;
      return !bounds || (overlap(x, {scalar, scalar}) && (row.image == larger ? scalar <= middle : scalar >= middle));
    };
    const bool any = draft.choices().chance(1, 16);
    auto suits = [&](std::size_t at, double scalar) {
      if (integral(lists) && scalar != std::floor(scalar)) return false;
      return (any || cuts(at, scalar)) && fits(at, {scalar, scalar});
    };
    auto suits_all = [&](double scalar) {
      for (std::size_t at = 0; at < lists.first.size(); ++at)
        if (!suits(at, scalar)) return false;
      return true;
    };
    const bool common = kind == 2 && (!bounds || any || std::any_of(kScalars.begin(), kScalars.end(), suits_all));
    std::vector<double> scalars;
    for (std::size_t i = 0; i < lists.first.size(); ++i) {
      const double beyond = bounds ? outside(row, lists.first[i].interval) : row.neutral;
      const double spare = fits(i, {beyond, beyond}) ? beyond : row.neutral;
      auto drawn = [&] {
        return draw_scalar(draft, common ? row.neutral : spare,
                           [&](double scalar) { return common ? suits_all(scalar) : suits(i, scalar); });
      };
      scalars.push_back(common && i > 0 ? scalars[0] : drawn());
      lists.second_image.push_back({scalars.back(), scalars.back()});
    }
    call.add(common ? number_of(lists, scalars[0]) : scalar_list(scalars, integral(lists)));
  }

  // Two lists, and a number by which their product or quotient is multiplied.
  static void draw_product(Draft& draft, const Row& row, Lists& lists, bool writes, Call& call) {
    double value = draft.choices().chance(1, 3) ? (draft.flip() ? 0.5 : -1) : 1;
    if (integral(lists) && value != 1) value = 2;
    auto fits = [&](std::size_t at, Interval y, Interval z) {
      if (integral(lists) && !inside(scaled(y * z, value), range_of(lists.first[at].dtype))) return false;
      return image_of(row, lists.first[at], scaled(y, value), z).has_value() &&
             image_of(row, lists.first[at], y, z).has_value();
    };
    lists.second = draw_list(draft, row, lists, writes, kEverything, 0,
                             [&](std::size_t at, Interval y) { return fits(at, y, neutral_of(row)); });
    // Eager's own backward for the divisors of addcdiv reads the wrong elements.
    bool plain = writes || row.image == plus_ratio;
    lists.third = draw_list(draft, row, lists, plain, row.parameter, row.neutral,
                            [&](std::size_t at, Interval z) { return fits(at, lists.second[at].interval, z); });
    for (const Value& y : lists.second) lists.second_image.push_back(scaled(y.interval, value));
    for (const Value& z : lists.third) lists.third_image.push_back(z.interval);
    call.add(refs_of(lists.second));
    call.add(refs_of(lists.third));
    call.forms = writes ? Forms(kThreeInPlace) : Forms(kThree);
    if (value == 1 && draft.flip()) return;
    // One number for all, or one for each, in a tensor, for which torch has no derivative.
    if (value != 1 && !has_gradients(lists) && draft.choices().chance(1, 4)) {
      const std::vector<double> all(lists.first.size(), value);
      call.add("torch.tensor(" + std::get<std::string>(scalar_list(all, integral(lists))) + ")");
      call.forms = writes ? Forms(kValuesInPlace) : Forms(kValues);
      return;
    }
    call.add(number_of(lists, value));
    call.forms = writes ? Forms(kValueInPlace) : Forms(kValue);
  }

  // Two ends and a weight between them: one for all, or a list.
  static void draw_blend(Draft& draft, const Row& row, Lists& lists, bool writes, Call& call) {
    lists.second = draw_list(draft, row, lists, writes, row.parameter, 0, [&](std::size_t at, Interval y) {
      return image_of(row, lists.first[at], y, {}).has_value();
    });
    for (const Value& y : lists.second) lists.second_image.push_back(y.interval);
    call.add(refs_of(lists.second));
    call.forms = writes ? Forms(kThreeInPlace) : Forms(kThree);
    if (draft.flip()) {
      call.add(static_cast<double>(draft.between(0, 4)) / 4);
      return;
    }
    lists.third = draw_list(draft, row, lists, writes, {0, 1}, 0, [](std::size_t, Interval) { return true; });
    call.add(refs_of(lists.third));
  }

  static void record(Draft& draft, const Row& row, const Lists& lists, bool writes, Call call) {
    std::vector<Interval> images;
    std::vector<Value> results;
    for (std::size_t i = 0; i < lists.first.size(); ++i) {
      const Value& x = lists.first[i];
      Interval second = i < lists.second_image.size() ? lists.second_image[i] : neutral_of(row);
      Interval third = i < lists.third_image.size() ? lists.third_image[i] : neutral_of(row);
      std::optional<Interval> image = image_of(row, x, second, third);
      if (!lists.images.empty()) image = lists.images[i];
      JP_CHECK(image.has_value(), "{} leaves the range of {}", row.name, dtype_name(x.dtype));
      images.push_back(*image);
      const Value& y = i < lists.second.size() ? lists.second[i] : x;
      const Value& z = i < lists.third.size() ? lists.third[i] : x;
      results.push_back(elementwise(dtype_of(row, x.dtype), *image, {&x, &y, &z}));
    }
    const bool rounds = row.discontinuous && !of_fractions(row);
    const Traits traits = {.exactness = row.exactness, .whole = rounds, .itemwise = true};
    if (writes) return draft.record_writes(std::move(call), lists.first, images, traits);
    draft.record(std::move(call), std::move(results), traits);
  }
};

const Register<Operator, Foreach> registered;

}  // namespace
}  // namespace jp::seedgen::foreach_operators
