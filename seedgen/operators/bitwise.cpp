// Bits of integers and bools, and shifts that lose nothing.
#include <algorithm>
#include <cmath>

#include "seedgen/bases/binary.h"
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::bitwise_operators {
namespace {

// All numbers with as many bits as the operands have.
std::optional<Interval> bits(Dtype type, Interval a, Interval b) {
  double power = std::exp2(std::ceil(std::log2(std::max(largest(hull(a, b)), 1.0) + 1)));
  bool negative = a.low < 0 || b.low < 0;
  return clip(Interval{negative ? -power : 0, power - 1}, range_of(type));
}

std::optional<Interval> shifted_left(Dtype type, Interval a, Interval b) {
  if (a.low < 0 || b.low < 0 || b.high >= 8 * dtype_size(type)) return std::nullopt;
  return Interval{0, a.high * std::exp2(b.high)};
}

std::optional<Interval> shifted_right(Dtype type, Interval a, Interval b) {
  if (b.low < 0 || b.high >= 8 * dtype_size(type)) return std::nullopt;
  return hull(a, {0, 0});
}

struct Row {
  std::string_view name;
  BinaryRule rule;
  std::string_view infix;
};

constexpr DtypeSet kBitDtypes = kIntegers | kBools;

const Row kRows[] = {
    {"bitwise_and", {.dtypes = kBitDtypes, .image = bits, .number_first = true}, "$0 & $1"},
    {"bitwise_or", {.dtypes = kBitDtypes, .image = bits, .number_first = true}, "$0 | $1"},
    {"bitwise_xor", {.dtypes = kBitDtypes, .image = bits, .number_first = true}, "$0 ^ $1"},
    {"bitwise_left_shift",
     {.dtypes = kIntegers, .image = shifted_left, .first = {0, 1000}, .second = {0, 7}, .number_first = true},
     "$0 << $1"},
    {"bitwise_right_shift",
     {.dtypes = kIntegers, .image = shifted_right, .second = {0, 7}, .number_first = true},
     "$0 >> $1"},
};

constexpr std::string_view kForms[] = {"torch.#($0, $1)", "$0.#($1)"};
constexpr std::string_view kFunction[] = {"torch.#($0, $1)"};
constexpr std::string_view kNot[] = {"torch.#($0)", "$0.#()", "~$0"};

class Bitwise final : public Operator {
 public:
  std::string_view name() const override { return "bitwise"; }
  std::vector<std::string_view> members() const override {
    std::vector<std::string_view> names = names_of(kRows);
    names.push_back("bitwise_not");
    return names;
  }

  void draw(Draft& draft, std::size_t member) const override {
    if (member == std::size(kRows)) return draw_not(draft);
    const Row& row = kRows[member];
    BinaryDraw drawn = draw_binary(draft, row.rule);
    Forms forms = drawn.number_first ? Forms(kFunction) : Forms(kForms);
    Call call{.op = row.name, .forms = forms, .infix = row.infix, .arguments = {drawn.a.argument, drawn.b.argument}};
    // No `out=` behind a number.
    if (drawn.number_first) return draft.record(std::move(call), drawn.result, {});
    record_or_out(draft, std::move(call), drawn.result, {});
  }

 private:
  static void draw_not(Draft& draft) {
    Value x = draft.input({.dtypes = kBitDtypes});
    Interval image = Interval{-1, -1} - x.interval;
    if (x.dtype == Dtype::kBool) image = Interval{1, 1} - x.interval;
    if (x.dtype == Dtype::kUInt8) image = Interval{255, 255} - x.interval;
    record_or_out(draft, {.op = "bitwise_not", .forms = kNot, .arguments = {Ref{x.id}}},
                  elementwise(x.dtype, image, {&x}), {});
  }
};

const Register<Operator, Bitwise> registered;

}  // namespace
}  // namespace jp::seedgen::bitwise_operators
