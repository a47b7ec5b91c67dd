// A range of statements becomes a function that is called through torch.utils.checkpoint:
//
//     v3 = torch.sin(v1)           from torch.utils.checkpoint import checkpoint as checkpoint7
//     v4 = v3 * v2                 def f7(v1, v2):
//                                      v3 = torch.sin(v1)
//                                      v4 = v3 * v2
//                                      return v4
//                                  v4 = checkpoint7(f7, v1, v2, use_reentrant=False)
//
// When nothing in the whole program requires a gradient, the checkpoint is a plain call. Otherwise backward calls the
// function once more, so it must be pure and receive everything that it reads as arguments, and nothing in the file may
// write in place. The reentrant variant accumulates gradients in another order and makes all results require gradients;
// it is drawn only where all results require them already, and where nothing else uses the arguments that do. The
// result is unchanged bit for bit. Site path: as in statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/facts/save_restore.h"
#include "mutate/facts/value_reads.h"
#include "mutate/names/outside_memory.h"
#include "mutate/outline/values.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::checkpoint_mutation {
namespace {

/// Something in the file writes into a tensor in place, or runs backward itself.
bool writes_in_place(const Parsed& parsed) {
  static constexpr auto kWords =
      std::to_array<std::string_view>({"autograd", "backward", "inplace", "data", "iadd", "setitem", "__setitem__",
                                       "register_hook", "grad", "jit", "inference_mode", "saved_tensors_hooks"});
  if (parsed.has_any<kWords>() || shares_memory_outside(parsed)) return true;
  if (quiet(parsed)) return false;
  for (const Node node : nodes_of(parsed.tree())) {
    if (assignment(node).augmented() || node.is("delete_statement")) return true;
    if (node.is("subscript") && (is_target(node) || node.parent().is("pattern_list"))) return true;
    if (is_keyword(node, "out")) return true;
    // `requires_grad_` is not counted as a write: inputs are made with it.
    const std::string_view name = attribute(node).name;
    if (names_write(name) && name != "requires_grad_") return true;
  }
  return false;
}

/// Nothing outside the range reads the name.
bool only_here(const Parsed& parsed, const BodySignature& signature, const std::string& name) {
  int frame = parsed.scopes().scope_of(signature.first());
  const auto own = parsed.scopes().uses_of(frame, name);
  return std::all_of(own.begin(), own.end(), [&](const Use& use) {
    bool inside = use.node.begin() >= signature.first().begin && use.node.begin() < signature.last().end;
    return inside || use.kind == Use::Kind::kBind;
  });
}

/// No two arguments that require gradients share memory: the reentrant variant would sum their gradients in another
/// order.
bool all_apart(const Facts& facts, const BodySignature& signature, const Values& values) {
  std::vector<std::int64_t> storages;
  for (const Value& value : values.arguments) {
    if (!value.requires_grad) continue;
    const NameFacts* known = facts.find_before(signature.first().id, value.name);
    if (!known || !known->storage) return false;
    storages.push_back(*known->storage);
  }
  std::sort(storages.begin(), storages.end());
  return std::adjacent_find(storages.begin(), storages.end()) == storages.end();
}

bool can_reenter(const Parsed& parsed, const Facts& facts, const BodySignature& signature, const Values& values) {
  bool any = false;
  for (const Value& value : values.results) {
    const NameFacts* known = facts.find_after(signature.last().id, value.name);
    if (!known || !known->requires_grad) return false;
  }
  for (const Value& value : values.arguments) {
    any = any || value.requires_grad;
    if (value.requires_grad && !only_here(parsed, signature, value.name)) return false;
  }
  auto wants = [](const Value& value) { return value.tensor && value.fresh && value.requires_grad; };
  return any && all_apart(facts, signature, values) && std::all_of(values.results.begin(), values.results.end(), wants);
}

/// Tensors of inference mode can't be saved, and backward would run under the default dtype of its own time. Functional
/// transforms reject hooks on saved tensors, both around a checkpoint and inside it, and a checkpoint reads
/// attributes of its arguments.
bool may_stand(const Parsed& parsed, const BodySignature& signature) {
  if (in_special_method(parsed, signature.first())) return false;
  if (parsed.has_word("inference_mode") || parsed.has_word("set_default_dtype")) return false;
  return !may_be_traced(parsed, signature.first()) && (!speaks_of_transforms(parsed) || is_pure(parsed, signature));
}

/// Something in the file adds items to lists or dicts.
bool fills_containers(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"append", "appendleft", "extend", "insert", "update", "setdefault", "__setitem__"});
  if (parsed.has_any<kWords>()) return true;
  return std::any_of(parsed.statements().begin(), parsed.statements().end(), [](const Statement& statement) {
    const Assignment made = assignment(statement);
    return made && !made.augmented() && made.left.is("subscript");
  });
}

