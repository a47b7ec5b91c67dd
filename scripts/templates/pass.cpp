// @NAME@: what it makes simpler, with one line before and after:
//
//     pass          (nothing)
//     x = 1         x = 1
#include "oracle/reduce/pass.h"

#include "oracle/reduce/edits.h"

namespace jp::reduce {
namespace {

class @CLASS @final : public Pass {
 public:
  @CLASS @() : Pass({"@NAME@", Tier::kFlatten, false, "what is gone when it is through"}) {
  }

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (const Statement& statement : parsed.statements()) {
      EditSet edits;
      if (statement.kind() == "pass_statement" && erase_statement(edits, parsed, statement))
        proposals.push_back(std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, @CLASS @> registered;

}  // namespace
}  // namespace jp::reduce
