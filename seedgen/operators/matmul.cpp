// Products of matrices and vectors, with one dtype for all operands. Integers if no sum overflows.
// Literal chances here were chosen, not measured.
#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::matmul_operators {
namespace {

constexpr std::string_view kNames[] = {"matmul", "mm", "bmm", "mv", "dot", "linear", "addmm", "outer", "einsum"};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kLinear[] = {"torch.nn.functional.linear($0, $1)"};
constexpr std::string_view kLinearBias[] = {"torch.nn.functional.linear($0, $1, $2)",
                                            "torch.nn.functional.linear($0, $1, bias=$2)"};
constexpr std::string_view kAddmm[] = {"torch.addmm($0, $1, $2)", "$0.addmm($1, $2)"};
constexpr std::string_view kEinsum[] = {"torch.einsum(\"ij,jk->ik\", $0, $1)", "torch.einsum(\"ij,jk\", $0, $1)"};

Interval product_sum(const Value& a, Interval b, std::int64_t terms) {
  auto n = static_cast<double>(terms);
  Interval product = is_complex(a.dtype) ? complex_product(a.interval, b) : a.interval * b;
  return rounded(sum_of(product, n), a.dtype, n + 2);
}

// Nothing changes if only zeros are added.
Interval added(Interval image, Interval addend, Dtype dtype) {
  return addend == Interval{0, 0} ? image : rounded(image + addend, dtype);
}

constexpr DtypeSet kDtypes = kNumbers | kComplex;

class Matmul final : public Operator {
 public:
  std::string_view name() const override { return "matmul"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
        return draw_matmul(draft);
      case 1:
        return draw_pair(draft, member, {-1, -1}, 2);
      case 2:
        return draw_pair(draft, member, {-1, -1, -1}, 3);
      case 3:
        return draw_pair(draft, member, {-1, -1}, 1);
      case 4:
        return draw_pair(draft, member, {-1}, 1);
      case 5:
        return draw_linear(draft);
      case 6:
        return draw_addmm(draft);
      case 7:
        return draw_outer(draft);
      default:
        return draw_pair(draft, member, {-1, -1}, 2);
    }
  }

 private:
  // The second operand: the first one's last dimension is summed over.
  static Value draw_second(Draft& draft, const Value& a, const Shape& pattern, std::int64_t terms) {
    if (a.dtype == Dtype::kBool) return draft.input({.dtypes = kBools, .shape = ShapeWant::pattern(pattern)});
    std::int64_t rows = 1;
    for (int i = 0; i + 1 < a.shape.size(); ++i) rows *= std::max<std::int64_t>(a.shape[i], 1);
    std::int64_t most = std::max<std::int64_t>(kMaxElements / rows, 1);
    Want want{.dtypes = {a.dtype}, .shape = ShapeWant::pattern(pattern, 0, most)};
    want.fits = [&](const Value& b) { return inside(product_sum(a, b.interval, terms), range_of(a.dtype)); };
    return draft.input(want);
  }

  static Want want_first(const ShapeWant& shape) {
    return {.dtypes = kDtypes, .shape = shape.upto(kMaxArgumentElements)};
  }

  // Eager doesn't multiply bools, but returns empty products of them.
  static bool draw_bools(Draft& draft, std::size_t member) { return member < 2 && draft.choices().chance(1, 24); }

  static void draw_pair(Draft& draft, std::size_t member, const Shape& first, int second_rank) {
    Want want = want_first(ShapeWant::pattern(first));
    if (draw_bools(draft, member)) want.dtypes = kBools;
    Value a = draft.input(want);
    multiply(draft, member, a, second_rank);
  }

  static void draw_matmul(Draft& draft) {
    const bool bools = draw_bools(draft, 0);
    Want want = want_first(ShapeWant::any(1, bools ? 2 : 4));
    if (bools) want.dtypes = kBools;
    Value a = draft.input(want);
    int rank = a.shape.size();
    const bool matrix = bools && (rank == 1 || element_count(a.shape) > 0);
    multiply(draft, 0, a, static_cast<int>(draft.between(matrix ? 2 : 1, rank < 2 ? 2 : rank)));
  }

