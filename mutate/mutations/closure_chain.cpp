// A function is made or called through extra layers. Its definition moves into a new function that makes it:
//
//     def helper(t):               def make7():
//         return t * 2                 def helper(t):
//                                          return t * 2
//                                      return helper
//                                  helper = make7()
//
// Or its body becomes an inner function that it only calls; or it is renamed, and a new function that only calls it
// takes its name; or an otherwise empty function returns it, and its calls go through that. This applies to
// module-level and nested functions; the entry and methods only get an inner function, so that their signature stays. A
// function that mentions itself gets no further frame, since recursion would exceed Python's limit. The result is
// unchanged bit for bit. Site path: "".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/among.h"
#include "mutate/engine/mutation.h"
#include "mutate/names/moved_code.h"
#include "mutate/outline/signature.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::closure_chain_mutation {
namespace {

enum Form : std::uint64_t { kFactory, kInner, kProxy, kGetter };

/// A definition and what is known of it.
struct Definition {
  const Statement* statement = nullptr;
  Node node;  // the function_definition
  std::string name;
  int scope = 0;  // the scope whose variable it is
  bool method = false;
  std::vector<Form> forms;
};

/// Lines may be put beside the statement: it is at an insertion point of a function, or at module level.
bool beside(const Parsed& parsed, const Statement& statement) {
  if (insertion_point(parsed, statement)) return true;
  const Scopes& scopes = parsed.scopes();
  return statement.own_lines && statement.function < 0 && scopes.scope_of(statement) == 0 && !scopes.scope(0).dynamic;
}

bool holds(const Node& node, std::initializer_list<std::string_view> kinds) {
  for (const Node inner : nodes_of(node))
    if (std::find(kinds.begin(), kinds.end(), inner.kind()) != kinds.end()) return true;
  return false;
}

/// The first statement of its body that is no docstring, if the body can become a function of its own.
const Statement* inner_begin(const Parsed& parsed, const Definition& definition) {
  const Statement* at = parsed.statement_at(definition.node.field("body").children().front().begin());
  if (!at || !at->own_lines || definition.node.has_token("async")) return nullptr;
  if (!insertion_point(parsed, *at)) at = next_in_block(parsed, *at);
  if (!at || !insertion_point(parsed, *at) || definition.node.field("type_parameters")) return nullptr;
  // Decorators of torch treat generator functions specially.
  bool decorated = definition.statement->kind() == "decorated_definition";
  if (decorated && holds(definition.node, {"yield"})) return nullptr;
  if (mentions_any(definition.node.field("body"), {"super", "__class__", definition.name})) return nullptr;
  if (holds_qualified_name(parsed, definition.node.field("body"))) return nullptr;
  const Block& block = parsed.blocks()[static_cast<std::size_t>(at->block)];
  return parsed.statement(block.statements.back()).own_lines ? at : nullptr;
}

/// The reads of its name that are calls and run after the definition: in functions, or further down.
std::vector<Node> calls_of(const Parsed& parsed, const Definition& definition) {
  std::vector<Node> found;
  for (const Use& use : parsed.scopes().uses_of(definition.scope, definition.name)) {
    const bool called = use.kind == Use::Kind::kRead && is_called(use.node);
    const Statement* at = parsed.statement_at(use.node.begin());
    // Contract functions may be called directly; decorators and defaults are evaluated before the definition exists.
    if (!called || !at || at->kind() == "function_definition" || at->kind() == "decorated_definition") continue;
    if (at->function < 0 && use.node.begin() < definition.statement->end) continue;
    found.push_back(use.node);
  }
  return found;
}

/// The definition is the only binding of its name, and nothing deletes the name.
bool bound_once(const Parsed& parsed, const Definition& definition) {
  const Scopes& scopes = parsed.scopes();
  if (scopes.bindings(definition.scope, definition.name) != 1) return false;
  const auto uses = scopes.uses_of(definition.scope, definition.name);
  return std::none_of(uses.begin(), uses.end(), [](const Use& use) { return use.kind == Use::Kind::kDelete; });
}

/// The function object itself is never used as a value, so its own name can't show in what is returned or stored.
bool only_called(const Parsed& parsed, const Definition& definition) {
  const Scopes& scopes = parsed.scopes();
  const auto uses = scopes.uses_of(definition.scope, definition.name);
  return std::all_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return use.kind != Use::Kind::kRead || is_called(use.node); });
}

bool mentions_itself(const Parsed& parsed, const Definition& definition) {
  auto uses = parsed.scopes().uses_in(definition.statement->begin, definition.statement->end);
  return std::count_if(uses.begin(), uses.end(), [&](const Use& use) { return use.name == definition.name; }) > 1;
}

