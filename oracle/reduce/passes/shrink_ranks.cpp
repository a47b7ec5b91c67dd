// Drops dimensions of arguments: of all of them the first or last one, or of one of them any one:
//
//     torch.ones(3, 4), torch.zeros((2, 3))          torch.ones(4), torch.zeros((3,))
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::shrink_ranks_pass {
namespace {

/// The sizes that a call in make_inputs is given: "(3, 4)" among its arguments, or integers one after the other.
std::vector<std::vector<Node>> sizes_of(const Parsed& parsed) {
  std::vector<std::vector<Node>> sizes;
  for (int i = 0; i < parsed.tree().size(); ++i) {
    Node call = parsed.tree().node(i);
    if (!call.named() || !call.is("call") || !in_inputs(parsed, call)) continue;
    std::vector<Node> direct;
    for (const Node& argument : plain_arguments(call)) {
      if (argument.is("integer")) direct.push_back(argument);
      if (!argument.is("tuple") && !argument.is("list")) continue;
      std::vector<Node> items = argument.children();
      bool numbers = !items.empty();
      for (const Node& item : items) numbers = numbers && item.is("integer");
      if (numbers) sizes.push_back(std::move(items));
    }
    if (direct.size() > 1 && direct.size() == plain_arguments(call).size()) sizes.push_back(std::move(direct));
  }
  return sizes;
}

class ShrinkRanks final : public Pass {
 public:
  ShrinkRanks() : Pass({"shrink_ranks", Tier::kShrink, false, "dimensions that the fault does without"}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    const auto sizes = sizes_of(parsed);
    EditSet firsts;
    EditSet lasts;
    bool fit = sizes.size() > 1;
    for (const auto& items : sizes)
      fit = fit && erase_item(firsts, items, 0) && erase_item(lasts, items, items.size() - 1);
    if (fit) proposals = {firsts, lasts};
    for (const auto& items : sizes)
      for (std::size_t at = 0; at < items.size(); ++at)
        if (EditSet edits; erase_item(edits, items, at)) proposals.push_back(std::move(edits));
    return proposals;
  }
};

const Register<Pass, ShrinkRanks> registered;

}  // namespace
}  // namespace jp::reduce::shrink_ranks_pass
