// Special functions of two arguments.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/types/powers.h"

namespace jp::seedgen::special_binary_operators {
namespace {

constexpr double kLeast = 0.0625;
constexpr DtypeSet kWide = {Dtype::kFloat32, Dtype::kFloat64};

std::optional<Interval> log1_product(Dtype, Interval a, Interval b) {
  if (b.low < -0.875) return std::nullopt;
  return a * Interval{std::log1p(b.low), std::log1p(b.high)};
}
// log2(2^a + 2^b) is at most 1 above the larger one.
std::optional<Interval> log2_sum(Dtype, Interval a, Interval b) {
  return Interval{std::max(a.low, b.low), std::max(a.high, b.high) + 1};
}
// Decreasing in both; at most q^-x + q^(1 - x) / (x - 1), plus the contribution of q below 1.
std::optional<Interval> zeta_sum(Dtype, Interval x, Interval q) {
  if (x.low < 2 || q.low < 0.5) return std::nullopt;
  double base = std::min(q.low, 1.0);
  return Interval{0, std::pow(base, -x.high) + 2};
}
std::optional<Interval> share(Dtype, Interval a, Interval b) {
  if (a.low < 0.25 || b.low < 0.25) return std::nullopt;
  return Interval{0, 1};
}
std::optional<Interval> next(Dtype type, Interval a, Interval) {
  Interval wide = rounded(a, type, 2);
  return Interval{wide.low, wide.high};
}
std::optional<Interval> step(Dtype, Interval, Interval b) { return hull(b, {0, 1}); }
std::optional<Interval> doubled(Dtype, Interval a, Interval b) {
  if (b.low < -8 || b.high > 8) return std::nullopt;
  return a * Interval{std::exp2(b.low), std::exp2(b.high)};
}
std::optional<Interval> divisor(Dtype type, Interval a, Interval b) {
  Interval range = range_of(type);
  if (range.low < 0 && (a.low <= range.low || b.low <= range.low)) return std::nullopt;
  return Interval{0, std::max(largest(a), largest(b))};
}
std::optional<Interval> multiple(Dtype type, Interval a, Interval b) {
  if (!divisor(type, a, b)) return std::nullopt;
  return Interval{0, largest(a) * largest(b)};
}
std::optional<Interval> raised(Dtype, Interval a, Interval b) {
  if (a.low < kLeast) return std::nullopt;
  auto [low, high] =
      std::minmax({std::pow(a.low, b.low), std::pow(a.low, b.high), std::pow(a.high, b.low), std::pow(a.high, b.high)});
  return Interval{low, high};
}
Dtype widest(Dtype dtype) { return is_complex(dtype) ? Dtype::kComplex128 : Dtype::kFloat64; }

struct Row {
  std::string_view name;
  BinaryRule rule;
  Exactness exactness;
  Forms forms;
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kBoth[] = {"torch.#($0, $1)", "torch.special.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kSpecial[] = {"torch.special.#($0, $1)"};
constexpr std::string_view kFunction[] = {"torch.#($0, $1)"};
constexpr DtypeSet kSingle = kIntegers | kBools | kWide;
constexpr auto kLoose = Exactness::kLoose;
constexpr auto kSame = Exactness::kSame;

const Row kRows[] = {
    {"xlog1py",
     {.image = log1_product, .second = {-0.875, 1e9}, .neutral = 1, .result = to_floating, .number_first = true},
     kLoose,
     kSpecial},
    {"logaddexp2", {.dtypes = kFloats, .image = log2_sum, .number_second = false}, kLoose, kForms},
    {"zeta",
     {.dtypes = kSingle,
      .image = zeta_sum,
      .first = {2, 6},
      .second = {0.5, 20},
      .neutral = 2,
      .result = to_floating,
      .plain = true},
     kLoose,
     kSpecial},
    {"float_power",
     {.image = raised,
      .first = {kLeast, 1e9},
      .second = {-3, 3},
      .neutral = 1,
      .result = widest,
      .number_first = true,
      .complex = complex_power},
     kLoose,
     kForms},
    {"gcd", {.dtypes = kIntegers, .image = divisor, .number_second = false}, kSame, kForms},
    {"lcm", {.dtypes = kIntegers, .image = multiple, .neutral = 1, .number_second = false}, kSame, kForms},
};

// The families whose operands have one dtype.
struct Alike {
  std::string_view name;
  DtypeSet dtypes;
  std::optional<Interval> (*image)(Dtype, Interval, Interval);
  Interval domain;
  bool discontinuous;
  /// Which operands have no derivative.
  bool plain_first;
  bool plain_second;
  Exactness exactness;
  Forms forms;
};

const Alike kAlike[] = {
    {"nextafter", kWide, next, {kLeast, 1e9}, true, true, true, kSame, kForms},
    {"heaviside", kAnyDtype, step, kEverything, true, true, true, kSame, kForms},
    {"igamma", kWide, share, {0.25, 20}, false, true, false, kLoose, kForms},
    {"igammac", kWide, share, {0.25, 20}, false, true, false, kLoose, kForms},
};

constexpr std::string_view kInPlaceForms[] = {"$0.#($1)"};
struct InPlace {
  std::string_view name;
  BinaryRule rule;
  Exactness exactness;
};
const InPlace kInPlace[] = {
    {"ldexp_", {.dtypes = kFloats, .image = doubled, .second = {-6, 6}, .number_second = false}, kLoose},
    {"gcd_", {.dtypes = kIntegers, .image = divisor, .number_second = false}, kSame},
    {"lcm_", {.dtypes = kIntegers, .image = multiple, .neutral = 1, .number_second = false}, kSame},
};

class SpecialBinary final : public Operator {
 public:
  std::string_view name() const override { return "special_binary"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    for (std::string_view name : names_of(kAlike)) names.push_back(name);
    for (std::string_view name : names_of(kInPlace)) names.push_back(name);
    names.push_back("ldexp");
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member < std::size(kRows)) return draw_any(draft, kRows[member]);
    member -= std::size(kRows);
    if (member < std::size(kAlike)) return draw_alike(draft, kAlike[member]);
    member -= std::size(kAlike);
    if (member == std::size(kInPlace)) return draw_ldexp(draft);
    const InPlace& row = kInPlace[member];
    BinaryDraw drawn = draw_binary_in_place(draft, row.rule);
    draft.record_write({.op = row.name, .forms = kInPlaceForms, .arguments = {drawn.a.argument, drawn.b.argument}},
                       drawn.a.value, drawn.result.interval, {.exactness = row.exactness});
  }

 private:
  static void draw_any(Draft& draft, const Row& row) {
    BinaryDraw drawn = draw_binary(draft, row.rule);
    const Forms forms = drawn.number_first && row.forms.data() == kForms ? Forms(kFunction) : row.forms;
    record_or_out(draft, {.op = row.name, .forms = forms, .arguments = {drawn.a.argument, drawn.b.argument}},
                  drawn.result, {.exactness = row.exactness});
  }

  // Integers, with float32 results, or floats with exponents of any kind but bool. Torch warns if the first operand is
  // broadcast.
  static void draw_ldexp(Draft& draft) {
    auto type_of = [](const Value& a, const Value& b) { return to_floating(*promote({operand_of(a), operand_of(b)})); };
    Want first{.dtypes = kEveryDtype};
    first.fits = [](const Value& value) { return inside(value.interval, range_of(to_floating(value.dtype))); };
    first.paired = true;
    Value a = draft.input(first);
    auto image_of = [&](const Value& b) -> std::optional<Interval> {
      Dtype type = type_of(a, b);
      if (!inside(a.interval, range_of(type))) return std::nullopt;
      Interval image = rounded(*doubled(type, a.interval, b.interval), type, 4);
      return inside(image, range_of(type)) ? std::optional(image) : std::nullopt;
    };
    // Torch raises 2 to float16 in complex32, in which it has no powers.
    const DtypeSet beside_complex = kIntegers | DtypeSet{Dtype::kBFloat16, Dtype::kFloat32, Dtype::kFloat64};
    const DtypeSet beside_real = is_integral(a.dtype) ? kAnyDtype : kNumbers;
    Want second{.dtypes = is_complex(a.dtype) ? beside_complex : beside_real,
                .shape = ShapeWant::into(a.shape),
                .within = {-6, 6}};
    second.fits = [&](const Value& value) { return image_of(value).has_value(); };
    // Torch's own backward refuses exponents of complex numbers.
    second.plain = is_complex(a.dtype);
    Value b = draft.input(second);
    record_or_out(draft, {.op = "ldexp", .forms = kForms, .arguments = {Ref{a.id}, Ref{b.id}}},
                  elementwise(type_of(a, b), *image_of(b), {&a, &b}), {.exactness = kLoose});
  }

  static void draw_alike(Draft& draft, const Alike& row) {
    Want first{.dtypes = row.dtypes, .within = row.domain, .exact = row.discontinuous};
    first.plain = row.plain_first;
    first.fits = [&row](const Value& value) {
      return inside(rounded(value.interval, value.dtype, 4), range_of(value.dtype));
    };
    first.paired = true;
    Value a = draft.input(first);
    Want second{.dtypes = {a.dtype},
                .shape = ShapeWant::broadcasting(a.shape),
                .within = row.domain,
                .exact = row.discontinuous};
    second.plain = row.plain_second;
    second.fits = first.fits;
    Value b = draft.input(second);
    Interval image = *row.image(a.dtype, a.interval, b.interval);
    if (row.exactness == kLoose) image = rounded(image, a.dtype, 4);
    record_or_out(draft, {.op = row.name, .forms = row.forms, .arguments = {Ref{a.id}, Ref{b.id}}},
                  elementwise(a.dtype, image, {&a, &b}), {.exactness = row.exactness});
  }
};

const Register<Operator, SpecialBinary> registered;

}  // namespace
}  // namespace jp::seedgen::special_binary_operators
