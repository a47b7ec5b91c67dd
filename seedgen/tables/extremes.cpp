// One operator at the extreme values of a dtype: the least and the largest, infinities, NaN, zeros of both signs, ones.
//
// Excluded is what eager does not define: integer division by zero and of the least number by -1, shifts by more than
// the number of bits, the sign of NaN, which zero is the larger; and denormal results, which a processor may flush.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <vector>

#include "seedgen/bases/table.h"

namespace jp::seedgen::extremes_table {
namespace {

enum class Mark { kPlain, kZero, kNegativeZero, kMinusOne, kLeast, kLargest, kNan, kInfinite, kNegative };

struct Extreme {
  std::string_view text;
  Mark mark = Mark::kPlain;
};

struct Type {
  std::string_view name;
  bool floating;
  std::string_view least;
  std::string_view largest;
  int bits;
};

constexpr auto kTypes = std::to_array<Type>({
    {"float32", true, "-3.4028234663852886e+38", "3.4028234663852886e+38", 32},
    {"float64", true, "-1.7976931348623157e+308", "1.7976931348623157e+308", 64},
    {"float16", true, "-65504.0", "65504.0", 16},
    {"bfloat16", true, "-3.3895313892515355e+38", "3.3895313892515355e+38", 16},
    {"int8", false, "-128", "127", 8},
    {"uint8", false, "0", "255", 8},
    {"int16", false, "-32768", "32767", 16},
    {"int32", false, "-2147483648", "2147483647", 32},
    {"int64", false, "-9223372036854775808", "9223372036854775807", 64},
});

std::vector<Extreme> extremes_of(const Type& type) {
  if (type.floating)
    return {{"0.0", Mark::kZero},
            {"-0.0", Mark::kNegativeZero},
            {"1.0"},
            {"-1.0", Mark::kMinusOne},
            {"0.5"},
            {"-2.5", Mark::kNegative},
            {"3.0"},
            {"float(\"inf\")", Mark::kInfinite},
            {"-float(\"inf\")", Mark::kInfinite},
            {"float(\"nan\")", Mark::kNan},
            {type.largest, Mark::kLargest},
            {type.least, Mark::kLeast}};
  if (type.name == "uint8") return {{"0", Mark::kZero}, {"1"}, {"2"}, {"7"}, {"128"}, {type.largest, Mark::kLargest}};
  return {{"0", Mark::kZero},      {"1"}, {"-1", Mark::kMinusOne},        {"2"},
          {"-3", Mark::kNegative}, {"7"}, {type.largest, Mark::kLargest}, {type.least, Mark::kLeast}};
}

bool is_zero(Mark mark) { return mark == Mark::kZero || mark == Mark::kNegativeZero; }
bool is_large(Mark mark) { return mark == Mark::kLargest || mark == Mark::kLeast; }
bool is_negative(Mark mark) { return mark == Mark::kNegative || mark == Mark::kMinusOne || mark == Mark::kLeast; }

/// Which pairs an operator excludes.
enum class Rule { kAll, kDivides, kDividesWhole, kShifts, kPower, kOrders, kSigns, kNoLeast, kAngle };

// Of `left` op `right` in a type.
bool allowed(Rule rule, const Type& type, const Extreme& left, const Extreme& right) {
  switch (rule) {
    case Rule::kAll:
      return true;
    case Rule::kDivides:
    case Rule::kAngle:
      return !type.floating || !is_large(right.mark);
    case Rule::kDividesWhole:
      if (type.floating) return true;
      return !is_zero(right.mark) && !(left.mark == Mark::kLeast && right.mark == Mark::kMinusOne);
    case Rule::kShifts:
      return right.text == "0" || right.text == "1" || right.text == "2" || right.text == "7";
    case Rule::kPower:
      if (type.floating) return !(is_large(left.mark) && is_negative(right.mark));
      return !is_negative(right.mark);
    case Rule::kOrders:
      return !(is_zero(left.mark) && is_zero(right.mark));
    case Rule::kSigns:
      return right.mark != Mark::kNan && left.mark != Mark::kNan;
    case Rule::kNoLeast:
      return left.mark != Mark::kLeast && right.mark != Mark::kLeast;
  }
  return false;
}

struct Operator {
  std::string_view name;
  Rule rule = Rule::kAll;
  bool floats = true;
  bool integers = true;
  /// Its second operand may be a Python number.
  bool scalar = true;
  bool in_place = true;
  /// Converts integers to floats, which can't be written back.
  bool widens = false;
};

constexpr auto kBinary = std::to_array<Operator>({
    {"add"},
    {"sub"},
    {"mul"},
    {"div", Rule::kDivides, true, true, true, true, true},
    {"floor_divide", Rule::kDividesWhole},
    {"remainder", Rule::kDividesWhole},
    {"fmod", Rule::kDividesWhole},
    {"pow", Rule::kPower},
    {"maximum", Rule::kOrders, true, true, false, false},
    {"minimum", Rule::kOrders, true, true, false, false},
    {"fmax", Rule::kOrders, true, true, false, false},
    {"fmin", Rule::kOrders, true, true, false, false},
    {"copysign", Rule::kSigns, true, false},
    {"hypot", Rule::kAll, true, false, false},
    {"atan2", Rule::kAngle, true, false, false},
    {"logaddexp", Rule::kAll, true, false, false, false},
    {"heaviside", Rule::kAll, true, false, false},
    {"eq"},
    {"ne"},
    {"lt"},
    {"le"},
    {"gt"},
    {"ge"},
    {"logical_and", Rule::kAll, true, true, false},
    {"logical_xor", Rule::kAll, true, true, false},
    {"bitwise_and", Rule::kAll, false},
    {"bitwise_or", Rule::kAll, false},
    {"bitwise_xor", Rule::kAll, false},
    {"bitwise_left_shift", Rule::kShifts, false},
    {"bitwise_right_shift", Rule::kShifts, false},
    {"gcd", Rule::kNoLeast, false, true, false},
});

// Whether a unary operator excludes a value.
enum class Unary { kAll, kNoLarge, kNoNan };

struct Function {
  std::string_view call;
  Unary rule = Unary::kAll;
  bool integers = true;
  bool floats = true;
};

// Of x.
constexpr auto kUnary = std::to_array<Function>({
    {"torch.abs(x)"},
    {"torch.neg(x)"},
    {"torch.sign(x)"},
    {"torch.square(x)"},
    {"torch.ceil(x)"},
    {"torch.floor(x)"},
    {"torch.trunc(x)"},
    {"torch.round(x)"},
    {"torch.frac(x)", Unary::kAll, false},
    {"torch.sqrt(x)"},
    {"torch.rsqrt(x)"},
    {"torch.reciprocal(x)", Unary::kNoLarge},
    {"torch.exp(x)"},
    {"torch.exp2(x)"},
    {"torch.expm1(x)"},
    {"torch.log(x)"},
    {"torch.log2(x)"},
    {"torch.log10(x)"},
    {"torch.log1p(x)"},
    {"torch.sin(x)", Unary::kNoLarge},
    {"torch.cos(x)", Unary::kNoLarge},
    {"torch.asin(x)"},
    {"torch.acos(x)"},
    {"torch.atan(x)"},
    {"torch.sinh(x)"},
    {"torch.cosh(x)"},
    {"torch.tanh(x)"},
    {"torch.asinh(x)"},
    {"torch.sigmoid(x)"},
    {"torch.erf(x)"},
    {"torch.erfc(x)"},
    {"torch.relu(x)"},
    {"torch.nn.functional.gelu(x)", Unary::kAll, false},
    {"torch.nn.functional.silu(x)", Unary::kAll, false},
    {"torch.nn.functional.softplus(x)", Unary::kAll, false},
    {"torch.nn.functional.hardtanh(x)", Unary::kAll, false},
    {"torch.nn.functional.elu(x)", Unary::kAll, false},
    {"torch.nn.functional.softmax(x, 0)", Unary::kAll, false},
    {"torch.isnan(x)"},
    {"torch.isinf(x)"},
    {"torch.isfinite(x)"},
    {"torch.isposinf(x)"},
    {"torch.signbit(x)", Unary::kNoNan},
    {"torch.logical_not(x)"},
    {"torch.nan_to_num(x)"},
    {"torch.nan_to_num(x, 1.0, 2.0, 3.0)"},
    {"torch.bitwise_not(x)", Unary::kAll, true, false},
    {"torch.clamp(x, 1, 2)"},
    {"torch.clamp(x, min=1)"},
    {"torch.where(x > 0, x, -x)"},
    {"x.to(torch.bool)"},
    {"x.to(torch.float32)"},
    {"x.to(torch.float64)"},
    {"x.to(torch.float16)"},
    {"x.to(torch.bfloat16)"},
    {"x.to(torch.int8)", Unary::kAll, true, false},
    {"x.to(torch.int16)", Unary::kAll, true, false},
    {"x.to(torch.int32)", Unary::kAll, true, false},
    {"x.to(torch.int64)", Unary::kAll, true, false},
    {"x.to(torch.uint8)", Unary::kAll, true, false},
    {"torch.amax(x)"},
    {"torch.amin(x)"},
    {"torch.any(x)"},
    {"torch.all(x)"},
    {"torch.sum(x)", Unary::kNoLarge},
    {"torch.prod(x)", Unary::kNoLarge},
});

bool allowed(Unary rule, const Extreme& value) {
  if (rule == Unary::kNoLarge) return !is_large(value.mark);
  return rule == Unary::kAll || value.mark != Mark::kNan;
}

/// How a program calls its operator on the second operand.
enum class Form { kTensor, kPoint, kScalar, kInPlace };
constexpr std::size_t kForms = 4;
constexpr std::size_t kMostValues = 12;

// Repeated three times: more than a vector register of any type, and a remainder.
std::string tensor_of(const std::vector<std::string_view>& values, const Type& type) {
  return fmt::format("torch.tensor([{}], dtype=torch.{}).repeat(3)", fmt::join(values, ", "), type.name);
}

class Extremes : public Grid {
 public:
  std::string_view name() const override { return "extremes"; }
  std::string_view varies() const override {
    return "dtype, operator, extreme values of its operands, whether the second is a tensor, a number or written over";
  }

