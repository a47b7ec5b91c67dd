// The same elements under another shape. `view` needs a contiguous input; `reshape` and `flatten` copy if they must, so
// their result counts as sharing memory. Literal chances here were chosen, not measured.
#include <array>

#include "seedgen/bases/operator.h"
#include "seedgen/draw/policy.h"

namespace jp::seedgen::reshape_operators {
namespace {

struct Row {
  std::string_view name;
  bool contiguous_only;
};
constexpr Row kRows[] = {
    {"reshape", false}, {"view", true}, {"flatten", false}, {"ravel", false}, {"unflatten", false}};

constexpr std::string_view kReshape[] = {"torch.reshape($0, $1)", "$0.reshape($*1)", "$0.reshape($1)"};
constexpr std::string_view kView[] = {"$0.view($*1)", "$0.view($1)"};
constexpr std::string_view kMethod[] = {"torch.#($0)", "$0.#()"};
constexpr std::string_view kFlattenDims[] = {"torch.flatten($0, $1, $2)", "$0.flatten($1, $2)",
                                             "$0.flatten(start_dim=$1, end_dim=$2)"};
constexpr std::string_view kUnflatten[] = {"torch.unflatten($0, $1, $2)", "$0.unflatten($1, $2)"};

// A divisor of n above 0, drawn from the small ones and n itself; any small number for n = 0.
std::int64_t draw_divisor(Draft& draft, std::int64_t n) {
  std::array<std::int64_t, 12> divisors{};
  std::size_t count = 0;
  for (std::int64_t d = 1; d <= std::min<std::int64_t>(n, 16) && count < 11; ++d)
    if (n % d == 0) divisors[count++] = d;
  divisors[count++] = std::max<std::int64_t>(n, 1);
  return divisors[draft.choices().below(count)];
}

// A shape of n elements: factors split off one after the other, the remainder inserted somewhere.
Shape draw_shape_of(Draft& draft, std::int64_t n) {
  Shape shape;
  auto factors = static_cast<int>(draft.between(0, 3));
  if (factors == 0 && n == 1 && draft.flip()) return shape;
  for (int i = 0; i < factors; ++i) {
    shape.push_back(draw_divisor(draft, n));
    if (n > 0) n /= shape.back();
  }
  // Mostly more of them, the largest first, if the remainder is larger than what other calls read.
  const std::int64_t most = draft.room_to_grow(0);
  const bool bounded = n > most && kPolicy.kept_small.drawn(draft.choices());
  for (std::int64_t d = most; bounded && d > 1 && n > most && shape.size() + 1 < draft.most_rank();)
    if (n % d == 0) {
      shape.push_back(d);
      n /= d;
    } else {
      --d;
    }
  shape.insert(static_cast<int>(draft.between(0, shape.size())), n);
  return shape;
}

class Reshape final : public Operator {
 public:
  std::string_view name() const override { return "reshape"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    switch (member) {
      case 0:
      case 1:
        return draw_reshape(draft, kRows[member]);
      case 2:
        return draw_flatten(draft);
      case 3:
        return draw_ravel(draft);
      default:
        return draw_unflatten(draft);
    }
  }

 private:
  // Row-major strides if the input has them; else unknown, and maybe a copy.
  static Value reshaped(const Value& x, const Shape& shape) {
    return is_contiguous(x) && element_count(shape) > 0 ? view_of(x, shape, contiguous_strides(shape))
                                                        : view_of(x, shape);
  }

  static void take(Draft& draft, Call call, const Value& x, const Shape& shape) {
    draft.record(std::move(call), reshaped(x, shape), {.saves = Saves::kNothing});
  }

  static void draw_reshape(Draft& draft, const Row& row) {
    Want want{.dtypes = kEveryDtype};
    if (row.contiguous_only) want.live = [](const Value& value) { return is_contiguous(value); };
    Value x = draft.input(want);
    bool rows = row.contiguous_only && !is_contiguous(x);
    Shape shape = rows ? x.shape : draw_shape_of(draft, element_count(x.shape));
    Shape written = shape;
    // One size may be left to torch, where the others tell it.
    if (!shape.empty() && element_count(shape) > 0 && draft.choices().chance(1, 3))
      written[draft.dim(shape.size()).at] = -1;
    bool plain = written.empty();
    Forms forms = row.contiguous_only ? Forms(kView) : Forms(kReshape);
    if (plain) forms = row.contiguous_only ? forms.last(1) : forms.first(1);
    take(draft, {.op = row.name, .forms = forms, .arguments = {Ref{x.id}, written}}, x, shape);
  }

  static void draw_ravel(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype});
    take(draft, {.op = "ravel", .forms = kMethod, .arguments = {Ref{x.id}}}, x, {element_count(x.shape)});
  }

  static void draw_flatten(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype});
    int rank = x.shape.size();
    if (rank == 0 || draft.choices().chance(1, 4))
      return take(draft, {.op = "flatten", .forms = kMethod, .arguments = {Ref{x.id}}}, x, {element_count(x.shape)});
    auto first = static_cast<int>(draft.between(0, rank - 1));
    auto last = static_cast<int>(draft.between(first, rank - 1));
    Shape shape = x.shape;
    for (int i = first; i < last; ++i) {
      shape[first] *= shape[first + 1];
      shape.erase(first + 1);
    }
    std::int64_t written_first = draft.flip() ? first : first - rank;
    std::int64_t written_last = draft.flip() ? last : last - rank;
    take(draft, {.op = "flatten", .forms = kFlattenDims, .arguments = {Ref{x.id}, written_first, written_last}}, x,
         shape);
  }

  static void draw_unflatten(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .shape = ShapeWant::any(1, kMaxRank - 1)});
    Dim dim = draft.dim(x.shape.size());
    std::int64_t size = x.shape[dim.at];
    std::int64_t outer = draw_divisor(draft, size);
    Shape shape = x.shape;
    shape[dim.at] = outer;
    shape.insert(dim.at + 1, size / outer);
    Value result = view_of(x, shape);
    if (x.strides_known && element_count(shape) > 0) {
      result = view_of(x, shape, x.strides);
      result.strides.insert(dim.at, x.strides[dim.at] * (size / outer));
    }
    draft.record(
        {.op = "unflatten", .forms = kUnflatten, .arguments = {Ref{x.id}, dim.written, Ints{outer, size / outer}}},
        result, {.saves = Saves::kNothing});
  }
};

const Register<Operator, Reshape> registered;

}  // namespace
}  // namespace jp::seedgen::reshape_operators
