// Replaces arguments that are drawn at random or made in steps by plain ones: ones, zeros, a range, or literal values:
//
//     g = torch.Generator().manual_seed(11)            return (torch.ones(2), torch.tensor([0.5, -1.0]))
//     return (torch.randn(2, generator=g), f(2))
//
// Facts (of the first statement of the entry) tell what an argument is; without them only random calls are replaced, by
// ones of the same size.
#include <algorithm>
#include <array>

#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/cut.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"
#include "oracle/reduce/values.h"

namespace jp::reduce::simplify_values_pass {
namespace {

/// The facts about the entry's parameters before its first statement, or nullptr.
const Names* known_arguments(const Parsed& parsed, const Facts& facts) {
  const Statement* entry = mutate::module_function(parsed, parsed.program().entry());
  for (const Statement& statement : parsed.statements())
    if (auto point = facts.before.find(statement.id);
        entry && statement.function == entry->index && point != facts.before.end())
      return &point->second;
  return nullptr;
}

/// "torch.randn(3, 4, generator=g)" -> "torch.ones(3, 4)"; "" for calls that don't draw.
std::string ones_for(const mutate::Call& call) {
  constexpr std::array<std::string_view, 2> kSizes = {"rand", "randn"};
  const std::string_view name = call.name;
  const std::vector<Node> arguments = call.positional();
  const Node object = call.object;
  if (!object || arguments.empty()) return "";
  std::string text = std::string(object.text()) + ".ones(";
  const Node asked = call.keyword("dtype");
  std::string dtype = asked ? ", " + std::string(asked.parent().text()) : "";
  if (name == "randint") {
    auto size = std::find_if(arguments.begin(), arguments.end(), [](const Node& node) { return node.is("tuple"); });
    if (size == arguments.end()) return "";
    if (dtype.empty()) dtype = ", dtype=" + std::string(object.text()) + ".int64";
    return text + std::string(size->text()) + dtype + ")";
  }
  if (std::find(kSizes.begin(), kSizes.end(), name) == kSizes.end()) return "";
  for (std::size_t i = 0; i < arguments.size(); ++i) text += (i ? ", " : "") + std::string(arguments[i].text());
  return text + dtype + ")";
}

class SimplifyValues final : public Pass {
 public:
  SimplifyValues()
      : Pass({"simplify_values", Tier::kShrink, true,
              "Replaces arguments that are random or made in steps by plain ones."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts& facts) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      const mutate::Call call = mutate::call(node);
      if (!call || !parsed.statement_at(node.begin()) || !replaceable(node)) continue;
      if (std::string text = ones_for(call); !text.empty()) proposals.push_back(replacement(node, std::move(text)));
    }
    auto inputs = mutate::find_inputs(parsed);
    const Names* known = known_arguments(parsed, facts);
    if (!inputs || !known) return proposals;
    const std::string torch = mutate::torch_name(parsed, *inputs->statement);
    auto parameters = plain_parameters(parsed);
    for (const auto& call : inputs->calls)
      for (std::size_t i = 0; i < std::min(call.size(), parameters.size()) && !torch.empty(); ++i) {
        auto uses = parsed.scopes().uses_in(parameters[i].begin(), parameters[i].end());
        auto found = uses.empty() ? known->end() : known->find(std::string(uses.front().name));
        if (found == known->end()) continue;
        for (std::string& text : written_tensors(found->second, torch))
          if (text != call[i].text()) proposals.push_back(replacement(call[i], std::move(text)));
      }
    return proposals;
  }
};

const Register<Pass, SimplifyValues> registered;

}  // namespace
}  // namespace jp::reduce::simplify_values_pass
