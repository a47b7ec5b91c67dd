// Element types that an operator does not accept.
#include "core/broken_rule.h"

namespace jp::dtypes_breaks {
namespace {

bool float_vector(const Breakable& tensor) { return on::floats(tensor) && on::has_rank(tensor); }
bool exact(const Breakable& tensor) { return is_integral(tensor.dtype); }
bool filled_exact(const Breakable& tensor) { return exact(tensor) && on::filled(tensor); }
bool narrow_floats(const Breakable& tensor) { return on::floats(tensor) && tensor.dtype != Dtype::kFloat64; }

const std::vector<BrokenRule> kRules = {
    {"bitwise_of_float",
     "a bitwise operator on floating elements",
     on::floats,
     {"~{v}", "{torch}.bitwise_not({v})", "{torch}.bitwise_and({v}, {v})", "{v} & 1"}},
    {"in_place_cast",
     "an in-place result of a type that the target can't hold",
     on::integers,
     {"{v}.clone().add_(0.5)", "{v}.clone().sqrt_()"}},
    {"subtract_bools", "a subtraction of bools", on::bools, {"{v} - {v}"}},
    {"negate_bool", "a negated bool", on::bools, {"-{v}", "{torch}.neg({v})"}},
    {"mean_of_integers", "a mean of integers or bools without a floating type", exact, {"{v}.mean()"}},
    {"softmax_of_integers",
     "a softmax of integers or bools without a floating type",
     filled_exact,
     {"{torch}.softmax({v}.reshape(-1), 0)"}},
    {"index_with_floats",
     "floating elements as an index",
     float_vector,
     {"{torch}.index_select({v}, 0, {v}.reshape(-1))"}},
    {"embedding_of_floats",
     "floating elements as the indices of an embedding",
     on::floats,
     {"{torch}.nn.functional.embedding({v}, {torch}.ones(3, 2))"}},
    {"count_of_floats",
     "floating elements to be counted by their value",
     on::floats,
     {"{torch}.bincount({v}.flatten())"}},
    {"gather_with_int32",
     "an index for gather that is not int64",
     on::filled,
     {"{torch}.gather({v}, 0, {torch}.zeros_like({v}, dtype={torch}.{other_int}))"}},
    {"mask_of_numbers", "a mask that is not bool", on::numbers, {"{torch}.masked_fill({v}, {v}, 0)"}},
    {"condition_of_floats", "a condition that is not bool", on::floats, {"{torch}.where({v}, 1.0, 0.0)"}},
    {"matmul_dtypes",
     "a matrix product of two element types",
     on::matrix,
     {"{v} @ {v}.T.double()", "{v} @ {v}.t().double()"}},
    {"dot_dtypes",
     "an inner product of two element types",
     narrow_floats,
     {"{torch}.dot({v}.reshape(-1), {v}.reshape(-1).double())"}},
};

class DtypeBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "dtypes"; }
  std::vector<BrokenRule> rules() const override { return kRules; }
};

const Register<Breaks, DtypeBreaks> registered;

}  // namespace
}  // namespace jp::dtypes_breaks
