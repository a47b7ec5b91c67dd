// Predicates of each element: bool from one input.
#include "seedgen/bases/operator.h"
#include "seedgen/bases/writes.h"

namespace jp::seedgen::predicate_operators {
namespace {

struct Row {
  std::string_view name;
  bool discontinuous;
  DtypeSet dtypes = kEveryDtype;
  /// All elements are finite.
  Interval image = {0, 1};
  bool has_out = true;
  /// Whether an inexact input lies clear of all steps; nullptr: inputs are exact.
  bool (*clear)(const Value&) = nullptr;
};
constexpr Row kRows[] = {{"logical_not", true, kEveryDtype, {0, 1}, true, clear_of_zero},
                         {"signbit", true, kAnyDtype, {0, 1}, true, clear_of_zero},
                         {"isnan", false, kEveryDtype, {0, 0}, false},
                         {"isfinite", false, kEveryDtype, {1, 1}, false},
                         {"isinf", false, kEveryDtype, {0, 0}, false},
                         {"isreal", true, kEveryDtype, {0, 1}, false},
                         {"isposinf", false, kAnyDtype, {0, 0}},
                         {"isneginf", false, kAnyDtype, {0, 0}}};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};

class Predicate final : public Operator {
 public:
  std::string_view name() const override { return "predicate"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Want want{.dtypes = row.dtypes, .exact = row.discontinuous};
    if (row.clear != nullptr) want.clear = row.clear;
    want.preferred = both_signs;
    Value x = draft.input(want);
    Call call{.op = row.name, .forms = kForms, .arguments = {Ref{x.id}}};
    const bool all_real = row.name == "isreal" && !is_complex(x.dtype);
    Value result = elementwise(Dtype::kBool, all_real ? Interval{1, 1} : row.image, {&x});
    const Traits traits = {.saves = Saves::kNothing, .differentiable = false, .decided = row.discontinuous && !x.exact};
    if (!row.has_out) return draft.record(std::move(call), result, traits);
    record_or_out(draft, std::move(call), result, traits);
  }
};

const Register<Operator, Predicate> registered;

}  // namespace
}  // namespace jp::seedgen::predicate_operators
