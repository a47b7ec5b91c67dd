// More products of vectors, matrices and tensors, of one dtype and so small that no sum leaves its range.
// Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::products_operators {
namespace {

constexpr std::string_view kNames[] = {"cross", "kron", "inner",     "vdot",         "vecdot", "tensordot",
                                       "trace", "cov",  "multi_dot", "matrix_power", "vander", "einsum_any"};
enum Member : std::size_t {
  kCross,
  kKron,
  kInner,
  kVdot,
  kVecdot,
  kTensordot,
  kTrace,
  kCov,
  kMultiDot,
  kPower,
  kVander,
  kEinsum
};

constexpr std::string_view kCrosses[] = {"torch.cross($0, $1, dim=$2)", "torch.linalg.cross($0, $1, dim=$2)",
                                         "$0.cross($1, $2)"};
constexpr std::string_view kPair[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kKrons[] = {"torch.kron($2, $3)", "$2.kron($3)"};
constexpr std::string_view kVecdots[] = {"torch.linalg.vecdot($0, $1)", "torch.linalg.vecdot($0, $1, dim=$2)"};
constexpr std::string_view kTensordots[] = {"torch.tensordot($0, $1, dims=$2)"};
constexpr std::string_view kTraces[] = {"torch.trace($0)", "$0.trace()"};
constexpr std::string_view kWeightedCovs[] = {"torch.cov($0, correction=$1, fweights=$2)",
                                              "$0.cov(correction=$1, fweights=$2)"};
constexpr std::string_view kReliableCovs[] = {"torch.cov($0, correction=$1, aweights=$2)",
                                              "$0.cov(correction=$1, aweights=$2)"};
constexpr std::string_view kCovs[] = {"torch.cov($0, correction=$1)", "$0.cov(correction=$1)"};
constexpr std::string_view kMultiDots[] = {"torch.linalg.multi_dot($0)", "torch.linalg.multi_dot([$*0])"};
constexpr std::string_view kPowers[] = {"torch.linalg.matrix_power($0, $1)", "torch.matrix_power($0, $1)",
                                        "$0.matrix_power($1)"};
constexpr std::string_view kVanders[] = {"torch.vander($0, $1)", "torch.vander($0, N=$1, increasing=True)",
                                         "torch.linalg.vander($0, N=$1)"};
constexpr std::string_view kEinsums[] = {"torch.einsum($1, $0)", "torch.einsum($1, $*0)"};

constexpr DtypeSet kDtypes = kFloats | kComplex | kIntegers;
constexpr std::int64_t kMostElements = 90;

// Sums of n products.
Interval sums(Dtype dtype, Interval a, Interval b, std::int64_t terms) {
  auto n = static_cast<double>(terms);
  return rounded(sum_of(is_complex(dtype) ? complex_product(a, b) : a * b, n), dtype, n + 2);
}

// An operand of `a`'s dtype for which such sums stay in range.
Value draw_partner(Draft& draft, const Value& a, const ShapeWant& shape, std::int64_t terms) {
  Want want{.dtypes = {a.dtype}, .shape = shape};
  want.fits = [&](const Value& b) {
    return inside(sums(a.dtype, hull(a.interval, -a.interval), b.interval, terms), range_of(a.dtype));
  };
  return draft.input(want);
}

void record(Draft& draft, Call call, const Value& result) {
  const bool has_out = call.op != "trace" && call.op != "cov" && call.op != "vander" && call.op != "einsum_any";
  if (!has_out) return draft.record(std::move(call), result, {.exactness = Exactness::kLoose});
  record_product(draft, std::move(call), result, {.exactness = Exactness::kLoose});
}

// An equation of two operands by their letters, and the result's letters.
struct Equation {
  std::string_view first;
  std::string_view second;
  std::string_view result;
};
constexpr std::array<Equation, 9> kEquations = {{{"ij", "jk", "ik"},
                                                 {"ij", "kj", "ki"},
                                                 {"bij", "bjk", "bik"},
                                                 {"bij", "jk", "bik"},
                                                 {"ij", "ij", ""},
                                                 {"ij", "j", "ij"},
                                                 {"i", "j", "ji"},
                                                 {"bi", "bi", "b"},
                                                 {"bhi", "bhj", "bhij"}}};

class Products final : public Operator {
 public:
  std::string_view name() const override { return "products"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case kCross:
        return draw_cross(draft);
      case kKron:
        return draw_kron(draft);
      case kInner:
      case kVdot:
      case kVecdot:
        return draw_inner(draft, member);
      case kTensordot:
        return draw_tensordot(draft);
      case kTrace:
      case kCov:
      case kPower:
      case kVander:
        return draw_matrix(draft, member);
      case kMultiDot:
        return draw_chain(draft);
      default:
        return draw_einsum(draft);
    }
  }

 private:
  static Value draw_first(Draft& draft, const ShapeWant& shape, DtypeSet dtypes = kDtypes) {
    return draft.input({.dtypes = dtypes, .shape = shape.upto(kMostElements)});
  }

  static void draw_cross(Draft& draft) {
    Shape pattern = {3};
    int rank = static_cast<int>(draft.between(1, 4));
    auto at = static_cast<int>(draft.between(0, rank - 1));
    for (int i = 0; i < at; ++i) pattern.insert(0, -1);
    while (pattern.size() < rank) pattern.push_back(-1);
    Value a = draw_first(draft, ShapeWant::pattern(pattern, 0, 8));
    Value b = draw_partner(draft, a, ShapeWant::exactly(a.shape), 2);
    Interval image = sums(a.dtype, hull(a.interval, -a.interval), b.interval, 2);
    std::int64_t dim = draft.flip() ? at : at - rank;
    record(draft, {.op = "cross", .forms = kCrosses, .arguments = {Ref{a.id}, Ref{b.id}, dim}},
           fresh_unknown(a.dtype, a.shape, image));
  }

  // Sizes are multiplied, from the last dimension on.
  static void draw_kron(Draft& draft) {
    Value a = draw_first(draft, ShapeWant::any(0, 3), kDtypes | kBools);
    Value b = draw_partner(draft, a, ShapeWant::any(0, 3).upto(kMostElements), 1);
    Shape shape = Ints::filled(std::max(a.shape.size(), b.shape.size()), 1);
    for (int i = 1; i <= shape.size(); ++i) {
      if (i <= a.shape.size()) shape[shape.size() - i] *= a.shape[a.shape.size() - i];
      if (i <= b.shape.size()) shape[shape.size() - i] *= b.shape[b.shape.size() - i];
    }
    // Torch views the product of its operands, which some layouts don't allow, even if only for a size of 1, whose
    // stride may be another than is inferred: contiguous() returns a contiguous tensor as it is.
    auto written = [](const Value& x, std::string name) {
      bool plain = is_contiguous(x) && std::find(x.shape.begin(), x.shape.end(), 1) == x.shape.end();
      return plain ? name : name + ".clone(memory_format=torch.contiguous_format)";
    };
    std::string first = written(a, "$0");
    std::string second = written(b, "$1");
    record(draft, {.op = "kron", .forms = kKrons, .arguments = {Ref{a.id}, Ref{b.id}, first, second}},
           fresh_unknown(a.dtype, shape, sums(a.dtype, a.interval, b.interval, 1)));
  }

  static void draw_inner(Draft& draft, std::size_t member) {
    bool vectors = member == kVdot;
    DtypeSet dtypes = member == kVecdot ? kFloats | kComplex : kDtypes;
    Value a = draw_first(draft, vectors ? ShapeWant::any(1, 1) : ShapeWant::any(1, 3), dtypes);
    Shape pattern = a.shape;
    Shape shape = a.shape;
    shape.erase(shape.size() - 1);
    if (member == kInner) {
      pattern = {a.shape.back()};
      if (draft.flip()) pattern.insert(0, -1);
    }
    std::int64_t terms = a.shape.back();
    Value b = draw_partner(draft, a, ShapeWant::pattern(pattern, 0, 16), terms);
    if (member == kInner && b.shape.size() == 2) shape.push_back(b.shape[0]);
    Call call{.op = kNames[member], .forms = kPair, .arguments = {Ref{a.id}, Ref{b.id}}};
    if (member == kVecdot) {
      call.forms = kVecdots;
      call.add(std::int64_t{-1});
    }
    Interval x = is_complex(a.dtype) ? hull(a.interval, -a.interval) : a.interval;
    record(draft, std::move(call), fresh_unknown(a.dtype, shape, sums(a.dtype, x, b.interval, terms)));
  }

  // The last dimensions of the first are summed with the first ones of the second.
  static void draw_tensordot(Draft& draft) {
    Value a = draw_first(draft, ShapeWant::any(1, 3));
    auto over = static_cast<int>(draft.between(0, std::min(a.shape.size(), 2)));
    Shape pattern;
    std::int64_t terms = 1;
    for (int i = a.shape.size() - over; i < a.shape.size(); ++i) {
      pattern.push_back(a.shape[i]);
      terms *= a.shape[i];
    }
    std::int64_t more = draft.between(0, kMaxRank - a.shape.size() + over > 2 ? 2 : 1);
    if (over == 0) more = std::max<std::int64_t>(more, 1);
    for (std::int64_t i = 0; i < more; ++i) pattern.push_back(-1);
    Value b = draw_partner(draft, a, ShapeWant::pattern(pattern, 0, 8), terms);
    Shape shape;
    for (int i = 0; i + over < a.shape.size(); ++i) shape.push_back(a.shape[i]);
    for (int i = over; i < b.shape.size(); ++i) shape.push_back(b.shape[i]);
    Call call{.op = "tensordot", .forms = kTensordots, .arguments = {Ref{a.id}, Ref{b.id}}};
    if (over == 1 && draft.flip())
      call.add(fmt::format("([{}], [0])", draft.flip() ? a.shape.size() - 1 : -1));
    else
      call.add(std::int64_t{over});
    record(draft, std::move(call), fresh_unknown(a.dtype, shape, sums(a.dtype, a.interval, b.interval, terms)));
  }

  // Functions of one matrix, or of a vector.
  static void draw_matrix(Draft& draft, std::size_t member) {
    if (member == kVander) return draw_vander(draft);
    if (member == kCov) return draw_cov(draft);
    if (member == kPower) return draw_power(draft);
    Want want{.dtypes = kNumbers | kComplex, .shape = ShapeWant::any(2, 2)};
    want.fits = [](const Value& x) { return inside(traced(x), range_of(traced_dtype(x.dtype))); };
    Value x = draft.input(want);
    record(draft, {.op = "trace", .forms = kTraces, .arguments = {Ref{x.id}}},
           fresh_unknown(traced_dtype(x.dtype), {}, traced(x)));
  }

  static Dtype traced_dtype(Dtype dtype) { return is_integral(dtype) ? Dtype::kInt64 : dtype; }
  static Interval traced(const Value& x) {
    auto n = static_cast<double>(std::min(x.shape[0], x.shape[1]));
    return rounded(sum_of(x.interval, n), traced_dtype(x.dtype), n);
  }

  // Covariances of rows: none is above the largest variance, which for weights of frequency and of reliability is above
  // the one without by a factor of a few.
  static void draw_cov(Draft& draft) {
    constexpr DtypeSet kCovDtypes = kIntegers | kComplex | kFloats;
    const auto image_of = [](const Value& x) {
      const Dtype dtype = to_floating(x.dtype);
      // Of the mean of equal elements, too, rounding leaves something.
      const Interval wide = rounded(x.interval, dtype, static_cast<double>(x.shape.back()) + 8);
      const double width = wide.high - wide.low;
      const double most = width * width * (is_complex(dtype) ? 2 : 1) * 3;
      return rounded(disc(most), dtype, static_cast<double>(x.shape.back()) + 8);
    };
    Want want{.dtypes = kCovDtypes, .shape = ShapeWant::any(1, 2, 2).upto(128), .within = {-100, 100}};
    want.fits = [&](const Value& x) { return inside(image_of(x), range_of(to_floating(x.dtype))); };
    Value x = draft.input(want);
    std::int64_t rows = x.shape.size() == 2 ? x.shape[0] : 0;
    const std::int64_t columns = x.shape.back();
    Shape shape;
    if (rows > 0) shape = {rows, rows};
    const std::uint64_t kind = draft.choices().below(4);
    const std::int64_t correction = draft.between(0, 1);
    Call call{.op = "cov", .forms = kCovs, .arguments = {Ref{x.id}, correction}};
    if (kind == 2) {
      call.forms = kWeightedCovs;
      std::string weights = "torch.tensor([";
      for (std::int64_t i = 0; i < columns; ++i) weights += fmt::format("{}{}", i > 0 ? ", " : "", draft.between(1, 3));
      call.add(weights + "])");
    }
    if (kind == 3) {
      // None of them is near 0.
      const Want weights{.dtypes = {real_dtype(to_floating(x.dtype))},
                         .shape = ShapeWant::exactly({columns}),
                         .within = {0.5, 1.5},
                         .plain = true};
      call.forms = kReliableCovs;
      call.add(Ref{draft.input(weights).id});
    }
    record(draft, std::move(call), fresh_unknown(to_floating(x.dtype), shape, image_of(x)));
  }

  static void draw_power(Draft& draft) {
    std::int64_t n = draft.between(1, 6);
    std::int64_t power = draft.choices().chance(1, 16) ? 0 : draft.between(1, 3);
    Shape pattern = {n, n};
    if (draft.choices().chance(1, 3)) pattern.insert(0, -1);
    auto image_of = [&](const Value& x) {
      double most = bound_of(x.dtype, x.interval).most * static_cast<double>(n);
      return rounded(disc(std::max(1.0, std::pow(most, static_cast<double>(power)))), x.dtype, 20);
    };
    Want want{.dtypes = kDtypes, .shape = ShapeWant::pattern(pattern, 0, 16)};
    want.fits = [&](const Value& x) { return inside(image_of(x), range_of(x.dtype)); };
    Value x = draft.input(want);
    record(draft, {.op = "matrix_power", .forms = kPowers, .arguments = {Ref{x.id}, power}},
           fresh_unknown(x.dtype, x.shape, image_of(x)));
  }

  // Torch's own backward refuses this one.
  static void draw_vander(Draft& draft) {
    // A single column consists of ones.
    std::int64_t columns = draft.choices().chance(1, 16) ? 1 : draft.between(2, 4);
    auto image_of = [&](const Value& x) {
      double most = std::max(bound_of(x.dtype, x.interval).most, 1.0);
      return rounded(disc(std::pow(most, static_cast<double>(columns))), traced_dtype(x.dtype), 8);
    };
    Want want{.dtypes = kComplex | kIntegers | DtypeSet{Dtype::kFloat32, Dtype::kFloat64},
              .shape = ShapeWant::any(1, 1, 1).upto(kMaxElements / 4)};
    want.plain = true;
    want.fits = [&](const Value& x) { return inside(image_of(x), range_of(traced_dtype(x.dtype))); };
    Value x = draft.input(want);
    record(draft,
           {.op = "vander", .forms = Forms(kVanders).first(columns > 1 ? 3 : 2), .arguments = {Ref{x.id}, columns}},
           fresh_unknown(traced_dtype(x.dtype), {x.shape[0], columns}, image_of(x)));
  }

  static void draw_chain(Draft& draft) {
    Value a = draw_first(draft, ShapeWant::any(2, 2, 1), kDtypes);
    std::vector<Ref> parts = {{a.id}};
    Value product = a;
    for (std::int64_t i = draft.between(1, 3); i > 0; --i) {
      std::int64_t terms = product.shape[1];
      Value b = draw_partner(draft, product, ShapeWant::pattern({terms, -1}, 1, 8), 4 * terms);
      parts.push_back({b.id});
      product.shape[1] = b.shape[1];
      Interval image = sums(a.dtype, hull(product.interval, -product.interval), b.interval, 2 * terms);
      product.interval = hull(image, -image);
    }
    record(draft, {.op = "multi_dot", .forms = kMultiDots, .arguments = {parts}},
           fresh_unknown(a.dtype, product.shape, product.interval));
  }

  static void draw_einsum(Draft& draft) {
    const Equation& equation = kEquations[draft.choices().below(kEquations.size())];
    Value a = draw_first(draft, ShapeWant::pattern(Ints::filled(static_cast<int>(equation.first.size()), -1), 0, 12));
    auto size_of = [&](char letter) -> std::int64_t {
      std::size_t at = equation.first.find(letter);
      return at == std::string_view::npos ? -1 : a.shape[static_cast<int>(at)];
    };
    Shape pattern;
    for (char letter : equation.second) pattern.push_back(size_of(letter));
    std::int64_t terms = 1;
    for (std::size_t i = 0; i < equation.first.size(); ++i)
      if (equation.result.find(equation.first[i]) == std::string_view::npos) terms *= a.shape[static_cast<int>(i)];
    Value b = draw_partner(draft, a, ShapeWant::pattern(pattern, 0, 8), terms);
    Shape shape;
    for (char letter : equation.result) {
      std::size_t at = equation.second.find(letter);
      shape.push_back(at == std::string_view::npos ? size_of(letter) : b.shape[static_cast<int>(at)]);
    }
    std::string text = fmt::format("\"{},{}->{}\"", equation.first, equation.second, equation.result);
    record(draft, {.op = "einsum_any", .forms = kEinsums, .arguments = {std::vector<Ref>{{a.id}, {b.id}}, text}},
           fresh_unknown(a.dtype, shape, sums(a.dtype, a.interval, b.interval, terms)));
  }
};

const Register<Operator, Products> registered;

}  // namespace
}  // namespace jp::seedgen::products_operators
