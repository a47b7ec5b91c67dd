// @NAME@: what the family has in common, and what its draws must respect.
#include "seedgen/operator.h"

#include "seedgen/unary.h"

namespace jp::seedgen {
namespace {

Interval image(Interval x) { return {-x.high, -x.low}; }

const UnaryRule kRules[] = {
    {"@NAME@", image, kEverything, kNumbers, Exactness::kSame, false},
};

constexpr std::string_view kForms[] = {"torch.neg($0)"};

class @CLASS @final : public Operator{public : std::string_view name() const override{return "@NAME@";
}  // namespace
std::vector<std::string_view> members() const override { return names_of(kRules); }
void draw(Draft& draft, std::size_t member) const override { draw_unary(draft, kRules[member], kForms); }
};  // namespace jp::seedgen

const Register<Operator, @CLASS @> registered;

}  // namespace
}  // namespace jp::seedgen