Definition read_definition(const Parsed& parsed, const Statement& statement) {
  Definition found;
  found.node = statement.definition();
  if (!found.node.is("function_definition") || uses_introspection(parsed) || !statement.own_lines) return found;
  found.statement = &statement;
  found.name = std::string(found.node.field("name").text());
  const Scopes& scopes = parsed.scopes();
  found.scope = scopes.scope_of(statement);
  found.method = scopes.scope(found.scope).kind == Scope::Kind::kClass;
  bool global = found.scope == 0;
  if (global && among(parsed.program().helpers(), found.name)) return found;
  if (inner_begin(parsed, found)) found.forms.push_back(kInner);
  if (found.method || (global && found.name == parsed.program().entry()) || !beside(parsed, statement)) return found;
  // A name that is declared global or nonlocal belongs to another scope than the statement's.
  bool own = scopes.scope(found.scope).bound.contains(found.name) || global;
  if (!own || !bound_once(parsed, found) || found.node.field("type_parameters")) return found;
  bool async = found.node.has_token("async");
  bool decorated = statement.kind() == "decorated_definition";
  std::size_t head = found.node.field("body").begin();
  auto uses = scopes.uses_in(statement.begin, head);
  bool binds = std::any_of(uses.begin(), uses.end(), [](const Use& use) { return use.conditional; });
  if (!binds && !holds_qualified_name(parsed, found.node) && !holds(found.node.field("parameters"), {"yield", "await"}))
    found.forms.push_back(kFactory);
  bool named = parsed.has_word("__name__") || parsed.has_word("__defaults__") || parsed.has_word("library");
  named = named || holds_qualified_name(parsed, found.node.field("body"));
  if (!decorated && !async && !named && !mentions_itself(parsed, found) && only_called(parsed, found))
    found.forms.push_back(kProxy);
  if (!calls_of(parsed, found).empty()) found.forms.push_back(kGetter);
  return found;
}

void make_factory(Rewrite& rewrite, const Definition& definition) {
  std::string make = rewrite.name("make");
  wrap(rewrite, {definition.statement, definition.statement},
       {{{"def " + make + "():"}},
        1,
        {{"return " + definition.name, 1}, {fmt::format("{} = {}()", definition.name, make)}}});
}

void make_inner(Rewrite& rewrite, const Parsed& parsed, const Definition& definition) {
  const Statement* first = inner_begin(parsed, definition);
  const Statement* last = first;
  while (const Statement* next = next_in_block(parsed, *last)) last = next;
  std::string inner = rewrite.name("inner");
  int scope = parsed.scopes().scope_of_node(definition.node);
  std::vector<std::string> parameters;
  for (const Use& use : parsed.scopes().uses_in(definition.node.field("parameters").begin(), first->begin))
    if (use.owner == scope && use.scope == scope && use.kind == Use::Kind::kBind &&
        parsed.scopes().scope(scope).parameters.contains(use.name))
      parameters.emplace_back(use.name);
  std::string arguments = fmt::format("({})", fmt::join(parameters, ", "));
  wrap(rewrite, {first, last}, {{{"def " + inner + arguments + ":"}}, 1, {{"return " + inner + arguments}}});
}

void make_proxy(Rewrite& rewrite, const Definition& definition) {
  std::string renamed = rewrite.name(definition.name + "_");
  rewrite.replace(definition.node.field("name"), renamed);
  rewrite.after(*definition.statement, {{fmt::format("def {}(*args, **kwargs):", definition.name)},
                                        {fmt::format("return {}(*args, **kwargs)", renamed), 1}});
}

void make_getter(Rewrite& rewrite, const Parsed& parsed, const Definition& definition, Choices& choices) {
  std::string get = rewrite.name("get");
  rewrite.after(*definition.statement, {{"def " + get + "():"}, {"return " + definition.name, 1}});
  auto calls = calls_of(parsed, definition);
  std::size_t always = choices.below(calls.size());
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (i == always || choices.chance(1, 2)) rewrite.replace(calls[i], get + "()");
}

class ClosureChain final : public Mutation {
 public:
  ClosureChain()
      : Mutation({"closure_chain", "C", Exactness::kBitwise, false, "HirGen",
                  "functions that are made by functions: cells and globals that are resolved through several frames"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    return statement_sites(parsed, [&](const Statement& statement) {
      return !defined_name(statement).empty() && !read_definition(parsed, statement).forms.empty();
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    Definition definition = read_definition(parsed, *parsed.find(site.statement));
    if (definition.forms.empty()) return {};
    Rewrite rewrite(parsed, step_number);
    switch (choices.pick(definition.forms)) {
      case kFactory:
        make_factory(rewrite, definition);
        break;
      case kInner:
        make_inner(rewrite, parsed, definition);
        break;
      case kProxy:
        make_proxy(rewrite, definition);
        break;
      case kGetter:
        make_getter(rewrite, parsed, definition, choices);
    }
    return rewrite.edits();
  }
};

const Register<Mutation, ClosureChain> registered;

}  // namespace
}  // namespace jp::mutate::closure_chain_mutation