/// A checkpoint traverses containers among its arguments; a container that contains itself would make it loop forever.
bool hands_over_cycles(const Parsed& parsed, const BodySignature& signature, const Facts& facts) {
  auto contains = [&](const std::string& name) {
    const NameFacts* known = facts.find_before(signature.first().id, name);
    return known && (known->kind == "list" || known->kind == "dict" || known->kind == "tuple");
  };
  const auto inputs = signature.inputs();
  return std::any_of(inputs.begin(), inputs.end(), contains) && fills_containers(parsed);
}

/// Backward may call the function again.
bool may_be_repeated(const Parsed& parsed, const BodySignature& signature) {
  return is_closed(parsed, signature) && is_pure(parsed, signature) && !writes_in_place(parsed);
}

/// "plain" if nothing requires gradients; "once more" if backward may call the function again, "reentrant" if that
/// variant is allowed too.
std::string kind_of(const Parsed& parsed, const BodySignature& signature, const Facts& facts) {
  if (!may_stand(parsed, signature) || hands_over_cycles(parsed, signature, facts)) return "";
  if (!facts.before.empty() && no_gradients(facts) && !parsed.has_word("backward")) return "plain";
  if (!may_be_repeated(parsed, signature)) return "";
  const auto values = known_values(parsed, signature, facts);
  if (!values) return "";
  return can_reenter(parsed, facts, signature, *values) ? "reentrant" : "once more";
}

class Checkpoint final : public FunctionMutation {
 public:
  Checkpoint()
      : FunctionMutation(
            {"checkpoint", "C", Exactness::kBitwise, true, "jitprobe", "regions that are recomputed in backward"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    const std::string kind = choices.note([&] { return kind_of(packing.parsed, packing.signature, packing.facts); });
    if (kind.empty() || !may_stand(parsed, signature)) return std::nullopt;
    const bool again = kind != "plain";
    if (again && !may_be_repeated(parsed, signature)) return std::nullopt;

    const std::string checkpoint = rewrite.name("checkpoint");
    const std::string function = rewrite.name("f");
    std::vector<std::string> arguments;
    for (const auto& name : signature.inputs())
      if (again || choices.chance(3, 4) || signature.writes(name)) arguments.push_back(name);
    std::vector<std::string> call = {function};
    add(call, arguments);
    const bool reentrant = kind == "reentrant" && choices.chance(2, 3);
    call.push_back(reentrant ? "use_reentrant=True" : "use_reentrant=False");
    if (choices.chance(1, 4)) call.push_back("preserve_rng_state=False");
    if (!reentrant && choices.chance(1, 6)) call.push_back("determinism_check=\"none\"");
    return function_body(signature, function, arguments,
                         {{fmt::format("from torch.utils.checkpoint import checkpoint as {}", checkpoint)}}, {},
                         fmt::format("{}({})", checkpoint, joined(call)));
  }

  bool fits(const Parsed& parsed, const Facts& facts, const BodySignature& signature) const override {
    return !kind_of(parsed, signature, facts).empty();
  }
};

const Register<Mutation, Checkpoint> registered;

}  // namespace
}  // namespace jp::mutate::checkpoint_mutation
