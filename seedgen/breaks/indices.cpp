// Positions outside of what they point into.
#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/broken_rule.h"

namespace jp::seedgen {
namespace {

bool any(const GraphValue& /*value*/) { return true; }
bool has_rank(const GraphValue& value) { return value.shape.size() >= 1; }
// An index into a tensor without elements is never looked at.
bool filled(const GraphValue& value) {
  return has_rank(value) &&
         std::none_of(value.shape.begin(), value.shape.end(), [](std::int64_t size) { return size == 0; });
}
bool many(const GraphValue& value) { return value.shape.size() >= 1 && value.shape.back() >= 2; }

// One past either end of the first dimension.
std::int64_t outside(const GraphValue& value, Choices& choices) {
  return choices.chance(1, 2) ? value.shape[0] : -value.shape[0] - 1;
}

const std::vector<BrokenRule> kRules = {
    {"index_out_of_range", "an integer index outside of its dimension", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}[{}]", v, outside(value, choices));
     }},
    {"select_out_of_range", "a select outside of its dimension", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("torch.select({}, 0, {})", v, outside(value, choices));
     }},
    {"tensor_index_out_of_range", "an element of an index tensor outside of the dimension", filled,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}[torch.tensor([0, {}])]", v, outside(value, choices));
     }},
    {"index_select_out_of_range", "an element of index_select's index outside of the dimension", filled,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.index_select({}, 0, torch.tensor([{}]))", v, value.shape[0]);
     }},
    {"too_many_indices", "more indices than dimensions", any,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       std::string zeros = "0";
       for (int i = 0; i < value.shape.size(); ++i) zeros += ", 0";
       return fmt::format("{}[{}]", v, zeros);
     }},
    {"narrow_past_end", "a slice that goes past the end", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.narrow(0, 1, {})", v, value.shape[0]);
     }},
    {"unfold_too_long", "windows longer than the dimension", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.unfold(0, {}, 1)", v, value.shape[0] + 1);
     }},
    {"unfold_no_step", "windows without a step", has_rank,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.unfold(0, 1, 0)", v);
     }},
    {"chunk_none", "no chunks at all", has_rank,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}.chunk(0)[0]", v);
     }},
    {"topk_too_many", "more largest elements than there are",
     [](const GraphValue& value) { return value.shape.size() >= 1 && value.dtype != Dtype::kBool; },
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.topk({}, {})[0]", v, value.shape.back() + 1);
     }},
    {"gather_out_of_range", "an element of gather's index outside of the dimension", filled,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       return fmt::format("torch.gather({0}, 0, torch.full_like({0}, {1}, dtype=torch.int64))", v, value.shape[0]);
     }},
    {"step_negative", "a slice with a negative step", many,
     [](const GraphValue& /*value*/, const std::string& v, Choices& /*choices*/) {
       return fmt::format("{}[..., ::-1]", v);
     }},
};

class Indices final : public Breaks {
 public:
  std::string_view name() const override { return "indices"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, Indices> registered;

}  // namespace
}  // namespace jp::seedgen
