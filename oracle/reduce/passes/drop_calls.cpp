// Drops some of several calls that make_inputs describes; a single one that is left needs no list:
//
//     return [(torch.ones(3), 1), (torch.ones(3), 2)]          return (torch.ones(3), 2)
#include "mutate/inputs/inputs.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_calls_pass {
namespace {

class DropCalls final : public Pass {
 public:
  DropCalls()
      : Pass({"drop_calls", Tier::kDrop, false, "Removes calls of the program without which the fault still shows."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    auto inputs = mutate::find_inputs(parsed);
    if (!inputs || !inputs->is_list) return proposals;
    if (inputs->tuples.size() == 1)
      proposals.push_back(replacement(inputs->value, std::string(inputs->tuples.front().text())));
    else
      for (std::size_t i = inputs->tuples.size(); i-- > 0;) {
        Cut cut(parsed);
        if (cut.item(inputs->tuples, i)) proposals.push_back(cut.edits());
      }
    return proposals;
  }
};

const Register<Pass, DropCalls> registered;

}  // namespace
}  // namespace jp::reduce::drop_calls_pass
