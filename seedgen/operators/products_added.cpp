// Products with something added: beta times a tensor plus alpha times the product, new and in place.
#include <fmt/format.h>

#include <array>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::products_added_operators {
namespace {

struct Row {
  std::string_view name;
  std::string_view in_place;
  /// Letters of the operands and of the result; letters that it lacks are summed over.
  std::string_view first;
  std::string_view second;
  std::string_view result;
};

constexpr Row kRows[] = {
    {"addr", "addr_", "i", "j", "ij"},
    {"addmv", "addmv_", "ij", "j", "i"},
    {"addmm_scaled", "addmm_", "ij", "jk", "ik"},
    {"addbmm", "addbmm_", "bij", "bjk", "ik"},
    {"baddbmm", "baddbmm_", "bij", "bjk", "bik"},
};
constexpr std::string_view kCalls[] = {"addr", "addmv", "addmm", "addbmm", "baddbmm"};

constexpr std::string_view kForms[] = {"torch.$4($0, $1, $2$3)", "$0.$4($1, $2$3)"};
constexpr std::string_view kInPlace[] = {"$0.#($1, $2$3)"};

constexpr DtypeSet kDtypes = kFloats | kComplex | kIntegers;
constexpr std::array<double, 4> kFactors = {1, 2, -1, 0.5};

// beta and alpha; whole numbers for integers.
struct Factors {
  double beta = 1;
  double alpha = 1;
  std::string text;
};

Factors draw_factors(Draft& draft, Dtype dtype) {
  auto draw = [&] { return kFactors[draft.choices().below(dtype == Dtype::kUInt8 ? 2 : is_integral(dtype) ? 3 : 4)]; };
  auto number = [&](double x) {
    return is_integral(dtype) ? fmt::format("{}", static_cast<std::int64_t>(x)) : fmt::format("{:.1f}", x);
  };
  Factors factors;
  if (draft.flip()) factors.beta = draw();
  if (draft.flip()) factors.alpha = draw();
  if (factors.beta != 1) factors.text += ", beta=" + number(factors.beta);
  if (factors.alpha != 1) factors.text += ", alpha=" + number(factors.alpha);
  return factors;
}

class ProductsAdded final : public Operator {
 public:
  std::string_view name() const override { return "products_added"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    for (const Row& row : kRows) names.push_back(row.in_place);
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    constexpr std::size_t kCount = std::size(kRows);
    member < kCount ? draw_new(draft, member) : draw_in_place(draft, kRows[member - kCount]);
  }

 private:
  // Sizes by letter, -1 if not set yet.
  struct Sizes {
    std::array<std::int64_t, 128> of{};
    Sizes() { of.fill(-1); }
    std::int64_t& operator[](char letter) { return of[static_cast<std::size_t>(letter)]; }
    Shape shape(std::string_view letters) {
      Shape shape;
      for (char letter : letters) shape.push_back((*this)[letter]);
      return shape;
    }
    void take(std::string_view letters, const Shape& shape) {
      for (std::size_t i = 0; i < letters.size(); ++i) (*this)[letters[i]] = shape[static_cast<int>(i)];
    }
    std::int64_t terms(const Row& row) {
      std::int64_t product = 1;
      for (char letter : row.first)
        if (row.result.find(letter) == std::string_view::npos) product *= (*this)[letter];
      return product;
    }
  };

  static Interval products(const Value& a, Interval b, std::int64_t terms, double alpha) {
    auto n = static_cast<double>(terms);
    Interval product = is_complex(a.dtype) ? complex_product(a.interval, b) : a.interval * b;
    return rounded(scaled(sum_of(product, n), alpha), a.dtype, n + 2);
  }

  // Nothing changes if only zeros are added.
  static Interval added(Interval image, Interval addend, Dtype dtype, double beta) {
    return addend == Interval{0, 0} ? image : rounded(image + scaled(addend, beta), dtype, 2);
  }

  static void draw_new(Draft& draft, std::size_t member) {
    const Row& row = kRows[member];
    Sizes sizes;
    Shape any = Ints::filled(static_cast<int>(row.first.size()), -1);
    // Torch forgets to broadcast what is added to zero rows.
    Value a =
        draft.input({.dtypes = kDtypes, .shape = ShapeWant::pattern(any, row.name == "addmv" ? 1 : 0, 33).upto(512)});
    Factors factors = draw_factors(draft, a.dtype);
    sizes.take(row.first, a.shape);
    std::int64_t terms = sizes.terms(row);
    Want second{.dtypes = {a.dtype}, .shape = ShapeWant::pattern(sizes.shape(row.second), 0, 16)};
    second.fits = [&](const Value& b) {
      return inside(products(a, b.interval, terms, factors.alpha), range_of(a.dtype));
    };
    Value b = draft.input(second);
    sizes.take(row.second, b.shape);
    Interval image = products(a, b.interval, terms, factors.alpha);
    Shape shape = sizes.shape(row.result);
    Want third{.dtypes = {a.dtype}, .shape = ShapeWant::into(shape)};
    third.fits = [&](const Value& c) {
      return inside(added(image, c.interval, a.dtype, factors.beta), range_of(a.dtype));
    };
    Value addend = draft.input(third);
    Call call{.op = row.name, .forms = kForms, .arguments = {Ref{addend.id}, Ref{a.id}, Ref{b.id}, factors.text}};
    call.add(std::string(kCalls[member]));
    record_or_out(draft, std::move(call),
                  fresh_unknown(a.dtype, shape, added(image, addend.interval, a.dtype, factors.beta)),
                  {.exactness = Exactness::kLoose});
  }

  static void draw_in_place(Draft& draft, const Row& row) {
    Sizes sizes;
    Shape any = Ints::filled(static_cast<int>(row.result.size()), -1);
    Want first{.dtypes = kDtypes, .shape = ShapeWant::pattern(any, 0, 16).upto(512), .written = true};
    first.fits = [](const Value& x) {
      const Interval turned = x.dtype == Dtype::kUInt8 ? x.interval : hull(x.interval, -x.interval);
      return inside(rounded(scaled(turned, 2), x.dtype, 2), range_of(x.dtype));
    };
    first.paired = true;
    Value target = draft.input(first);
    Factors factors = draw_factors(draft, target.dtype);
    sizes.take(row.result, target.shape);
    Want want_a{.dtypes = {target.dtype}, .shape = ShapeWant::pattern(sizes.shape(row.first), 0, 8).upto(512)};
    draft.beside(want_a, target);
    Value a = draft.input(want_a);
    sizes.take(row.first, a.shape);
    std::int64_t terms = sizes.terms(row);
    Want want_b{.dtypes = {target.dtype}, .shape = ShapeWant::exactly(sizes.shape(row.second))};
    auto image_of = [&](Interval b) {
      Interval image = added(products(a, b, terms, factors.alpha), target.interval, target.dtype, factors.beta);
      return rounded(image, target.dtype, 2);
    };
    want_b.fits = [&](const Value& b) { return inside(image_of(b.interval), range_of(target.dtype)); };
    draft.beside(want_b, target);
    Value b = draft.input(want_b);
    draft.record_write(
        {.op = row.in_place, .forms = kInPlace, .arguments = {Ref{target.id}, Ref{a.id}, Ref{b.id}, factors.text}},
        target, image_of(b.interval), {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, ProductsAdded> registered;

}  // namespace
}  // namespace jp::seedgen::products_added_operators