  // `a` times a vector, a matrix, or a stack of matrices whose batch dimensions are a's last ones.
  static void multiply(Draft& draft, std::size_t member, const Value& a, int second_rank) {
    std::int64_t terms = a.shape.back();
    Shape pattern = {terms};
    const bool bools = a.dtype == Dtype::kBool;
    if (second_rank >= 2) pattern.push_back(bools && element_count(a.shape) > 0 ? 0 : -1);
    int rank = a.shape.size();
    for (int i = 3; i <= second_rank; ++i) pattern.insert(0, a.shape[rank - i]);
    Value b = draw_second(draft, a, pattern, terms);
    Shape shape = a.shape;
    shape.erase(rank - 1);
    if (second_rank >= 2) shape.push_back(b.shape.back());
    record(draft,
           {.op = kNames[member],
            .forms = member == 8 ? Forms(kEinsum) : Forms(kForms),
            .arguments = {Ref{a.id}, Ref{b.id}}},
           fresh_unknown(a.dtype, shape, bools ? Interval{0, 1} : product_sum(a, b.interval, terms)));
  }

  static void draw_linear(Draft& draft) {
    Value x = draft.input({.dtypes = kDtypes, .shape = ShapeWant::any(1, 4).upto(kMaxArgumentElements)});
    Value weight = draw_second(draft, x, {-1, x.shape.back()}, x.shape.back());
    Interval image = product_sum(x, weight.interval, x.shape.back());
    Shape shape = x.shape;
    shape[shape.size() - 1] = weight.shape[0];
    Call call{.op = "linear", .forms = kLinear, .arguments = {Ref{x.id}, Ref{weight.id}}};
    if (draft.flip()) {
      Value bias = draw_addend(draft, x.dtype, ShapeWant::exactly({weight.shape[0]}), image);
      image = added(image, bias.interval, x.dtype);
      call.forms = kLinearBias;
      call.add(Ref{bias.id});
    }
    record(draft, std::move(call), fresh_unknown(x.dtype, shape, image));
  }

  static void draw_addmm(Draft& draft) {
    Value a = draft.input(want_first(ShapeWant::pattern({-1, -1})));
    Value b = draw_second(draft, a, {a.shape[1], -1}, a.shape[1]);
    Interval image = product_sum(a, b.interval, a.shape[1]);
    Shape shape = {a.shape[0], b.shape[1]};
    Value addend = draw_addend(draft, a.dtype, ShapeWant::into(shape), image);
    record(draft, {.op = "addmm", .forms = kAddmm, .arguments = {Ref{addend.id}, Ref{a.id}, Ref{b.id}}},
           fresh_unknown(a.dtype, shape, added(image, addend.interval, a.dtype)));
  }

  // Something to add to `image` without leaving the dtype's range; at least 0.
  static Value draw_addend(Draft& draft, Dtype dtype, const ShapeWant& shape, Interval image) {
    Want want{.dtypes = {dtype}, .shape = shape};
    want.fits = [&](const Value& value) { return inside(added(image, value.interval, dtype), range_of(dtype)); };
    return draft.input(want);
  }

  static void draw_outer(Draft& draft) {
    Value a = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1, 1)});
    std::int64_t most = kMaxElements / std::max<std::int64_t>(a.shape[0], 1);
    Want want{.dtypes = {a.dtype}, .shape = ShapeWant::pattern({-1}, 0, most)};
    want.fits = [&](const Value& b) { return inside(product_sum(a, b.interval, 1), range_of(a.dtype)); };
    Value b = draft.input(want);
    record(draft, {.op = "outer", .forms = kForms, .arguments = {Ref{a.id}, Ref{b.id}}},
           fresh_unknown(a.dtype, {a.shape[0], b.shape[0]}, product_sum(a, b.interval, 1)));
  }

  static void record(Draft& draft, Call call, const Value& result) {
    const auto first = static_cast<std::size_t>(operands(call)[0]);
    bool folds = call.op == "matmul" && draft.graph().values[first].shape.size() > 2;
    // Eager refuses a strided `out=` when it folds batches of matrices into one.
    if (folds || call.op == "einsum" || result.dtype == Dtype::kBool)
      return draft.record(std::move(call), result, {.exactness = Exactness::kLoose});
    record_product(draft, std::move(call), result, {.exactness = Exactness::kLoose});
  }
};

const Register<Operator, Matmul> registered;

}  // namespace
}  // namespace jp::seedgen::matmul_operators
