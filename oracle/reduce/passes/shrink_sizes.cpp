// Shrinks sizes. A number that occurs in several places is mostly one size, so all of them change at once:
//
//     torch.ones(17, 3), torch.ones(3, 4)          torch.ones(17, 2), torch.ones(2, 4)
//
// first everywhere in the file, then only where the arguments are made.
#include <charconv>
#include <map>

#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::shrink_sizes_pass {
namespace {

/// The integers of at least 2 by value; the seed of a random generator is no size.
std::map<std::int64_t, std::vector<Node>> sizes_of(const Parsed& parsed) {
  std::map<std::int64_t, std::vector<Node>> sizes;
  for (int i = 0; i < parsed.tree().size(); ++i) {
    Node node = parsed.tree().node(i);
    if (!node.is("integer") || !parsed.statement_at(node.begin()) || !replaceable(node)) continue;
    if (mutate::call_with(node).name == "manual_seed") continue;
    std::int64_t value = 0;
    std::string_view text = node.text();
    if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc() && value >= 2 &&
        std::to_string(value) == text)
      sizes[value].push_back(node);
  }
  return sizes;
}

class ShrinkSizes final : public Pass {
 public:
  ShrinkSizes() : Pass({"shrink_sizes", Tier::kShrink, false, "Makes sizes smaller."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (bool everywhere : {true, false})
      for (const auto& [value, places] : sizes_of(parsed))
        for (std::int64_t smaller : {std::int64_t{1}, std::int64_t{2}, value / 2}) {
          EditSet edits;
          bool only_inputs = true;
          for (const Node& place : places) {
            bool input = in_inputs(parsed, place);
            only_inputs = only_inputs && input;
            if (everywhere || input) edits.replace(place.begin(), place.end(), std::to_string(smaller));
          }
          bool again = !everywhere && only_inputs;
          if (smaller < value && !again && !edits.empty()) proposals.push_back(std::move(edits));
        }
    return proposals;
  }
};

const Register<Pass, ShrinkSizes> registered;

}  // namespace
}  // namespace jp::reduce::shrink_sizes_pass
