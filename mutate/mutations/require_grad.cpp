// Another input requires gradients, or one that did no longer does; one or several inputs are changed, or a tensor that
// the program makes:
//
//     return (torch.randn(3), torch.randn(3))
//     return (torch.randn(3).requires_grad_(), torch.randn(3))
//
// An input that the program writes to does not become a leaf, because eager rejects in-place writes to leaves that
// require gradients. There is no site where inference can't show that the program runs (infer/inference.h). The program
// is a variation. Site: the return statement of make_inputs; path: CALL.ARGUMENT, both from 0.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "core/operators.h"
#include "mutate/engine/mutation.h"
#include "mutate/facts/save_restore.h"
#include "mutate/facts/value_reads.h"
#include "mutate/infer/inference.h"
#include "mutate/inputs/inputs.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::require_grad_mutation {
namespace {

bool fits(const InputKind& kind) { return kind.is_tensor() && (is_floating(kind.dtype) || is_complex(kind.dtype)); }

/// The program calls autograd itself, which needs every tensor to be as it is.
bool asks_autograd(const Parsed& parsed) {
  static constexpr std::array<std::string_view, 8> kWords = {"backward",    "autograd",   "grad",    "register_hook",
                                                             "retain_grad", "checkpoint", "is_leaf", "grad_fn"};
  return parsed.has_any<kWords>();
}

/// False if the value can't be followed by name.
bool add_leaf(const Parsed& parsed, const std::string& name, const NameFacts& known, AbstractState& looks) {
  auto parameters = entry_parameters(parsed);
  const bool argument = std::any_of(parameters.begin(), parameters.end(), [&](Node one) { return one.text() == name; });
  auto look = abstract_value_of(&known);
  if (!argument || !look) return false;
  look->regrad = look->leaf = true;
  looks.try_emplace(name, *std::move(look));
  return true;
}

/// Whether the program runs when those arguments require gradients, as leaves or not.
bool runs(const Parsed& parsed, const Facts& facts, const Calls& calls, const std::vector<std::size_t>& arguments,
          bool leaves) {
  const Statement* start = entry_start(parsed);
  auto parameters = entry_parameters(parsed);
  if (!start) return false;
  AbstractState looks;
  for (std::size_t at : arguments) {
    if (at >= parameters.size()) return false;
    AbstractValue look = AbstractValue::tensor(calls.kinds[at].dtype, calls.kinds[at].shape);
    look.regrad = true;
    look.leaf = leaves;
    const std::string name(parameters[at].text());
    // Under another name the same tensor becomes a leaf too, whatever this argument becomes.
    const NameFacts* known = facts.find_before(start->id, name);
    if (!known || !known->storage) return false;
    for (const auto& [other, shared] : facts.before.at(start->id))
      if (other != name && shared.storage == known->storage && !add_leaf(parsed, other, shared, looks)) return false;
    looks[name] = std::move(look);
  }
  return valid_from(parsed, facts, *start, std::move(looks));
}

/// The entry is a module whose own parameters require gradients already, and the file neither writes in place nor calls
/// an operator that rejects them.
bool computes_with_gradients(const Parsed& parsed, const Facts& facts) {
  const Statement* entry = entry_function(parsed);
  if (!entry || entry->parent < 0 || no_gradients(facts) || asks_autograd(parsed) || !quiet(parsed)) return false;
  for (const Statement& statement : parsed.statements())
    for (const Call& made : effects_of(statement).calls) {
      const OperatorFacts* op = find_operator(base_name(made.name));
      if (op && (op->rejects_gradients || op->rejects_gradients_behind) && made.object && made.object.text() != "self")
        return false;
      if (made.name == "numpy" || made.name == "tolist" || made.name == "deepcopy" || made.name == "data") return false;
    }
  return true;
}

/// Arguments that change together: the requested one, or all that are like it.
std::vector<std::size_t> together(const Calls& calls, bool alike) {
  std::vector<std::size_t> found;
  for (std::size_t at = 0; at < calls.kinds.size(); ++at) {
    const InputKind& kind = calls.kinds[at];
    bool same = fits(kind) && kind.requires_grad == calls.kind().requires_grad;
    if (at == calls.asked.at || (alike && same)) found.push_back(at);
  }
  return found;
}

/// Which arguments change, and how.
struct Plan {
  bool no_leaf = false;
  std::vector<std::size_t> arguments;  // ascending

  auto fields() { return std::tie(no_leaf, arguments); }
};

/// Nothing when no change is known to run.
std::optional<Plan> find_plan(const Parsed& parsed, const Facts& facts, const Calls& calls, bool alike, bool leaves) {
  if (calls.kind().requires_grad)
    return asks_autograd(parsed) ? std::nullopt : std::optional(Plan{false, together(calls, alike)});
  for (bool all : {alike, false})
    for (bool leaf : {leaves, false})
      if (Plan plan{!leaf, together(calls, all)};
          runs(parsed, facts, calls, plan.arguments, leaf) || computes_with_gradients(parsed, facts))
        return plan;
  return std::nullopt;
}

class RequireGrad final : public Mutation {
 public:
  RequireGrad()
      : Mutation({"require_grad", "E", Exactness::kVariation, true, "jitprobe",
                  "joint graphs, partitioning, and guards on which inputs require gradients"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    auto found = argument_sites(parsed, facts, fits);
    std::erase_if(found, [&](const Site& site) {
      Choices ignored(0);
      auto calls = argument_at(parsed, facts, site, ignored);
      return !calls || !find_plan(parsed, facts, *calls, false, false);
    });
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = argument_at(parsed, facts, site, choices);
    if (!calls || !fits(calls->kind())) return {};
    Rewrite rewrite(parsed, step_number);
    bool all_calls = choices.chance(2, 3);
    bool alike = choices.chance(1, 3);
    std::uint64_t form = choices.below(5);
    auto plan = choices.note([&] { return find_plan(parsed, facts, *calls, alike, form < 4); });
    if (!plan || !calls->has_all(plan->arguments)) return {};
    for (const std::size_t argument : plan->arguments)
      for (const Node& text : calls->texts(argument, all_calls))
        rewrite.replace(text, other(text, calls->kinds[argument], plan->no_leaf, form));
    return rewrite.edits();
  }

 private:
  static std::string other(const Node& text, const InputKind& kind, bool no_leaf, std::uint64_t form) {
    std::string value = operand(text);
    if (kind.requires_grad) {
      constexpr std::string_view kLeaf = ".requires_grad_()";
      if (form < 3 && value.ends_with(kLeaf)) return value.substr(0, value.size() - kLeaf.size());
      return value + (form == 4 ? ".detach().clone()" : ".detach()");
    }
    if (no_leaf) return value + ".requires_grad_().clone()";
    if (form == 3) return value + ".clone().requires_grad_()";
    return value + ".requires_grad_()";
  }
};

const Register<Mutation, RequireGrad> registered;

}  // namespace
}  // namespace jp::mutate::require_grad_mutation
