// Dimensions: out of range, named twice, too few or too many.
#include <fmt/format.h>

#include "seedgen/bases/broken_rule.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {
namespace {

bool any(const GraphValue& /*value*/) { return true; }
bool has_rank(const GraphValue& value) { return value.shape.size() >= 1; }
bool has_two(const GraphValue& value) { return value.shape.size() >= 2; }

// One past either end. A tensor without dimensions takes -1 and 0.
std::int64_t outside(const GraphValue& value, Choices& choices) {
  const std::int64_t rank = std::max(1, value.shape.size());
  return choices.chance(1, 2) ? rank : -rank - 1;
}

const std::vector<BrokenRule> kRules = {
    {"reduce_dim_out_of_range", "a reduction over a dimension that is not there", any,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}.{}(dim={})", v, choices.chance(1, 2) ? "sum" : "any", outside(value, choices));
     }},
    {"flip_dim_out_of_range", "a flip along a dimension that is not there", any,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("torch.flip({}, ({},))", v, outside(value, choices));
     }},
    {"unsqueeze_dim_out_of_range", "a new dimension more than one past the end", any,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       const std::int64_t rank = value.shape.size();
       return fmt::format("{}.unsqueeze({})", v, choices.chance(1, 2) ? rank + 1 : -rank - 2);
     }},
    {"select_dim_out_of_range", "an index into a dimension that is not there", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}.select({}, 0)", v, outside(value, choices));
     }},
    {"dim_twice", "a reduction that names one dimension twice", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       const std::int64_t dim = choices.between(0, value.shape.size() - 1);
       return fmt::format("{}.sum(dim=({}, {}))", v, dim, dim - value.shape.size());
     }},
    {"permute_repeats", "a permutation that names one dimension twice", has_two,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       std::string dims = "0, 0";
       for (int i = 2; i < value.shape.size(); ++i) dims += fmt::format(", {}", i);
       return fmt::format("{}.permute({})", v, dims);
     }},
    {"permute_count", "a permutation of more dimensions than there are", any,
     [](const GraphValue& value, const std::string& v, Choices& /*choices*/) {
       std::string dims = "0";
       for (int i = 1; i <= value.shape.size(); ++i) dims += fmt::format(", {}", i);
       return fmt::format("torch.permute({}, ({},))", v, dims);
     }},
    {"transpose_dim_out_of_range", "a transpose with a dimension that is not there", has_rank,
     [](const GraphValue& value, const std::string& v, Choices& choices) {
       return fmt::format("{}.transpose(0, {})", v, outside(value, choices));
     }},
};

class Dims final : public Breaks {
 public:
  std::string_view name() const override { return "dims"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, Dims> registered;

}  // namespace
}  // namespace jp::seedgen
