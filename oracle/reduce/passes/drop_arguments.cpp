// Drops an argument of the entry from make_inputs and from the parameters, with everything that reads it:
//
//     return (torch.ones(3), torch.ones(4))          return (torch.ones(4),)
//     def program(x, y):                             def program(y):
//         a = x + 1                                      return y
//         return a, y
#include "oracle/reduce/cut.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::drop_arguments_pass {
namespace {

class DropArguments final : public Pass {
 public:
  DropArguments()
      : Pass({"drop_arguments", Tier::kDrop, false, "Removes arguments without which the fault still shows."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    const std::size_t count = plain_parameters(parsed).size();
    for (std::size_t i = count; i-- > 0;) {
      Cut cut(parsed);
      if (cut.argument(i)) proposals.push_back(cut.edits());
    }
    return proposals;
  }
};

const Register<Pass, DropArguments> registered;

}  // namespace
}  // namespace jp::reduce::drop_arguments_pass
