// Sizes that don't fit together.
#include <fmt/format.h>

#include <numeric>

#include "seedgen/bases/broken_rule.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {
namespace {

bool any(const GraphValue& /*value*/) { return true; }
bool is_arithmetic(const GraphValue& value) { return value.dtype != Dtype::kBool; }
bool wide(const GraphValue& value) { return value.shape.size() >= 1 && value.shape.back() >= 2; }
bool wide_number(const GraphValue& value) { return wide(value) && is_arithmetic(value); }
bool wide_float(const GraphValue& value) { return wide(value) && value.dtype == Dtype::kFloat32; }
bool has_rank(const GraphValue& value) { return value.shape.size() >= 1; }
bool matrix(const GraphValue& value) { return value.shape.size() == 2 && value.dtype == Dtype::kFloat32; }

std::string tuple(const Shape& shape) {
  std::string text;
  for (std::int64_t size : shape) text += fmt::format("{}, ", size);
  return fmt::format("({})", text);
}

// The shape with its last size one larger.
Shape longer(const GraphValue& value) {
  Shape shape = value.shape;
  ++shape[shape.size() - 1];
  return shape;
}

std::int64_t count(const GraphValue& value) {
  return std::accumulate(value.shape.begin(), value.shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::string ones(const GraphValue& value, const Shape& shape) {
  return fmt::format("torch.ones({}, dtype=torch.{})", tuple(shape), dtype_name(value.dtype));
}

const std::vector<BrokenRule> kRules = {
    {"broadcast", "operands whose sizes do not broadcast", wide_number,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{} {} {}", v, choices.chance(1, 2) ? "+" : "*", ones(value, longer(value)));
     }},
    {"where_broadcast", "a condition whose sizes do not broadcast with the operands", wide,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.where(torch.ones({}, dtype=torch.bool), {}, {})", tuple(longer(value)), v, v);
     }},
    {"in_place_grows", "an in-place operator whose result is larger than what it is written to", is_arithmetic,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       Shape shape = value.shape;
       shape.insert(0, 2);
       return fmt::format("{}.clone().add_({})", v, ones(value, shape));
     }},
    {"copy_grows", "a copy from a larger tensor", any,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       Shape shape = value.shape;
       shape.insert(0, 3);
       return fmt::format("{}.clone().copy_({})", v, ones(value, shape));
     }},
    {"matmul_inner", "a matrix product whose inner sizes differ", matrix,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       const char* form = choices.chance(1, 2) ? "{} @ {}" : "torch.mm({}, {})";
       return fmt::format(fmt::runtime(form), v, ones(value, {value.shape[1] + 1, 2}));
     }},
    {"linear_features", "a linear layer with weights for another number of features", wide_float,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.nn.functional.linear({}, {})", v, ones(value, {3, value.shape.back() + 1}));
     }},
    {"reshape_count", "a reshape to another number of elements", any,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}.{}({})", v, choices.chance(1, 2) ? "reshape" : "view", count(value) + 1);
     }},
    {"reshape_ambiguous", "a reshape with two sizes to be inferred", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.reshape(-1, -1)", v);
     }},
    {"expand_other_size", "an expand of a size that is not 1", wide,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.expand({})", v, tuple(longer(value)));
     }},
    {"cat_sizes", "a concatenation whose other sizes differ", wide,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       Shape shape = longer(value);
       shape.insert(0, 1);
       return fmt::format("torch.cat([{}[None], {}])", v, ones(value, shape));
     }},
    {"stack_sizes", "a stack of different sizes", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.stack([{}, {}])", v, ones(value, longer(value)));
     }},
    {"split_total", "parts that do not add up to the whole", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.split([{}, 1], 0)[0]", v, value.shape[0]);
     }},
    {"repeat_few", "a repetition of fewer dimensions than there are", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       Shape few = Ints::filled(value.shape.size() - 1, 2);
       return fmt::format("{}.repeat({})", v, tuple(few));
     }},
    {"unflatten_product", "sizes whose product is not the size taken apart", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.unflatten(-1, (2, {}))", v, value.shape.back() + 1);
     }},
};

class Sizes final : public Breaks {
 public:
  std::string_view name() const override { return "sizes"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, Sizes> registered;

}  // namespace
}  // namespace jp::seedgen
