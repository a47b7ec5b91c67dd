// Drops a statement, with everything that reads what only it bound:
//
//     v1 = v0 + 1                 v4 = v0 * 3
//     v2 = torch.relu(v1)         return v4
//     v4 = v0 * 3
//     return v2, v4
//
// The last ones first: fewer statements depend on them.
#include "oracle/reduce/cut.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_statements_pass {
namespace {

class DropStatements final : public Pass {
 public:
  DropStatements()
      : Pass({"drop_statements", Tier::kDrop, false, "Removes statements without which the fault still shows."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    const auto& statements = parsed.statements();
    for (std::size_t i = statements.size(); i-- > 0;) {
      Cut cut(parsed);
      if (cut.statement(statements[i])) proposals.push_back(cut.edits());
    }
    return proposals;
  }
};

const Register<Pass, DropStatements> registered;

}  // namespace
}  // namespace jp::reduce::drop_statements_pass
