// Drops at once all assignments whose names nothing reads, and those that only they read:
//
//     v1 = v0 + 1                 v4 = v0 * 3
//     v2 = torch.relu(v1)         return v4
//     v4 = v0 * 3
//     return v4
//
// One question instead of one for each; what had an effect after all is left to drop_statements.
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_dead_pass {
namespace {

class DropDead final : public Pass {
 public:
  DropDead() : Pass({"drop_dead", Tier::kDrop, false, "Removes assignments whose names nothing reads."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    EditSet edits;
    for (int index : dead_statements(parsed))
      if (!erase_statement(edits, parsed, parsed.statement(index))) return {};
    if (edits.empty()) return {};
    return {edits};
  }
};

const Register<Pass, DropDead> registered;

}  // namespace
}  // namespace jp::reduce::drop_dead_pass
