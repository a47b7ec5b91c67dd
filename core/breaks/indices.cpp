// Indices out of range.
#include "core/broken_rule.h"

namespace jp::indices_breaks {
namespace {

bool ranked_numbers(const Breakable& tensor) {
  return on::has_rank(tensor) && on::numbers(tensor) && on::ordered(tensor);
}

const std::vector<BrokenRule> kRules = {
    {"index_out_of_range",
     "an integer index outside of its dimension",
     on::has_rank,
     {"{v}[{first}]", "{v}[{before_first}]"}},
    {"select_out_of_range",
     "a select outside of its dimension",
     on::has_rank,
     {"{torch}.select({v}, 0, {first})", "{torch}.select({v}, 0, {before_first})"}},
    {"tensor_index_out_of_range",
     "an element of an index tensor outside of the dimension",
     on::filled,
     {"{v}[{torch}.tensor([0, {first}])]", "{v}[{torch}.tensor([0, {before_first}])]"}},
    {"index_select_out_of_range",
     "an element of index_select's index outside of the dimension",
     on::filled,
     {"{torch}.index_select({v}, 0, {torch}.tensor([{first}]))"}},
    {"take_out_of_range",
     "an element of take's index outside of the tensor",
     on::filled,
     {"{torch}.take({v}, {torch}.tensor([{count}]))"}},
    {"too_many_indices", "more indices than dimensions", on::any, {"{v}[{more_zeros}]"}},
    {"narrow_past_end", "a slice that goes past the end", on::has_rank, {"{v}.narrow(0, 1, {first})"}},
    {"unfold_too_long", "windows longer than the dimension", on::has_rank, {"{v}.unfold(0, {first_more}, 1)"}},
    {"unfold_no_step", "windows without a step", on::has_rank, {"{v}.unfold(0, 1, 0)"}},
    {"chunk_none", "no chunks at all", on::has_rank, {"{v}.chunk(0)[0]"}},
    {"topk_too_many", "more largest elements than there are", ranked_numbers, {"{torch}.topk({v}, {last_more})[0]"}},
    {"gather_out_of_range",
     "an element of gather's index outside of the dimension",
     on::filled,
     {"{torch}.gather({v}, 0, {torch}.full_like({v}, {first}, dtype={torch}.int64))"}},
    {"step_negative", "a slice with a negative step", on::wide, {"{v}[..., ::-1]"}},
};

class IndexBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "indices"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, IndexBreaks> registered;

}  // namespace
}  // namespace jp::indices_breaks
