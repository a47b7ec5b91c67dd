// A run of statements becomes a function that is called through torch.utils.checkpoint:
//
//     v3 = torch.sin(v1)           from torch.utils.checkpoint import checkpoint as checkpoint7
//     v4 = v3 * v2                 def f7(v1, v2):
//                                      v3 = torch.sin(v1)
//                                      v4 = v3 * v2
//                                      return v4
//                                  v4 = checkpoint7(f7, v1, v2, use_reentrant=False)
//
// When nothing in the whole run of the program requires a gradient, it is just a call. Otherwise backward calls the
// function once more, so it must be pure, take all that it reads as arguments, and nothing in the file may write in
// place. The reentrant kind adds up gradients in another order and makes all results require them: it is taken where
// all do, and where nobody else uses the arguments that do. Site path: as in runs.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mutate/facts/save_restore.h"
#include "mutate/outline/outline_values.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate {
namespace {

/// Something in the file writes into a tensor, or runs backward itself.
bool writes_in_place(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"autograd", "backward", "out", "inplace", "data", "iadd", "setitem", "__setitem__", "register_hook", "grad",
       "jit", "inference_mode", "saved_tensors_hooks"});
  if (parsed.has_any<kWords>()) return true;
  const Tree& tree = parsed.tree();
  for (int i = 0; i < tree.size(); ++i) {
    Node node = tree.node(i);
    if (node.is("augmented_assignment") || node.is("delete_statement")) return true;
    if (node.is("subscript") && (node.field_name() == "left" || node.parent().is("pattern_list"))) return true;
    // `requires_grad_` is how inputs are made.
    if (node.is("attribute") && node.field("attribute").text().ends_with("_") &&
        node.field("attribute").text() != "requires_grad_" && !node.field("attribute").text().ends_with("__"))
      return true;
  }
  return false;
}

/// Nobody but the run reads the name.
bool only_here(const Parsed& parsed, const Outline& outline, const std::string& name) {
  const auto& uses = parsed.scopes().uses();
  int frame = parsed.scopes().scope_of(*outline.first);
  const auto& own = parsed.scopes().uses_of(frame, name);
  return std::all_of(own.begin(), own.end(), [&](int index) {
    const Use& use = uses[static_cast<std::size_t>(index)];
    bool inside = use.node.begin() >= outline.first->begin && use.node.begin() < outline.last->end;
    return inside || use.kind == Use::Kind::kBind;
  });
}

bool can_reenter(const Parsed& parsed, const Outline& outline, const Values& values) {
  bool any = false;
  for (const Value& value : values.arguments) {
    any = any || value.requires_grad;
    if (value.requires_grad && !only_here(parsed, outline, value.name)) return false;
  }
  auto wants = [](const Value& value) { return value.tensor && value.fresh && value.requires_grad; };
  return any && std::all_of(values.results.begin(), values.results.end(), wants);
}

/// Transforms refuse hooks on saved tensors, around themselves and inside. A checkpoint asks its arguments for
/// attributes.
bool may_stand(const Parsed& parsed, const Outline& outline) {
  if (in_special_method(parsed, *outline.first)) return false;
  return !may_be_traced(parsed, *outline.first) && (!speaks_of_transforms(parsed) || is_pure(parsed, outline));
}

/// Something in the file puts things into lists or dicts.
bool fills_containers(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"append", "appendleft", "extend", "insert", "update", "setdefault", "__setitem__"});
  if (parsed.has_any<kWords>()) return true;
  return std::any_of(parsed.statements().begin(), parsed.statements().end(), [](const Statement& statement) {
    auto parts = statement.node.children();
    return !parts.empty() && parts.front().is("assignment") && parts.front().field("left").is("subscript");
  });
}

/// A checkpoint looks into containers among its arguments, without end into one that holds itself.
bool hands_over_cycles(const Parsed& parsed, const Outline& outline, const Facts& facts) {
  auto contains = [&](const std::string& name) {
    const NameFacts* known = facts.find_before(outline.first->id, name);
    return known && (known->kind == "list" || known->kind == "dict" || known->kind == "tuple");
  };
  return std::any_of(outline.arguments.begin(), outline.arguments.end(), contains) && fills_containers(parsed);
}

/// "plain" without gradients; "once more" when backward may call it again, then "reentrant" if that may be.
std::string note_kind(const Parsed& parsed, const Outline& outline, const Facts& facts) {
  if (!may_stand(parsed, outline) || hands_over_cycles(parsed, outline, facts)) return "";
  if (!facts.before.empty() && no_gradients(facts) && !parsed.has_word("backward")) return "plain";
  if (!is_closed(parsed, outline) || !is_pure(parsed, outline) || writes_in_place(parsed)) return "";
  const auto values = known_values(parsed, outline, facts);
  if (!values) return "";
  return can_reenter(parsed, outline, *values) ? "reentrant" : "once more";
}

class Checkpoint final : public OutlineMutation {
 public:
  Checkpoint()
      : OutlineMutation({"checkpoint", "C", Exactness::kBitwise, true, "jitprobe",
                         "regions that are computed again in backward"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto outline = find_outline(parsed, site);
    if (!outline) return {};
    std::string kind = choices.note([&] { return note_kind(parsed, *outline, facts); });
    if (kind.empty()) return {};
    if (!may_stand(parsed, *outline)) return {};
    bool again = kind != "plain";
    if (again && (!is_closed(parsed, *outline) || !is_pure(parsed, *outline) || writes_in_place(parsed))) return {};

    Rewrite rewrite(parsed, step_number);
    std::string checkpoint = rewrite.name("checkpoint");
    std::string function = rewrite.name("f");
    std::vector<std::string> arguments;
    for (const auto& name : outline->arguments)
      if (again || choices.chance(3, 4) || rebound(parsed, *outline, name)) arguments.push_back(name);
    std::vector<std::string> call = {function};
    call.insert(call.end(), arguments.begin(), arguments.end());
    bool reentrant = kind == "reentrant" && choices.chance(2, 3);
    call.push_back(reentrant ? "use_reentrant=True" : "use_reentrant=False");
    if (choices.chance(1, 4)) call.push_back("preserve_rng_state=False");
    if (!reentrant && choices.chance(1, 6)) call.push_back("determinism_check=\"none\"");
    put_outline(rewrite, *outline, function, arguments,
                {{fmt::format("from torch.utils.checkpoint import checkpoint as {}", checkpoint)}}, {},
                fmt::format("{}({})", checkpoint, fmt::join(call, ", ")));
    return rewrite.edits();
  }

 private:
  bool fits(const Parsed& parsed, const Facts& facts, const Outline& outline) const override {
    return !note_kind(parsed, outline, facts).empty();
  }
};

const Register<Mutation, Checkpoint> registered;

}  // namespace
}  // namespace jp::mutate