 protected:
  // The first operators are the binary ones; unary ones have one form and no second operand.
  At lengths() const override { return {kTypes.size(), kBinary.size() + kUnary.size(), kMostValues, kForms}; }

  bool defined(const At& at) const override {
    const Type& type = kTypes[at[0]];
    const std::vector<Extreme> values = extremes_of(type);
    if (at[1] >= kBinary.size()) {
      const Function& function = kUnary[at[1] - kBinary.size()];
      return at[2] == 0 && at[3] == 0 && (type.floating ? function.floats : function.integers);
    }
    const Operator& op = kBinary[at[1]];
    if (!(type.floating ? op.floats : op.integers) || at[2] >= values.size()) return false;
    const auto form = static_cast<Form>(at[3]);
    if (form == Form::kScalar && !op.scalar) return false;
    if (form == Form::kInPlace && (!op.in_place || (op.widens && !type.floating))) return false;
    return !lefts(op, type, values[at[2]]).empty();
  }

  std::string text_at(const At& at) const override {
    const Type& type = kTypes[at[0]];
    return at[1] < kBinary.size() ? binary(type, kBinary[at[1]], extremes_of(type)[at[2]], static_cast<Form>(at[3]))
                                  : unary(type, kUnary[at[1] - kBinary.size()]);
  }

