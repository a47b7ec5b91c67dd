// Drops items of what the entry (and any other function) returns:
//
//     return v3, v4.sum(), v7          return v4.sum()
//
// Statements that were needed only for a dropped item are left to drop_dead.
#include "mutate/inputs/inputs.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_outputs_pass {
namespace {

class DropOutputs final : public Pass {
 public:
  DropOutputs() : Pass({"drop_outputs", Tier::kDrop, false, "Removes outputs that do not show the fault."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    auto inputs = mutate::find_inputs(parsed);
    for (const Statement& statement : parsed.statements()) {
      Node display = returned_display(statement);
      if (!display || (inputs && inputs->statement == &statement)) continue;
      auto items = display.children();
      for (std::size_t i = items.size(); i-- > 0;) {
        Cut cut(parsed);
        if (items.size() > 1 && cut.item(items, i)) proposals.push_back(cut.edits());
      }
    }
    return proposals;
  }
};

const Register<Pass, DropOutputs> registered;

}  // namespace
}  // namespace jp::reduce::drop_outputs_pass
