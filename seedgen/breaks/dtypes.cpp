// Element types that an operator does not take.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/broken_rule.h"

namespace jp::seedgen {
namespace {

bool is_float(const GraphValue& value) { return is_floating(value.dtype); }
bool is_integer(const GraphValue& value) { return is_integral(value.dtype) && value.dtype != Dtype::kBool; }
bool is_bool(const GraphValue& value) { return value.dtype == Dtype::kBool; }
bool float_vector(const GraphValue& value) { return is_float(value) && value.shape.size() >= 1; }
// What a tensor holds that has no elements is often not looked at.
bool filled(const GraphValue& value) {
  return value.shape.size() >= 1 &&
         std::none_of(value.shape.begin(), value.shape.end(), [](std::int64_t size) { return size == 0; });
}
bool is_exact(const GraphValue& value) { return is_integral(value.dtype) && filled(value); }
bool matrix(const GraphValue& value) { return value.shape.size() == 2 && value.dtype == Dtype::kFloat32; }

const std::vector<BrokenRule> kRules = {
    {"bitwise_of_float", "a bitwise operator on floating elements", is_float,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return choices.chance(1, 2) ? fmt::format("~{}", v) : fmt::format("torch.bitwise_and({}, {})", v, v);
     }},
    {"in_place_cast", "an in-place result of a type that the target can't hold", is_integer,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return fmt::format("{}.clone().{}", v, choices.chance(1, 2) ? "add_(0.5)" : "sqrt_()");
     }},
    {"subtract_bools", "a subtraction of bools", is_bool,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{} - {}", v, v);
     }},
    {"negate_bool", "a negated bool", is_bool,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return choices.chance(1, 2) ? fmt::format("-{}", v) : fmt::format("torch.neg({})", v);
     }},
    {"mean_of_integers", "a mean of integers or bools without a floating type", is_exact,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.mean()", v);
     }},
    {"softmax_of_integers", "a softmax of integers or bools without a floating type", is_exact,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.softmax({}.reshape(-1), 0)", v);
     }},
    {"index_with_floats", "floating elements as an index", float_vector,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.index_select({}, 0, {}.reshape(-1))", v, v);
     }},
    {"gather_with_int32", "an index for gather that is not int64", filled,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.gather({}, 0, torch.zeros_like({}, dtype=torch.{}))", v, v,
                          value.dtype == Dtype::kInt16 ? "int8" : "int16");
     }},
    {"mask_of_numbers", "a mask that is not bool", [](const GraphValue& value) { return !is_bool(value); },
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.masked_fill({}, {}, 0)", v, v);
     }},
    {"matmul_dtypes", "a matrix product of two element types", matrix,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{} @ {}.T.double()", v, v);
     }},
    {"dot_dtypes", "an inner product of two element types",
     [](const GraphValue& value) { return is_float(value) && value.dtype != Dtype::kFloat64; },
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.dot({}.reshape(-1), {}.reshape(-1).double())", v, v);
     }},
};

class Dtypes final : public Breaks {
 public:
  std::string_view name() const override { return "dtypes"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, Dtypes> registered;

}  // namespace
}  // namespace jp::seedgen
