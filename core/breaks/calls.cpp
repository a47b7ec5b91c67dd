// What Python or torch's argument parser refuses, uses of a tensor as a number, and subscripts: all that no operator's
// constraints say.
#include "core/broken_rule.h"

namespace jp::calls_breaks {
namespace {

bool many(const Breakable& tensor) { return element_count(tensor.shape) >= 2; }
bool leaf(const Breakable& tensor) { return tensor.leaf && on::floats(tensor); }

const std::vector<BrokenRule> kRules = {
    {"unknown_keyword",
     "a keyword that the operator does not have",
     on::any,
     {"{torch}.neg({v}, axes=0)", "{torch}.flatten({v}, axes=0)"}},
    {"missing_argument", "an operand too few", on::any, {"{torch}.add({v})", "{torch}.eq({v})"}},
    {"unknown_method", "a method that tensors do not have", on::any, {"{v}.summed()"}},
    {"list_operand", "a list of texts as an operand", on::any, {"{torch}.add({v}, [\"a\"])"}},
    {"item_of_many", "many elements as one Python number", many, {"{v}.item()", "float({v})"}},
    {"truth_of_many", "many elements as one truth", many, {"1 if {v} else 0"}},
    {"length_of_scalar", "the length of a tensor without dimensions", on::no_rank, {"len({v})"}},
    {"leaf_written", "a write to a leaf that requires gradients", leaf, {"{v}.mul_(2)", "{v}.zero_()"}},
    {"numpy_of_grad", "a leaf that requires gradients as an array", leaf, {"{v}.numpy()"}},
    {"index_out_of_range",
     "an integer index outside of its dimension",
     on::has_rank,
     {"{v}[{first}]", "{v}[{before_first}]"}},
    {"tensor_index_out_of_range",
     "an element of an index tensor outside of the dimension",
     on::filled,
     {"{v}[{torch}.tensor([0, {first}])]", "{v}[{torch}.tensor([0, {before_first}])]"}},
    {"too_many_indices", "more indices than dimensions", on::any, {"{v}[{more_zeros}]"}},
    {"step_negative", "a slice with a negative step", on::wide, {"{v}[..., ::-1]"}},
    {"grad_of_integers", "gradients of elements that are not floating", on::integers, {"{v}.clone().requires_grad_()"}},
};

class CallBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "calls"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, CallBreaks> registered;

}  // namespace
}  // namespace jp::calls_breaks
