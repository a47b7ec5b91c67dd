// A value that requires gradients is detached from its graph: after its statement, in place or not; by computing it
// without gradients; or for one of its readers only:
//
//     v3 = v1 * 2                              v3 = v1 * 2
//     return v3 + v1                           v3 = v3.detach()
//                                              return v3 + v1
//
// The changed gradients make the program a variation. Site: a statement `name = ...` that gives a tensor which requires
// gradients.
#include <fmt/format.h>

#include "core/operators.h"
#include "mutate/engine/mutation.h"
#include "mutate/facts/assigned.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::detach_some_mutation {
namespace {

bool wants_grad(const NameFacts& known) { return known.requires_grad.value_or(false); }

/// The text of the value shows that it is no view of another tensor. A view can't be detached in place, nor written to
/// if it was made without gradients.
bool is_fresh(const Node& value) {
  if (value.is("binary_operator")) return true;
  const Call made = call(value);
  if (!made || !made.object) return false;
  const OperatorFacts* op = find_operator(made.name);
  return op && op->is_new();
}

class DetachSome final : public Mutation {
 public:
  DetachSome()
      : Mutation({"detach_some", "E", Exactness::kVariation, true, "jitprobe",
                  "aliases and outputs of which only some require gradients"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return assignment_sites(parsed, facts, wants_grad);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    Node name = assigned_name(parsed, statement);
    const bool known = choices.note([&] {
      const NameFacts* tensor = assigned_tensor(parsed, facts, statement);
      return tensor && wants_grad(*tensor);
    });
    if (!name || !known) return {};
    Rewrite rewrite(parsed, step_number);
    std::string torch = torch_name(parsed, statement);
    std::string_view text = name.text();
    Node value = assignment(statement).right;
    auto later = reads_behind(parsed, statement, text);
    switch (choices.below(torch.empty() ? 5 : 7)) {
      case 1:
        if (!is_fresh(value)) return detached_behind(rewrite, statement, text);
        rewrite.after(statement, {{fmt::format("{}.detach_()", text)}});
        break;
      case 2:
        rewrite.replace(value, fmt::format("({}).detach()", value.text()));
        break;
      case 3:
      case 4:
        if (later.empty()) return detached_behind(rewrite, statement, text);
        rewrite.replace(choices.pick(later), fmt::format("{}.detach()", text));
        break;
      case 5:
      case 6:
        // A view that was made without gradients must not be written to while gradients are on.
        if (!is_fresh(value)) return detached_behind(rewrite, statement, text);
        rewrite.before(
            statement,
            {{fmt::format("with {}.{}:", torch, choices.chance(3, 4) ? "no_grad()" : "set_grad_enabled(False)")}});
        rewrite.indent(statement, statement);
        break;
      default:
        return detached_behind(rewrite, statement, text);
    }
    return rewrite.edits();
  }

 private:
  static EditSet detached_behind(Rewrite& rewrite, const Statement& statement, std::string_view text) {
    rewrite.after(statement, {{fmt::format("{0} = {0}.detach()", text)}});
    return rewrite.edits();
  }

  /// Reads after the statement that may be replaced by a call.
  static std::vector<Node> reads_behind(const Parsed& parsed, const Statement& statement, std::string_view name) {
    std::vector<Node> found;
    int scope = parsed.scopes().scope_of(statement);
    for (const Use& use : parsed.scopes().uses_of(scope, name)) {
      if (use.kind != Use::Kind::kRead || use.node.begin() < statement.end || use.scope != scope) continue;
      if (in_string(parsed, use.node.begin()) || assignment(use.node.parent()).augmented()) continue;
      found.push_back(use.node);
    }
    return found;
  }
};

const Register<Mutation, DetachSome> registered;

}  // namespace
}  // namespace jp::mutate::detach_some_mutation
