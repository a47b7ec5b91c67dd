// Questions about each element: bool from one input.
#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

struct Row {
  std::string_view name;
  bool jumps;
  DtypeSet dtypes = kEveryDtype;
  /// All elements are finite.
  Interval image = {0, 1};
};
constexpr Row kRows[] = {{"logical_not", true},
                         {"signbit", true, kAnyDtype},
                         {"isnan", false, kEveryDtype, {0, 0}},
                         {"isfinite", false, kEveryDtype, {1, 1}},
                         {"isinf", false, kEveryDtype, {0, 0}},
                         {"isreal", true},
                         {"isposinf", false, kAnyDtype, {0, 0}},
                         {"isneginf", false, kAnyDtype, {0, 0}}};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};

class Predicate final : public Operator {
 public:
  std::string_view name() const override { return "predicate"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Want want{.dtypes = row.dtypes, .exact = row.jumps};
    want.rather = both_signs;
    Value x = draft.input(want);
    draft.record({.op = row.name, .forms = kForms, .arguments = {Ref{x.id}}},
                 elementwise(Dtype::kBool, row.image, {&x}), {.saves = Saves::kNothing, .differentiable = false});
  }
};

const Register<Operator, Predicate> registered;

}  // namespace
}  // namespace jp::seedgen
