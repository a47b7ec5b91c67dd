// New tensors from sizes and numbers: torch.zeros and the like, sequences, identity, literals. `x.new_*` and `*_like`
// take only dtype and shape from a value. Literal chances here were chosen, not measured.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"
#include "seedgen/draw/live.h"

namespace jp::seedgen::create_operators {
namespace {

constexpr std::string_view kNames[] = {"zeros",        "ones",         "full",     "empty",         "eye",
                                       "arange",       "linspace",     "logspace", "scalar_tensor", "tensor",
                                       "tril_indices", "triu_indices", "new_full", "like"};
constexpr std::string_view kOuts[] = {"zeros", "ones", "full", "eye", "arange", "linspace", "logspace"};
constexpr std::string_view kSizes[] = {"torch.#($0, dtype=$1)", "torch.#($*0, dtype=$1)", "torch.#(size=$0, dtype=$1)"};
constexpr std::string_view kFull[] = {"torch.full($0, $2, dtype=$1)", "torch.full(size=$0, fill_value=$2, dtype=$1)"};
constexpr std::string_view kEmpty[] = {"torch.empty($0, dtype=$1).fill_($2)", "torch.empty($*0, dtype=$1).fill_($2)"};
constexpr std::string_view kEye[] = {"torch.eye($0, $1, dtype=$2)", "torch.eye(n=$0, m=$1, dtype=$2)"};
constexpr std::string_view kArange[] = {"torch.arange($0, $1, $2, dtype=$3)",
                                        "torch.arange(start=$0, end=$1, step=$2, dtype=$3)"};
constexpr std::string_view kSpace[] = {"torch.#($0, $1, $2, dtype=$3)",
                                       "torch.#(start=$0, end=$1, steps=$2, dtype=$3)"};
constexpr std::string_view kSpaceOfBase[] = {"torch.#($0, $1, $2, $4, dtype=$3)",
                                             "torch.#(start=$0, end=$1, steps=$2, base=$4, dtype=$3)"};
constexpr std::string_view kScalar[] = {"torch.scalar_tensor($0, dtype=$1)", "torch.tensor($0, dtype=$1)"};
constexpr std::string_view kTensor[] = {"torch.tensor($0, dtype=$1)", "torch.as_tensor($0, dtype=$1)"};
constexpr std::string_view kTriangle[] = {"torch.#($0, $1, $2, dtype=$3)", "torch.#($0, $1, offset=$2, dtype=$3)"};
constexpr std::string_view kTriangleLong[] = {"torch.#($0, $1, $2)", "torch.#($0, $1, offset=$2)"};
constexpr std::string_view kNewFull[] = {"$0.new_full($1, $2)", "$0.new_full($1, fill_value=$2)",
                                         "$0.new_empty($1).fill_($2)"};
constexpr std::string_view kNewZerosDtype[] = {"$0.new_zeros($1, dtype=$2)"};
constexpr std::string_view kNewOnesDtype[] = {"$0.new_ones($1, dtype=$2)"};
constexpr std::string_view kNewDtype[] = {"$0.new_full($1, $2, dtype=$3)", "$0.new_empty($1, dtype=$3).fill_($2)"};
constexpr std::string_view kNewZeros[] = {"$0.new_zeros($1)", "$0.new_zeros($*1)"};
constexpr std::string_view kNewOnes[] = {"$0.new_ones($1)", "$0.new_ones($*1)"};
constexpr std::string_view kLike[] = {"torch.full_like($0, $1, dtype=$2)", "torch.empty_like($0, dtype=$2).fill_($1)"};

constexpr Dtype kDtypes[] = {Dtype::kFloat32, Dtype::kFloat32, Dtype::kFloat64, Dtype::kFloat16,   Dtype::kBFloat16,
                             Dtype::kInt64,   Dtype::kInt32,   Dtype::kInt16,   Dtype::kInt8,      Dtype::kUInt8,
                             Dtype::kBool,    Dtype::kFloat32, Dtype::kInt64,   Dtype::kComplex64, Dtype::kComplex128};

// Of these: mostly that of the model.
Dtype draw_dtype(Draft& draft, const Model& model, DtypeSet dtypes = kEveryDtype) {
  if (std::optional<Dtype> live = model.dtype(dtypes)) return *live;
  std::vector<Dtype> possible;
  for (Dtype dtype : kDtypes)
    if (dtypes.has(dtype)) possible.push_back(dtype);
  return draft.choices().pick(possible);
}

constexpr std::int64_t kMostLength = 17;
constexpr std::int64_t kMostElements = 512;

double draw_number(Draft& draft, Dtype dtype) {
  if (dtype == Dtype::kBool) return static_cast<double>(draft.between(0, 1));
  auto number = static_cast<double>(draft.between(dtype == Dtype::kUInt8 ? 0 : -4, 5));
  return is_integral(dtype) ? number : number / 2;
}

Shape draw_sizes(Draft& draft, const Model& model) {
  if (std::optional<Shape> live = model.shape(); live && element_count(*live) <= kMostElements) return *live;
  Shape shape;
  for (std::int64_t i = draft.between(1, 3); i > 0; --i) shape.push_back(draft.between(1, 6));
  return shape;
}

class Create final : public Operator {
 public:
  std::string_view name() const override { return "create"; }
  std::vector<std::string_view> members() const override { return {std::begin(kNames), std::end(kNames)}; }
  bool constant(std::size_t) const override { return true; }

