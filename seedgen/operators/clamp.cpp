// Clamps by numbers, new and in place. Literal chances here were chosen, not measured.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::clamp_operators {
namespace {

struct Row {
  std::string_view name;
  bool low;
  bool high;
  bool in_place;
};
constexpr Row kRows[] = {{"clamp", true, true, false},      {"clip", true, true, false},
                         {"clamp_min", true, false, false}, {"clamp_max", false, true, false},
                         {"clamp_", true, true, true},      {"clamp_min_", true, false, true}};

constexpr std::string_view kBoth[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)", "$0.#(min=$1, max=$2)"};
constexpr std::string_view kOne[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kOneInPlace[] = {"$0.#($1)"};

constexpr std::string_view kTensors[] = {"torch.#($0, $1, $2)", "$0.#($1, $2)", "torch.#($0, min=$1, max=$2)",
                                         "$0.#(min=$1, max=$2)"};
constexpr std::string_view kTensorsInPlace[] = {"$0.#($1, $2)", "torch.#($0, min=$1, max=$2)"};

// An end as a number of the dtype's kind: halves for floats.
double draw_end(Draft& draft, Dtype dtype, std::int64_t least, std::int64_t most) {
  auto number = static_cast<double>(draft.between(least, most));
  return is_integral(dtype) ? number : number / 2;
}

// A number of few digits near the middle of the elements, which every dtype holds.
double middle(const Value& x) {
  int exponent = 0;
  double mantissa = std::frexp((x.interval.low + x.interval.high) / 2, &exponent);
  double number = std::ldexp(std::floor(mantissa * 64), exponent - 6);
  return is_integral(x.dtype) ? std::floor(number) : number;
}

// Ends that leave little between them give a constant, or nearly one: mostly one of them is moved.
void open_up(Draft& draft, const Value& x, const Row& row, Interval& ends) {
  const double margin = (x.interval.high - x.interval.low) / 4;
  const bool too_high = row.low && ends.low >= x.interval.high - margin;
  const bool too_low = row.high && ends.high <= x.interval.low + margin;
  const bool equal = ends.low == ends.high;
  if ((!too_high && !too_low && !equal) || draft.choices().chance(1, 16)) return;
  // Elements of a wide interval are mostly near 0: nothing is cut off there.
  if (margin > 16) {
    if (too_high) ends.low = std::floor(x.interval.low);
    if (too_low) ends.high = std::ceil(x.interval.high);
    return;
  }
  const double inner = middle(x);
  if (inner > x.interval.low && inner < x.interval.high) {
    if (too_high) ends.low = inner;
    if (too_low) ends.high = inner;
  }
  if (ends.low == ends.high) ends.high += 1;
}

class Clamp final : public Operator {
 public:
  std::string_view name() const override { return "clamp"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    if (draft.choices().chance(1, 5)) return draw_tensors(draft, row);
    Value x = draft.input({.dtypes = row.in_place ? kNumbers : kAnyDtype, .written = row.in_place});
    // Bools clamped by integers are integers.
    const Dtype dtype = x.dtype == Dtype::kBool ? Dtype::kInt64 : x.dtype;
    Call call{.op = row.name, .forms = row.low && row.high ? Forms(kBoth) : Forms(kOne), .arguments = {Ref{x.id}}};
    Interval ends = {-1e300, 1e300};
    bool unsigned_type = x.dtype == Dtype::kUInt8;
    if (row.low) ends.low = draw_end(draft, x.dtype, unsigned_type ? 0 : -4, 2);
    if (row.high) ends.high = draw_end(draft, x.dtype, 2, 12);
    open_up(draft, x, row, ends);
    if (row.low) call.add(python_number(dtype, ends.low));
    if (row.high) call.add(python_number(dtype, ends.high));
    Interval image = clip(x.interval, ends);
    if (row.in_place)
      draft.record_write(std::move(call), x, image, {});
    else
      record_or_out(draft, std::move(call), elementwise(dtype, image, {&x}), {});
  }

 private:
  // Ends that are tensors of its own dtype, broadcast into it.
  static void draw_tensors(Draft& draft, const Row& row) {
    // Eager takes one bound of bools, but not two.
    const DtypeSet dtypes = row.low && row.high ? kNumbers : kAnyDtype;
    Value x = draft.input({.dtypes = dtypes, .written = row.in_place});
    Call call{.op = row.name, .arguments = {Ref{x.id}}};
    if (row.low && row.high) call.forms = row.in_place ? Forms(kTensorsInPlace) : Forms(kTensors);
    if (!row.low || !row.high) call.forms = row.in_place ? Forms(kOneInPlace) : Forms(kOne);
    Interval image = x.interval;
    auto draw_end_of = [&](bool low) {
      Want want{.dtypes = {x.dtype}, .shape = ShapeWant::into(x.shape)};
      want.settles = true;
      want.preferred = [other = image](const Value& value) { return overlap(other, value.interval); };
      if (row.in_place) draft.beside(want, x);
      const Value end = draft.input(want);
      call.add(Ref{end.id});
      const Interval at = end.interval;
      image = low ? Interval{std::max(image.low, at.low), std::max(image.high, at.high)}
                  : Interval{std::min(image.low, at.low), std::min(image.high, at.high)};
    };
    if (row.low) draw_end_of(true);
    if (row.high) draw_end_of(false);
    if (row.in_place) return draft.record_write(std::move(call), x, image, {});
    Value result = elementwise(x.dtype, image, {&x});
    result.strides_known = false;
    record_or_out(draft, std::move(call), result, {});
  }
};

const Register<Operator, Clamp> registered;

}  // namespace
}  // namespace jp::seedgen::clamp_operators
