// Dimensions: out of range, named twice, too few or too many.
#include "core/broken_rule.h"

namespace jp::dims_breaks {
namespace {

bool has_two(const Breakable& tensor) { return tensor.shape.size() >= 2; }
bool filled_ordered(const Breakable& tensor) { return on::filled(tensor) && on::ordered(tensor); }

const std::vector<BrokenRule> kRules = {
    {"reduce_dim_out_of_range",
     "a reduction over a dimension that is not there",
     on::any,
     {"{v}.sum(dim={past})", "{v}.sum(dim={before})", "{v}.any(dim={past})", "{v}.any(dim={before})"}},
    {"scan_dim_out_of_range",
     "a cumulative sum along a dimension that is not there",
     on::any,
     {"{torch}.cumsum({v}, dim={past})", "{torch}.cumsum({v}, dim={before})"}},
    {"flip_dim_out_of_range",
     "a flip along a dimension that is not there",
     on::any,
     {"{torch}.flip({v}, ({past},))", "{torch}.flip({v}, ({before},))"}},
    {"unsqueeze_dim_out_of_range",
     "a new dimension more than one past the end",
     on::any,
     {"{v}.unsqueeze({past_new})", "{v}.unsqueeze({before_new})"}},
    {"select_dim_out_of_range",
     "an index into a dimension that is not there",
     on::has_rank,
     {"{v}.select({past}, 0)", "{v}.select({before}, 0)"}},
    {"unbind_dim_out_of_range",
     "slices along a dimension that is not there",
     on::has_rank,
     {"{v}.unbind({past})[0]", "{v}.unbind({before})[0]"}},
    {"dim_twice", "a reduction that names one dimension twice", on::has_rank, {"{v}.sum(dim=({dim}, {same_dim}))"}},
    {"amax_dim_twice", "a maximum that names one dimension twice", filled_ordered, {"{v}.amax((0, 0))"}},
    {"permute_repeats", "a permutation that names one dimension twice", has_two, {"{v}.permute({repeated_dims})"}},
    {"permute_count",
     "a permutation of more dimensions than there are",
     on::any,
     {"{torch}.permute({v}, ({more_dims}))"}},
    {"transpose_dim_out_of_range",
     "a transpose with a dimension that is not there",
     on::has_rank,
     {"{v}.transpose(0, {past})", "{v}.transpose(0, {before})"}},
    {"movedim_out_of_range",
     "a dimension moved to a place that is not there",
     on::any,
     {"{v}.movedim(0, {past})", "{v}.movedim(0, {before})"}},
};

class DimBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "dims"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, DimBreaks> registered;

}  // namespace
}  // namespace jp::dims_breaks