  void draw(Draft& draft, std::size_t member) const override {
    std::string_view op = kNames[member];
    if (member <= 3) return draw_filled(draft, op, member);
    if (op == "eye") return draw_eye(draft);
    if (op == "arange") return draw_arange(draft);
    if (op == "linspace" || op == "logspace") return draw_space(draft, op);
    if (op == "scalar_tensor") return draw_scalar(draft);
    if (op == "tensor") return draw_literal(draft);
    if (op == "new_full") return draw_new(draft);
    if (op == "like") return draw_like(draft);
    draw_triangle(draft, op);
  }

 private:
  static void record(Draft& draft, Call call, const Value& result, Exactness exactness = Exactness::kSame) {
    const Traits traits = {.exactness = exactness, .saves = Saves::kNothing, .differentiable = false};
    const bool has_out = std::find(std::begin(kOuts), std::end(kOuts), call.op) != std::end(kOuts);
    if (!has_out) return draft.record(std::move(call), result, traits);
    record_or_out(draft, std::move(call), result, traits);
  }

  static void draw_filled(Draft& draft, std::string_view op, std::size_t member) {
    const Model model(draft);
    Shape shape = draw_sizes(draft, model);
    Dtype dtype = draw_dtype(draft, model);
    double number = member == 0 ? 0 : member == 1 ? 1 : draw_number(draft, dtype);
    Call call{.op = op,
              .forms = member == 2   ? Forms(kFull)
                       : member == 3 ? Forms(kEmpty)
                                     : Forms(kSizes),
              .arguments = {shape, dtype}};
    if (member >= 2) call.add(python_number(dtype, number));
    record(draft, std::move(call), fresh(dtype, shape, of_number(dtype, number)));
  }

  static void draw_eye(Draft& draft) {
    std::int64_t rows = draft.between(1, 6);
    std::int64_t columns = draft.between(1, 6);
    const Model model(draft);
    if (std::optional<Shape> live = model.shape(); live && live->size() == 2 && element_count(*live) <= kMostElements) {
      rows = (*live)[0];
      columns = (*live)[1];
    }
    Dtype dtype = draw_dtype(draft, model);
    record(draft, {.op = "eye", .forms = kEye, .arguments = {rows, columns, dtype}},
           fresh(dtype, {rows, columns}, {0, 1}));
  }