 private:
  static std::vector<std::string_view> lefts(const Operator& op, const Type& type, const Extreme& right) {
    std::vector<std::string_view> values;
    for (const Extreme& left : extremes_of(type))
      if (allowed(op.rule, type, left, right)) values.push_back(left.text);
    return values;
  }

  static std::string binary(const Type& type, const Operator& op, const Extreme& right, Form form) {
    const std::string x = tensor_of(lefts(op, type, right), type);
    const std::string point = fmt::format("torch.tensor({}, dtype=torch.{})", right.text, type.name);
    if (form == Form::kScalar)
      return program("x", fmt::format("return ({},)\n", x),
                     fmt::format("return torch.{}(x, {})\n", op.name, right.text));
    if (form == Form::kPoint)
      return program("x, y", fmt::format("x = {}\nreturn x, {}\n", x, point),
                     fmt::format("return torch.{}(x, y)\n", op.name));
    return program("x, y", fmt::format("x = {}\nreturn x, torch.full_like(x, {})\n", x, right.text),
                   form == Form::kTensor ? fmt::format("return torch.{}(x, y)\n", op.name)
                                         : fmt::format("x.{}_(y)\nreturn x\n", op.name));
  }

  static std::string program(std::string parameters, std::string inputs, std::string body) {
    return print({.head = "",
                  .inputs = std::move(inputs),
                  .parameters = std::move(parameters),
                  .body = std::move(body),
                  .foot = ""});
  }

  static std::string unary(const Type& type, const Function& function) {
    std::vector<std::string_view> values;
    for (const Extreme& value : extremes_of(type))
      if (allowed(function.rule, value)) values.push_back(value.text);
    return program("x", fmt::format("return ({},)\n", tensor_of(values, type)),
                   fmt::format("return {}\n", function.call));
  }
};

const Register<Table, Extremes> registered;

}  // namespace
}  // namespace jp::seedgen::extremes_table
