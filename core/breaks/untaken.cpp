// Element types that pointwise operators don't accept, as core/operators.tsv says: one rule for each type, with a call
// of each operator of one or two operands that lacks it.
#include <fmt/format.h>

#include <deque>
#include <string>

#include "core/broken_rule.h"
#include "core/operators.h"

namespace jp::untaken_breaks {
namespace {

// Of a tensor without elements operators often don't check the type.
template <Dtype kDtype>
bool fits(const Breakable& tensor) {
  return tensor.dtype == kDtype && element_count(tensor.shape) > 0;
}

// A function of torch's that takes one tensor or two of the same shape, and nothing else.
bool is_called_so(const OperatorFacts& op) {
  return op.function && op.pointwise && !op.random && op.required == op.places && op.places >= 1 && op.places <= 2;
}

// The texts of all calls, which live as long as the process.
std::string_view kept(std::string text) {
  static std::deque<std::string> texts;
  return texts.emplace_back(std::move(text));
}

template <Dtype kDtype>
BrokenRule rule_of() {
  BrokenRule rule;
  rule.name = kept(fmt::format("untaken_{}", dtype_name(kDtype)));
  rule.says = kept(fmt::format("a pointwise operator that doesn't take {}", dtype_name(kDtype)));
  rule.fits = fits<kDtype>;
  for (const OperatorFacts& op : all_operators()) {
    if (!is_called_so(op) || op.dtypes.empty() || op.dtypes.contains(kDtype) || op.takes.contains(kDtype)) continue;
    rule.calls.push_back(kept(fmt::format("{{torch}}.{}({})", op.name, op.places == 1 ? "{v}" : "{v}, {v}")));
  }
  return rule;
}

class UntakenBreaks final : public Breaks {
 public:
  std::string_view name() const override { return "untaken"; }
  std::vector<BrokenRule> rules() const override {
    return {rule_of<Dtype::kBool>(),    rule_of<Dtype::kInt8>(),     rule_of<Dtype::kInt64>(),
            rule_of<Dtype::kFloat16>(), rule_of<Dtype::kBFloat16>(), rule_of<Dtype::kFloat32>(),
            rule_of<Dtype::kFloat64>(), rule_of<Dtype::kComplex64>()};
  }
};

const Register<Breaks, UntakenBreaks> registered;

}  // namespace
}  // namespace jp::untaken_breaks
