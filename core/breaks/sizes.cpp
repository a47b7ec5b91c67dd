// Sizes that don't match.
#include "core/broken_rule.h"

namespace jp::sizes_breaks {
namespace {

bool wide_float(const Breakable& tensor) { return on::wide(tensor) && tensor.dtype == Dtype::kFloat32; }
bool wide_ordered(const Breakable& tensor) { return on::wide_numbers(tensor) && on::ordered(tensor); }

const std::vector<BrokenRule> kRules = {
    {"broadcast",
     "operands whose sizes do not broadcast",
     on::wide_numbers,
     {"{v} + {torch}.ones(({longer}), dtype={torch}.{dtype})",
      "{v} * {torch}.ones(({longer}), dtype={torch}.{dtype})"}},
    {"maximum_broadcast",
     "a maximum of operands whose sizes do not broadcast",
     wide_ordered,
     {"{torch}.maximum({v}, {torch}.ones(({longer}), dtype={torch}.{dtype}))"}},
    {"where_broadcast",
     "a condition whose sizes do not broadcast with the operands",
     on::wide,
     {"{torch}.where({torch}.ones(({longer}), dtype={torch}.bool), {v}, {v})"}},
    {"in_place_grows",
     "an in-place operator whose result is larger than what it is written to",
     on::numbers,
     {"{v}.clone().add_({torch}.ones((2, {sizes}), dtype={torch}.{dtype}))"}},
    {"copy_grows",
     "a copy from a larger tensor",
     on::any,
     {"{v}.clone().copy_({torch}.ones((3, {sizes}), dtype={torch}.{dtype}))"}},
    {"copy_rank",
     "a copy from a longer tensor of more dimensions",
     on::has_rank,
     {"{v}.clone().copy_({torch}.ones((1, {longer}), dtype={torch}.{dtype}))"}},
    {"matmul_inner",
     "a matrix product whose inner sizes differ",
     on::matrix,
     {"{v} @ {torch}.ones(({last_more}, 2), dtype={torch}.{dtype})",
      "{torch}.mm({v}, {torch}.ones(({last_more}, 2), dtype={torch}.{dtype}))"}},
    {"linear_features",
     "a linear layer with weights for another number of features",
     wide_float,
     {"{torch}.nn.functional.linear({v}, {torch}.ones((3, {last_more}), dtype={torch}.{dtype}))"}},
    {"reshape_count",
     "a reshape to another number of elements",
     on::any,
     {"{v}.reshape({count_more})", "{v}.view({count_more})"}},
    {"reshape_ambiguous", "a reshape with two sizes to be inferred", on::any, {"{v}.reshape(-1, -1)"}},
    {"expand_other_size", "an expand of a size that is not 1", on::wide, {"{v}.expand(({longer}))"}},
    {"cat_sizes",
     "a concatenation whose other sizes differ",
     on::wide,
     {"{torch}.cat([{v}[None], {torch}.ones((1, {longer}), dtype={torch}.{dtype})])"}},
    {"stack_sizes",
     "a stack of different sizes",
     on::has_rank,
     {"{torch}.stack([{v}, {torch}.ones(({longer}), dtype={torch}.{dtype})])"}},
    {"split_total", "parts that do not add up to the whole", on::has_rank, {"{v}.split([{first}, 1], 0)[0]"}},
    {"repeat_few", "a repetition of fewer dimensions than there are", on::has_rank, {"{v}.repeat(({fewer}))"}},
    {"unflatten_product",
     "sizes whose product is not the size taken apart",
     on::has_rank,
     {"{v}.unflatten(-1, (2, {last_more}))", "{v}.unflatten(0, ({first_more}, 2))"}},
};

class SizeBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "sizes"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, SizeBreaks> registered;

}  // namespace
}  // namespace jp::sizes_breaks
