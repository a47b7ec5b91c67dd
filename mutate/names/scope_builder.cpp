#include "mutate/names/scope_builder.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/check.h"

namespace jp::mutate {
namespace {

constexpr std::array<std::string_view, 5> kDynamic = {"locals", "vars", "dir", "eval", "exec"};

/// The constructs that matter for scopes. The builder visits every node of a file once and so dispatches on kinds of
/// nodes by itself instead of asking queries.h one question after another.
enum class Construct : std::uint8_t {
  kOther,
  kIdentifier,
  kFunction,
  kClass,
  kComprehension,
  kAssignment,
  kImport,
  kDeclaration,
  kExcept,
  kAttribute,
  kKeywordArgument,
  kNamedExpression,
  kDelete,
  kFor,
  kAs,
  kCase,
  kTypeAlias,
};

constexpr auto kConstructs = std::to_array<std::pair<std::string_view, Construct>>({
    {"identifier", Construct::kIdentifier},
    {"function_definition", Construct::kFunction},
    {"lambda", Construct::kFunction},
    {"class_definition", Construct::kClass},
    {"list_comprehension", Construct::kComprehension},
    {"dictionary_comprehension", Construct::kComprehension},
    {"set_comprehension", Construct::kComprehension},
    {"generator_expression", Construct::kComprehension},
    {"assignment", Construct::kAssignment},
    {"augmented_assignment", Construct::kAssignment},
    {"import_statement", Construct::kImport},
    {"import_from_statement", Construct::kImport},
    {"future_import_statement", Construct::kImport},
    {"global_statement", Construct::kDeclaration},
    {"nonlocal_statement", Construct::kDeclaration},
    {"except_clause", Construct::kExcept},
    {"except_group_clause", Construct::kExcept},
    {"attribute", Construct::kAttribute},
    {"keyword_argument", Construct::kKeywordArgument},
    {"named_expression", Construct::kNamedExpression},
    {"delete_statement", Construct::kDelete},
    {"for_statement", Construct::kFor},
    {"as_pattern", Construct::kAs},
    {"case_clause", Construct::kCase},
    {"type_alias_statement", Construct::kTypeAlias},
});

/// Looked up by the grammar's numbers, since this is called for every node.
Construct construct_of(const Node& node) {
  static const std::vector<Construct> by_number = [] {
    std::vector<Construct> table;
    for (const auto& [name, construct] : kConstructs) {
      const std::size_t number = kind_number(name);
      JP_CHECK(number != 0, "the grammar has no {}", name);
      if (number >= table.size()) table.resize(number + 1);
      table[number] = construct;
    }
    return table;
  }();
  return node.number() < by_number.size() ? by_number[node.number()] : Construct::kOther;
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> of) {
  return std::find(of.begin(), of.end(), text) != of.end();
}

}  // namespace

void ScopeBuilder::build(const Parsed& parsed) {
  int module = open(Scope::Kind::kModule, parsed.tree().root(), -1);
  walk_children(parsed.tree().root(), module);
  resolve_all();
  // Statements belong to the scope of the innermost definition around them.
  for (const Statement& statement : parsed.statements()) {
    int scope = module;
    for (int up = statement.parent; up >= 0 && scope == module; up = parsed.statement(up).parent) {
      int found = to_.scope_of_node(parsed.statement(up).definition());
      if (found >= 0) scope = found;
    }
    to_.statement_scope_.push_back(scope);
  }
}

int ScopeBuilder::open(Scope::Kind kind, const Node& node, int parent) {
  Scope scope;
  scope.kind = kind;
  scope.node = node;
  scope.parent = parent;
  to_.by_node_.emplace(node.index(), static_cast<int>(to_.scopes_.size()));
  to_.scopes_.push_back(std::move(scope));
  return static_cast<int>(to_.scopes_.size()) - 1;
}

void ScopeBuilder::use(const Node& identifier, Use::Kind kind, int scope, bool conditional) {
  to_.uses_.push_back({identifier.text(), kind, identifier, scope, -1, conditional});
  if (kind == Use::Kind::kRead) return;
  Scope& here = to_.scopes_[scope];
  if (!here.globals.contains(identifier.text()) && !here.nonlocals.contains(identifier.text()))
    here.bound.insert(identifier.text());
}

void ScopeBuilder::walk_children(const Node& node, int scope) {
  for (const Node& child : node.children()) walk(child, scope);
}

void ScopeBuilder::walk(const Node& node, int scope) {
  switch (construct_of(node)) {
    case Construct::kIdentifier:
      return use(node, Use::Kind::kRead, scope);
    case Construct::kFunction:
      return walk_function(node, scope);
    case Construct::kClass:
      return walk_class(node, scope);
    case Construct::kComprehension:
      return walk_comprehension(node, scope);
    case Construct::kAssignment:
      return walk_assignment(node, scope);
    case Construct::kImport:
      return walk_import(node, scope);
    case Construct::kDeclaration:
      return walk_declaration(node, scope);
    case Construct::kExcept:
      return walk_except(node, scope);
    case Construct::kAttribute:
      return walk(node.field("object"), scope);
    case Construct::kKeywordArgument:
      return walk(node.field("value"), scope);
    case Construct::kNamedExpression:
      return walk_named(node, scope);
    case Construct::kDelete:
      for (const Node& child : node.children()) erase(child, scope);
      return;
    case Construct::kFor:
      walk(node.field("right"), scope);
      bind(node.field("left"), scope);
      for (const Node& child : node.children())
        if (child.field_name() == "body" || child.field_name() == "alternative") walk(child, scope);
      return;
    case Construct::kAs: {
      auto children = node.children();
      walk(children.front(), scope);
      if (children.size() > 1) bind(children.back(), scope);
      return;
    }
    case Construct::kCase:
      for (const Node& child : node.children())
        child.is("case_pattern") ? walk_pattern(child, scope) : walk(child, scope);
      return;
    case Construct::kTypeAlias:
      to_.scopes_[scope].dynamic = true;  // these have lazily evaluated scopes: too rare to be modelled
      return;
    case Construct::kOther:
      return walk_children(node, scope);
  }
}

void ScopeBuilder::walk_named(const Node& node, int scope) {
  int binds = scope;
  while (construct_of(to_.scopes_[binds].node) == Construct::kComprehension) binds = to_.scopes_[binds].parent;
  walk(node.field("value"), scope);
  use(node.field("name"), Use::Kind::kBind, binds, true);
  to_.uses_.back().scope = scope;
}

void ScopeBuilder::walk_function(const Node& node, int scope) {
  bool lambda = node.is("lambda");
  if (!lambda) use(node.field("name"), Use::Kind::kBind, scope);
  if (Node type = node.field("return_type")) walk(type, scope);
  int inner = open(lambda ? Scope::Kind::kLambda : Scope::Kind::kFunction, node, scope);
  if (Node parameters = node.field("parameters")) walk_parameters(parameters, scope, inner);
  walk(node.field("body"), inner);
}

void ScopeBuilder::walk_parameters(const Node& parameters, int outer, int inner) {
  for (const Node& parameter : parameters.children()) {
    if (Node value = parameter.field("value")) walk(value, outer);
    if (Node type = parameter.field("type")) walk(type, outer);
    Node name = parameter;
    while (name && !name.is("identifier")) {
      Node inside = name.field("name");
      if (!inside) {
        auto children = name.children();
        inside = children.empty() || name.is("type") ? Node() : children.front();
      }
      name = inside;
    }
    if (!name) continue;  // a bare `*` or `/`
    use(name, Use::Kind::kBind, inner);
    to_.scopes_[inner].parameters.insert(name.text());
  }
}

void ScopeBuilder::walk_class(const Node& node, int scope) {
  use(node.field("name"), Use::Kind::kBind, scope);
  if (Node bases = node.field("superclasses")) walk(bases, scope);
  walk(node.field("body"), open(Scope::Kind::kClass, node, scope));
}

void ScopeBuilder::walk_comprehension(const Node& node, int scope) {
  bool generator = node.is("generator_expression");
  int inner = open(generator ? Scope::Kind::kGenerator : Scope::Kind::kComprehension, node, scope);
  bool first = true;
  for (const Node& child : node.children()) {
    if (!child.is("for_in_clause")) {
      walk(child, inner);
      continue;
    }
    // There may be several fields named "right" (`for x in a, b`), so all children except the targets are walked.
    for (const Node& part : child.children())
      if (part.field_name() != "left") walk(part, first ? scope : inner);
    bind(child.field("left"), inner);
    first = false;
  }
}

void ScopeBuilder::walk_assignment(const Node& node, int scope) {
  if (Node type = node.field("type")) walk(type, scope);
  Node left = node.field("left");
  Node right = node.field("right");
  if (right) walk(right, scope);
  if (!right && left.is("identifier")) {
    // An annotation without a value makes the name local but doesn't bind it.
    to_.scopes_[scope].bound.insert(left.text());
    return;
  }
  // An augmented assignment reads a name before it binds it; the object of an attribute or subscript is read by bind()
  // below.
  if (node.is("augmented_assignment") && left.is("identifier")) walk(left, scope);
  bind(left, scope);
}

void ScopeBuilder::walk_import(const Node& node, int scope) {
  Node module = node.field("module_name");
  bool from = node.is("import_from_statement");
  for (const Node& child : node.children()) {
    if (module && child == module) continue;
    if (child.is("wildcard_import")) to_.scopes_[scope].dynamic = true;
    if (child.is("aliased_import")) use(child.field("alias"), Use::Kind::kBind, scope);
    if (child.is("dotted_name") && (!from || child.field_name() == "name"))
      use(child.children().front(), Use::Kind::kBind, scope);
  }
}

void ScopeBuilder::walk_declaration(const Node& node, int scope) {
  for (const Node& name : node.children()) {
    Scope& here = to_.scopes_[scope];
    auto& declared = node.is("global_statement") ? here.globals : here.nonlocals;
    declared.insert(name.text());
  }
}

void ScopeBuilder::walk_except(const Node& node, int scope) {
  bool target = false;
  for (const Node& token : node.tokens()) {
    if (token.named() && !token.is("comment")) {
      target ? bind(token, scope) : walk(token, scope);
      target = false;
    } else if (token.is("as")) {
      target = true;
    }
  }
}

void ScopeBuilder::walk_pattern(const Node& node, int scope) {
  std::string_view kind = node.kind();
  auto children = node.children();
  if (kind == "identifier") return use(node, Use::Kind::kBind, scope);
  if (kind == "dotted_name") {
    bool captures = children.size() == 1 && node.field_name() != "key" && !node.parent().is("class_pattern");
    if (captures && children.front().text() == "_") return;
    return use(children.front(), captures ? Use::Kind::kBind : Use::Kind::kRead, scope);
  }
  bool keyword = kind == "keyword_pattern";
  for (std::size_t i = keyword ? 1 : 0; i < children.size(); ++i)
    if (children[i].text() != "_") walk_pattern(children[i], scope);
}

void ScopeBuilder::bind(const Node& target, int scope, bool conditional) {
  if (!target) return;
  if (target.is("identifier")) return use(target, Use::Kind::kBind, scope, conditional);
  if (is_any(target.kind(), {"pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list",
                             "list_splat_pattern", "list_splat", "parenthesized_expression", "as_pattern_target"})) {
    for (const Node& child : target.children()) bind(child, scope, conditional);
    return;
  }
  walk(target, scope);
}

void ScopeBuilder::erase(const Node& target, int scope) {
  if (target.is("identifier")) return use(target, Use::Kind::kDelete, scope);
  if (is_any(target.kind(), {"expression_list", "tuple", "list", "parenthesized_expression"})) {
    for (const Node& child : target.children()) erase(child, scope);
    return;
  }
  walk(target, scope);
}

void ScopeBuilder::resolve_all() {
  // A `global` or `nonlocal` declaration may follow other statements, so names that it declares are removed from the
  // bound sets at the end.
  for (Scope& scope : to_.scopes_) {
    for (const auto& name : scope.globals) scope.bound.erase(name);
    for (const auto& name : scope.nonlocals) scope.bound.erase(name);
    for (const auto& name : scope.globals) to_.scopes_[0].bound.insert(name);
  }
  std::stable_sort(to_.uses_.begin(), to_.uses_.end(),
                   [](const Use& one, const Use& other) { return one.node.begin() < other.node.begin(); });
  for (Use& use : to_.uses_) {
    // `:=` inside a comprehension binds in the scope around the comprehension.
    int from = use.scope;
    auto comprehension = [&] {
      return to_.scopes_[from].kind == Scope::Kind::kComprehension || to_.scopes_[from].kind == Scope::Kind::kGenerator;
    };
    while (use.conditional && comprehension()) from = to_.scopes_[from].parent;
    use.owner = to_.resolve(use.name, from);
    bool dynamic = std::find(kDynamic.begin(), kDynamic.end(), use.name) != kDynamic.end() && use.owner < 0;
    for (int up = use.scope; dynamic && up >= 0; up = to_.scopes_[up].parent) to_.scopes_[up].dynamic = true;
  }
}

}  // namespace jp::mutate
