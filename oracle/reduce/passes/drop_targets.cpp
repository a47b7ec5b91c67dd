// Drops names that are assigned and never read, if the assignment's value has to stay for its side effect:
//
//     a = x.neg_()                x.neg_()
//     return x                    return x
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_targets_pass {
namespace {

class DropTargets final : public Pass {
 public:
  DropTargets()
      : Pass({"drop_targets", Tier::kPolish, false,
              "Removes names that are assigned and never read; their values stay for what they do."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int index : dead_statements(parsed)) {
      const PlainAssignment assignment = plain_assignment(parsed.statement(index));
      if (!assignment.value) continue;
      EditSet edits;
      if (put(edits, assignment.name.begin(), assignment.value.begin(), "")) proposals.push_back(std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, DropTargets> registered;

}  // namespace
}  // namespace jp::reduce::drop_targets_pass
