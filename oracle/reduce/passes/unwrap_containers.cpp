// Replaces containers by the item that is taken out of them, or by their only item, and drops items:
//
//     [a, b][1]           b
//     return (a,)         return a
//     torch.cat([a, b])   torch.cat([a])
//
// Excluded are the tuples that make_inputs returns, what is unpacked, and lists of numbers (shrink_ranks).
#include <charconv>

#include "mutate/syntax/queries.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::unwrap_containers_pass {
namespace {

/// The item that a subscript takes out of a display, or no node.
Node taken_item(const Node& subscript) {
  Node value = subscript.field("value");
  Node key = subscript.field("subscript");
  auto items = value.children();
  if (mutate::is_sequence(value) && key.is("integer")) {
    std::size_t at = 0;
    std::string_view text = key.text();
    std::from_chars(text.data(), text.data() + text.size(), at);
    return at < items.size() ? items[at] : Node();
  }
  if (value.is("dictionary"))
    for (const Node& pair : items)
      if (pair.is("pair") && pair.field("key").text() == key.text()) return pair.field("value");
  return {};
}

bool all_numbers(const std::vector<Node>& items) {
  for (const Node& item : items)
    if (!mutate::is_unsigned_number(item)) return false;
  return true;
}

bool unpacked(const Node& display) {
  const mutate::Assignment made = mutate::assignment(display.parent());
  return made && !made.augmented() && !made.left.is("identifier");
}

class UnwrapContainers final : public Pass {
 public:
  UnwrapContainers()
      : Pass({"unwrap_containers", Tier::kFlatten, false, "Replaces lists, tuples and dictionaries by their items."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (!node.named() || !parsed.statement_at(node.begin()) || !replaceable(node) || in_inputs(parsed, node))
        continue;
      if (node.is("subscript"))
        if (Node item = taken_item(node)) proposals.push_back(replacement(node, in_place_of(item, node)));
      bool display = mutate::is_sequence(node) || node.is("dictionary") || node.is("set");
      std::vector<Node> items = node.children();
      if (!display || items.empty() || unpacked(node) || node.parent().is("subscript")) continue;
      if (items.size() == 1 && mutate::is_sequence(node) && !mutate::is_splat(items[0]))
        proposals.push_back(replacement(node, in_place_of(items[0], node)));
      if (all_numbers(items) || returned_display(*parsed.statement_at(node.begin())) == node) continue;
      for (std::size_t at = items.size(); at-- > 0;)
        if (EditSet edits; erase_item(edits, items, at)) proposals.push_back(std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, UnwrapContainers> registered;

}  // namespace
}  // namespace jp::reduce::unwrap_containers_pass
