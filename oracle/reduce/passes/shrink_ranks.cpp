// Drops dimensions of arguments: of all of them the first or last one, or of one of them any one:
//
//     torch.ones(3, 4), torch.zeros((2, 3))          torch.ones(4), torch.zeros((3,))
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::shrink_ranks_pass {
namespace {

/// The sizes that a call in make_inputs is given: "(3, 4)" among its arguments, or integers one after the other.
std::vector<std::vector<Node>> sizes_of(const Parsed& parsed) {
  std::vector<std::vector<Node>> sizes;
  for (int i = 0; i < parsed.tree().size(); ++i) {
    const mutate::Call call = mutate::call(parsed.tree().node(i));
    if (!call || !in_inputs(parsed, call.node)) continue;
    std::vector<Node> direct;
    for (const Node& argument : call.positional()) {
      if (argument.is("integer")) direct.push_back(argument);
      if (!mutate::is_sequence(argument)) continue;
      std::vector<Node> items = argument.children();
      bool numbers = !items.empty();
      for (const Node& item : items) numbers = numbers && item.is("integer");
      if (numbers) sizes.push_back(std::move(items));
    }
    if (direct.size() > 1 && direct.size() == call.positional().size()) sizes.push_back(std::move(direct));
  }
  return sizes;
}

class ShrinkRanks final : public Pass {
 public:
  ShrinkRanks() : Pass({"shrink_ranks", Tier::kShrink, false, "Removes dimensions of arguments."}) {}

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
