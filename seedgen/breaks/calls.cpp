// Calls that Python or torch's argument parser refuses, and uses of a tensor as a number.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/broken_rule.h"

namespace jp::seedgen {
namespace {

bool any(const GraphValue& /*value*/) { return true; }
bool many(const GraphValue& value) {
  return std::any_of(value.shape.begin(), value.shape.end(), [](std::int64_t size) { return size >= 2; }) &&
         std::none_of(value.shape.begin(), value.shape.end(), [](std::int64_t size) { return size == 0; });
}
bool leaf(const GraphValue& value) { return value.input && value.requires_grad && is_floating(value.dtype); }
bool no_rank(const GraphValue& value) { return value.shape.empty(); }

const std::vector<BrokenRule> kRules = {
    {"unknown_keyword", "a keyword that the operator does not have", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return fmt::format("torch.{}({}, axes=0)", choices.chance(1, 2) ? "neg" : "flatten", v);
     }},
    {"missing_argument", "an operand too few", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return fmt::format("torch.{}({})", choices.chance(1, 2) ? "add" : "eq", v);
     }},
    {"text_for_dim", "a text where a dimension belongs", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.unsqueeze(\"0\")", v);
     }},
    {"float_for_size", "a float where a size belongs", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.reshape(1.0, -1)", v);
     }},
    {"unknown_method", "a method that tensors do not have", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.summed()", v);
     }},
    {"list_operand", "a list of texts as an operand", any,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.add({}, [\"a\"])", v);
     }},
    {"item_of_many", "many elements as one Python number", many,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return choices.chance(1, 2) ? fmt::format("{}.item()", v) : fmt::format("float({})", v);
     }},
    {"truth_of_many", "many elements as one truth", many,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("1 if {} else 0", v);
     }},
    {"length_of_scalar", "the length of a tensor without dimensions", no_rank,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) { return fmt::format("len({})", v); }},
    {"leaf_written", "a write to a leaf that requires gradients", leaf,
     [](const GraphValue& /*value*/, const std::string& v, Choices& choices) {
       return fmt::format("{}.{}", v, choices.chance(1, 2) ? "mul_(2)" : "zero_()");
     }},
    {"numpy_of_grad", "a leaf that requires gradients as an array", leaf,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.numpy()", v);
     }},
};

class Calls final : public Breaks {
 public:
  std::string_view name() const override { return "calls"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, Calls> registered;

}  // namespace
}  // namespace jp::seedgen
