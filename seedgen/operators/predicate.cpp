// Questions about each element: bool from one input.
#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

struct Row {
  std::string_view name;
  bool jumps;
  DtypeSet dtypes = kEveryDtype;
};
constexpr Row kRows[] = {{"logical_not", true},
                         {"signbit", true, kAnyDtype},
                         {"isnan", false},
                         {"isfinite", false},
                         {"isinf", false},
                         {"isreal", true},
                         {"isposinf", false, kAnyDtype},
                         {"isneginf", false, kAnyDtype}};

constexpr std::string_view kForms[] = {"torch.#($0)", "$0.#()"};

class Predicate final : public Operator {
 public:
  std::string_view name() const override { return "predicate"; }
  std::vector<std::string_view> members() const override { return names_of(kRows); }

  void draw(Draft& draft, std::size_t member) const override {
    const Row& row = kRows[member];
    Value x = draft.input({.dtypes = row.dtypes, .exact = row.jumps});
    draft.record({.op = row.name, .forms = kForms, .arguments = {Ref{x.id}}}, elementwise(Dtype::kBool, {0, 1}, {&x}),
                 {.saves = Saves::kNothing, .differentiable = false});
  }
};

const Register<Operator, Predicate> registered;

}  // namespace
}  // namespace jp::seedgen