  // Steps of integers, or of halves, which every float holds.
  static void draw_arange(Draft& draft) {
    const Model model(draft);
    Dtype dtype = draw_dtype(draft, model, kNumbers);
    double unit = is_integral(dtype) ? 1 : 0.5;
    std::int64_t count = model.length(1, kMostLength);
    bool down = dtype != Dtype::kUInt8 && draft.choices().chance(1, 3);
    double step = (down ? -1 : 1) * unit * static_cast<double>(draft.between(1, 3));
    double start = unit * static_cast<double>(draft.between(dtype == Dtype::kUInt8 ? 0 : -5, 5));
    double last = start + step * static_cast<double>(count - 1);
    double end = last + step / (is_integral(dtype) || draft.flip() ? 1 : 2);
    Call call{.op = "arange", .forms = kArange};
    for (double number : {start, end, step}) call.add(python_number(dtype, number));
    call.add(dtype);
    record(draft, std::move(call), fresh(dtype, {count}, {std::min(start, last), std::max(start, last)}));
  }

  // An end of a sequence: a number, or a 0-d tensor.
  static Argument draw_end(Draft& draft, double number, Interval& end) {
    end = {number, number};
    if (!draft.choices().chance(1, 4)) return number;
    Want want{.dtypes = kFloats, .shape = ShapeWant::exactly({}), .within = {-4, 4}, .plain = true};
    const Value value = draft.input(want);
    end = value.interval;
    return Ref{value.id};
  }

  // Integers are whole numbers apart, so that none is truncated.
  static void draw_space(Draft& draft, std::string_view op) {
    const bool powers = op == "logspace";
    const Model model(draft);
    Dtype dtype = draw_dtype(draft, model, powers ? kFloats | kComplex : kNumbers | kComplex);
    std::int64_t steps = model.length(1, kMostLength);
    if (is_integral(dtype)) return draw_whole_space(draft, dtype, steps);
    auto start = static_cast<double>(draft.between(powers ? -1 : -4, 2));
    double end = start + static_cast<double>(draft.between(powers ? -1 : -3, powers ? 2 : 4));
    const double base = powers && draft.flip() ? static_cast<double>(draft.between(2, 4)) : 10;
    Interval low;
    Interval high;
    Call call{.op = op, .forms = base == 10 ? Forms(kSpace) : Forms(kSpaceOfBase)};
    call.add(draw_end(draft, start, low));
    call.add(draw_end(draft, end, high));
    call.add(steps);
    call.add(dtype);
    if (base != 10) call.add(base);
    Interval image = hull(low, high);
    if (powers) image = {std::pow(base, image.low), std::pow(base, image.high)};
    if (is_complex(dtype)) image = hull(image, {0, 0});
    record(draft, std::move(call), fresh(dtype, {steps}, rounded(image, dtype, 8)), Exactness::kLoose);
  }

  static void draw_whole_space(Draft& draft, Dtype dtype, std::int64_t steps) {
    const bool down = dtype != Dtype::kUInt8 && draft.choices().chance(1, 3);
    const std::int64_t start = draft.between(dtype == Dtype::kUInt8 ? 0 : -5, 5);
    const std::int64_t end = start + (steps - 1) * draft.between(0, 3) * (down ? -1 : 1);
    const Interval image = {static_cast<double>(std::min(start, end)), static_cast<double>(std::max(start, end))};
    record(draft, {.op = "linspace", .forms = kSpace, .arguments = {start, end, steps, dtype}},
           fresh(dtype, {steps}, image));
  }

  static void draw_scalar(Draft& draft) {
    Dtype dtype = draw_dtype(draft, Model(draft));
    double number = draw_number(draft, dtype);
    record(draft, {.op = "scalar_tensor", .forms = kScalar, .arguments = {python_number(dtype, number), dtype}},
           fresh(dtype, {}, of_number(dtype, number)));
  }

