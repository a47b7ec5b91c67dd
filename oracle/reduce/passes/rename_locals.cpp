// Names get short: the entry's arguments x, y, z, other variables a, b, c, functions of the file f, g, h:
//
//     def program(v0, v17):               def program(x, y):
//         v29 = torch.relu(v0)                a = torch.relu(x)
//
// Names that the contract of program files gives, attributes, and names that may be asked for at run time stay.
#include <array>
#include <map>
#include <set>

#include "mutate/inputs.h"
#include "mutate/layout.h"
#include "mutate/scopes.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce {
namespace {

using mutate::Scope;
using mutate::Use;

/// The uses of a variable if all of them can be written anew, else nothing.
std::vector<Node> places_of(const Parsed& parsed, int owner, std::string_view name) {
  const auto& scopes = parsed.scopes();
  std::vector<Node> places;
  for (int index : scopes.uses_of(owner, name)) {
    Node node = scopes.uses()[static_cast<std::size_t>(index)].node;
    Node around = node.parent();
    bool import = around.is("dotted_name") || around.is("aliased_import") || around.is("import_from_statement");
    if (!node.is("identifier") || import || node.text() != name) return {};
    places.push_back(node);
  }
  return places;
}

class RenameLocals final : public Pass {
 public:
  RenameLocals() : Pass({"rename_locals", Tier::kPolish, false, "long names"}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    if (mutate::watches_itself(parsed)) return proposals;
    const auto& scopes = parsed.scopes();
    const mutate::NameSet fixed = fixed_names(parsed);
    std::set<std::pair<int, std::string_view>> seen;
    std::set<std::string> taken;
    for (const Use& use : scopes.uses()) {
      if (use.kind != Use::Kind::kBind || use.owner < 0 || !seen.insert({use.owner, use.name}).second) continue;
      const Scope& scope = scopes.scope(use.owner);
      bool module = scope.kind == Scope::Kind::kModule;
      if ((!module && scope.kind != Scope::Kind::kFunction) || scope.dynamic || use.name.size() < 2 ||
          fixed.contains(use.name))
        continue;
      auto places = places_of(parsed, use.owner, use.name);
      std::string short_name = fresh(parsed, pool_for(use), taken);
      if (places.empty() || short_name.empty()) continue;
      // An augmented assignment uses its name twice at one place.
      EditSet edits;
      bool fits = true;
      for (const Node& place : places) fits = fits && put(edits, place.begin(), place.end(), short_name);
      if (!fits) continue;
      taken.insert(short_name);
      proposals.push_back(std::move(edits));
    }
    return proposals;
  }

 private:
  /// Names of the contract, and names that stand where no scope sees them: keywords of calls, declarations, strings'
  /// words are left to chance.
  static mutate::NameSet fixed_names(const Parsed& parsed) {
    mutate::NameSet fixed = {parsed.program().entry(),
                             parsed.program().inputs(),
                             "before_call",
                             "observe",
                             "COMPILE_OPTIONS",
                             "self",
                             "cls"};
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (node.is("keyword_argument") && node.named()) fixed.insert(node.field("name").text());
      if (!node.named() || (!node.is("global_statement") && !node.is("nonlocal_statement"))) continue;
      for (const Node& name : node.children()) fixed.insert(name.text());
    }
    return fixed;
  }

  static std::string_view pool_for(const Use& use) {
    Node around = use.node.parent();
    if (around.is("function_definition") || around.is("class_definition")) return "fghpq";
    bool parameter = around.is("parameters") || around.is("typed_parameter") || around.is("default_parameter");
    return parameter ? "xyzwuvst" : "abcdeijklmnor";
  }

  static std::string fresh(const Parsed& parsed, std::string_view pool, const std::set<std::string>& taken) {
    for (char c : pool)
      if (std::string name(1, c); !parsed.has_word(name) && !taken.contains(name)) return name;
    return "";
  }
};

const Register<Pass, RenameLocals> registered;

}  // namespace
}  // namespace jp::reduce