  // A list, or a list of lists.
  static void draw_literal(Draft& draft) {
    Dtype dtype = draw_dtype(draft, Model(draft));
    const bool complex = is_complex(dtype);
    std::int64_t rows = draft.between(1, 3);
    std::int64_t columns = draft.between(1, 4);
    Interval image = {1e300, -1e300};
    std::string text;
    for (std::int64_t i = 0; i < rows * columns; ++i) {
      double number = draw_number(draft, dtype);
      image = {std::min(image.low, number), std::max(image.high, number)};
      text += i % columns > 0 ? ", " : i > 0 ? "], [" : "";
      text += dtype == Dtype::kBool ? (number != 0 ? "True" : "False")
              : is_integral(dtype)  ? fmt::format("{}", static_cast<std::int64_t>(number))
                                    : fmt::format("{:.1f}", number);
    }
    bool flat = rows == 1 && draft.flip();
    Shape shape = flat ? Shape{columns} : Shape{rows, columns};
    record(draft,
           {.op = "tensor", .forms = kTensor, .arguments = {(flat ? "[" : "[[") + text + (flat ? "]" : "]]"), dtype}},
           fresh(dtype, shape, complex ? hull(image, {0, 0}) : image));
  }

  // Positions of a triangle: two rows of them.
  static void draw_triangle(Draft& draft, std::string_view op) {
    std::int64_t rows = draft.between(1, 5);
    std::int64_t columns = draft.between(1, 5);
    std::int64_t offset = draft.between(-2, 2);
    std::int64_t lower = 0;
    for (std::int64_t row = 0; row < rows; ++row)
      lower += std::clamp<std::int64_t>(row + offset + (op == "tril_indices" ? 1 : 0), 0, columns);
    std::int64_t count = op == "tril_indices" ? lower : rows * columns - lower;
    const Dtype dtype = draft.flip() ? Dtype::kInt64 : Dtype::kInt32;
    const bool usual = dtype == Dtype::kInt64 && draft.flip();
    record(draft,
           {.op = op,
            .forms = usual ? Forms(kTriangleLong) : Forms(kTriangle),
            .arguments = {rows, columns, offset, dtype}},
           fresh_unknown(dtype, {2, count}, {0, static_cast<double>(std::max(rows, columns) - 1)}));
  }

  static void draw_new(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .metadata_only = true});
    const Model model(draft);
    Shape shape = draw_sizes(draft, model);
    const std::uint64_t kind = draft.choices().below(4);  // zeros, ones, and twice any number
    const bool casts = draft.choices().chance(1, 3);
    Dtype dtype = casts ? draw_dtype(draft, model) : x.dtype;
    double number = kind == 0 ? 0 : kind == 1 ? 1 : draw_number(draft, dtype);
    constexpr Forms kKinds[] = {kNewZeros, kNewOnes, kNewFull};
    constexpr Forms kKindsOfDtype[] = {kNewZerosDtype, kNewOnesDtype, kNewDtype};
    const std::uint64_t form = std::min<std::uint64_t>(kind, 2);
    Call call{.op = "new_full", .forms = casts ? kKindsOfDtype[form] : kKinds[form], .arguments = {Ref{x.id}, shape}};
    if (kind >= 2) call.add(python_number(dtype, number));
    if (casts) call.add(dtype);
    record(draft, std::move(call), fresh(dtype, shape, of_number(dtype, number)));
  }

  static void draw_like(Draft& draft) {
    Value x = draft.input({.dtypes = kEveryDtype, .metadata_only = true});
    Dtype dtype = draw_dtype(draft, Model(draft));
    double number = draw_number(draft, dtype);
    record(draft, {.op = "like", .forms = kLike, .arguments = {Ref{x.id}, python_number(dtype, number), dtype}},
           elementwise(dtype, of_number(dtype, number), {&x}));
  }
};

const Register<Operator, Create> registered;

}  // namespace
}  // namespace jp::seedgen::create_operators
