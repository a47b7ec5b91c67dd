#include "mutate/names/own_code.h"

#include <algorithm>
#include <array>

#include "core/among.h"
#include "mutate/names/scopes.h"

namespace jp::mutate {
namespace {

constexpr auto kAdvance = std::to_array<std::string_view>({"next", "send", "throw", "__next__", "anext", "asend"});

constexpr auto kFill =
    std::to_array<std::string_view>({"append", "appendleft", "add", "extend", "insert", "update", "setdefault",
                                     "setattr", "__setitem__", "put", "put_nowait", "heappush"});

/// Builtins that draw from an iterator or call what they are given.
constexpr auto kDraw =
    std::to_array<std::string_view>({"next", "list", "tuple", "set", "dict", "sum", "any", "all", "sorted", "min",
                                     "max", "map", "filter", "zip", "enumerate", "iter", "reduce", "getattr"});

constexpr auto kLazy =
    std::to_array<std::string_view>({"yield", "__next__", "__iter__", "__enter__", "__getattr__", "property"});

/// Special methods that only a call by name runs, or that change nothing in sane programs.
constexpr auto kNamed = std::to_array<std::string_view>({"__init__", "__call__", "__repr__", "__str__", "__len__"});

/// Draws from an iterator, or enters a context.
bool draws(const Node& node) {
  return node.is("for_in_clause") || node.is("list_splat") || node.is("for_statement") || node.is("with_statement");
}

bool mentions(const Node& node, const auto& names) {
  for (const Node inner : nodes_of(node))
    if (inner.is("identifier") && names(inner.text())) return true;
  return false;
}

bool is_literal(const Node& value) {
  return value && (is_number(value) || value.is("string") || value.is("true") || value.is("false") ||
                   value.is("none") || value.is("concatenated_string"));
}

/// The name that a definition binds, or the target of an assignment to a name or an attribute.
std::string_view bound_name(const Statement& statement, Node& value) {
  if (const std::string_view name = defined_name(statement); !name.empty()) {
    value = statement.definition();
    return name;
  }
  const Assignment made = assignment(statement);
  value = made.right;
  if (!made.left || !made.right) return "";
  if (const Attribute target = attribute(made.left)) return target.name;
  return made.left.is("identifier") ? made.left.text() : "";
}

/// What is made of an advancing function may advance too; what that function has given need not.
bool is_made_of(const Node& value, const NameSet& advancing) {
  for (const Node inner : nodes_of(value))
    if (inner.is("identifier") && advancing.contains(inner.text()) && !is_called(inner)) return true;
  return false;
}

/// A variable of the scope that holds more than a number or a text, a function, a class or a module.
bool is_shared_state(const Parsed& parsed, int owner, std::string_view name) {
  for (const Use& use : parsed.scopes().uses_of(owner, name)) {
    if (use.kind != Use::Kind::kBind) continue;
    const Statement* at = parsed.statement_at(use.node.begin());
    if (!at) return true;
    // A parameter is bound by the definition too, and may hold anything.
    const bool defined = !defined_name(*at).empty() && at->definition().field("name") == use.node;
    if (is_import(at->node) || defined) continue;
    const Assignment made = assignment(*at);
    if (!made.left || !made.right || !made.left.is("identifier")) return true;
    if (!is_literal(made.right) && !made.right.is("lambda")) return true;
  }
  return false;
}

/// Words of files in which objects keep values that no facts show.
constexpr auto kHides =
    std::to_array<std::string_view>({"partial", "partialmethod", "__slots__", "lru_cache", "cached_property"});

/// `@functools.cache`, or a cache of the file's own.
bool is_cache(const Node& node) { return node.is("decorator") && contains(node.text(), "cache"); }

/// The default of a parameter is a literal, a sequence of literals, an empty dict, or something of another module.
bool holds_nothing(const Node& value, const NameSet& imported) {
  if (is_literal(value) || (value.is("dictionary") && value.children().empty())) return true;
  if (attribute(value) || value.is("identifier")) return imported.contains(path_root(value).text());
  const NodeRange items = value.children();
  return is_sequence(value) && std::all_of(items.begin(), items.end(), is_literal);
}

/// The use stands in a function or lambda that is nested in the scope.
bool in_nested_function(const Scopes& scopes, const Use& use) {
  for (int at = use.scope; at >= 0 && at != use.owner; at = scopes.scope(at).parent) {
    const Scope::Kind kind = scopes.scope(at).kind;
    if (kind == Scope::Kind::kFunction || kind == Scope::Kind::kLambda) return true;
  }
  return false;
}

bool in_lambda(const Node& node, const Statement& statement) {
  for (Node up = node.parent(); up && up.begin() >= statement.begin; up = up.parent())
    if (up.is("lambda")) return true;
  return false;
}

/// In `a if c else b`, c comes later in the text but is evaluated first.
bool is_conditional(const Node& node, const Statement& statement) {
  for (Node up = node.parent(); up && up.begin() >= statement.begin; up = up.parent())
    if (up.is("conditional_expression")) return true;
  return false;
}

/// Such code makes the program's arguments or an object, before anything of the program runs.
bool only_prepares(const Parsed& parsed, const Statement& statement) {
  for (int up = statement.function; up >= 0; up = parsed.statement(up).function) {
    const std::string_view name = defined_name(parsed.statement(up));
    if (name == "__init__" || among(parsed.program().helpers(), name)) return true;
  }
  return false;
}

}  // namespace

bool fills_container(std::string_view name) { return among(kFill, name); }

bool advances_iterator(std::string_view name) { return among(kAdvance, name); }

bool holds_lambda(const Node& node) {
  for (const Node inner : nodes_of(node))
    if (inner.is("lambda")) return true;
  return false;
}

bool is_custom_operator(std::string_view function) {
  const std::size_t at = function.find(".ops.");
  if (at == std::string_view::npos) return false;
  const std::string_view path = function.substr(at + 5);
  return !path.starts_with("aten.") && !path.starts_with("prims.") && !path.starts_with("higher_order.");
}

OwnCode::OwnCode(const Parsed& parsed) {
  lazy_ = parsed.has_any<kLazy>();
  find_names(parsed);
  find_advancing(parsed);
  find_keeping(parsed);
  find_defaults(parsed);
  find_closures(parsed);
}

void OwnCode::find_names(const Parsed& parsed) {
  for (const std::string& name : imported_names(parsed.tree())) imported_.insert(name);
  for (const std::string_view torch : parsed.scopes().torch_names()) imported_.insert(torch);
  for (const Statement& statement : parsed.statements()) {
    if (const std::string_view name = defined_name(statement); !name.empty()) {
      unnamed_ = unnamed_ || (name.starts_with("__") && name.ends_with("__") && !among(kNamed, name));
      const bool method = parsed.scopes().scope(parsed.scopes().scope_of(statement)).kind == Scope::Kind::kClass;
      (method ? methods_ : functions_).insert(name);
      continue;
    }
    const Assignment made = assignment(statement);
    const Attribute target = made ? attribute(made.left) : Attribute();
    if (!target || !made.right || is_literal(made.right)) continue;
    // Torch's own modules run no code of the file.
    const Node root = path_root(call(made.right) ? call(made.right).function : made.right);
    if (!imported_.contains(root.text())) methods_.insert(target.name);
  }
}

void OwnCode::find_advancing(const Parsed& parsed) {
  if (!parsed.has_any<kAdvance>()) return;
  for (bool grows = true; grows;) {
    grows = false;
    for (const Statement& statement : parsed.statements()) {
      Node value;
      const std::string_view name = bound_name(statement, value);
      if (name.empty() || advancing_.contains(name)) continue;
      const bool code = !defined_name(statement).empty() || value.is("lambda");
      const bool advances =
          code ? mentions(value,
                          [&](std::string_view word) {
                            return among(kAdvance, word) || (word != name && advancing_.contains(word));
                          })
               : is_made_of(value, advancing_);
      if (advances) grows = advancing_.insert(name) || grows;
    }
  }
}

void OwnCode::find_keeping(const Parsed& parsed) {
  for (const Statement& statement : parsed.statements()) {
    if (!statement.simple || only_prepares(parsed, statement)) continue;
    for (const Node node : nodes_of(statement.node)) {
      const Call made = call(node);
      const bool target = is_target(node) && (node.is("subscript") || attribute(node));
      if (!target && !(made && fills_container(made.name))) continue;
      if (in_lambda(node, statement)) keep_.insert(-1);
      if (statement.function >= 0) keep_.insert(statement.function);
    }
  }
  const Scopes& scopes = parsed.scopes();
  for (const Use& use : scopes.uses()) {
    if (use.owner != 0 || use.scope == 0) continue;
    const Statement* at = parsed.statement_at(use.node.begin());
    if (!at || only_prepares(parsed, *at) || !is_shared_state(parsed, 0, use.name)) continue;
    // The body of a class runs before the program does.
    if (at->function >= 0) keep_.insert(at->function);
    if (in_lambda(use.node, *at)) keep_.insert(-1);
  }
}

void OwnCode::find_defaults(const Parsed& parsed) {
  if (parsed.has_any<kHides>()) keep_.insert(-1);
  for (const Node node : nodes_of(parsed.tree())) {
    if (is_cache(node)) keep_.insert(-1);
    if (!node.is("default_parameter") && !node.is("typed_default_parameter")) continue;
    const Node value = node.field("value");
    if (holds_nothing(value, imported_) || functions_.contains(value.text())) continue;
    const Statement* at = parsed.statement_at(node.begin());
    keep_.insert(at && defines_function(*at) ? at->index : -1);
  }
}

void OwnCode::find_closures(const Parsed& parsed) {
  const Scopes& scopes = parsed.scopes();
  for (const Use& use : scopes.uses()) {
    if (use.owner <= 0 || use.scope == use.owner || !in_nested_function(scopes, use)) continue;
    if (!is_shared_state(parsed, use.owner, use.name)) continue;
    const Scope& owner = scopes.scope(use.owner);
    const Statement* at = owner.kind == Scope::Kind::kFunction ? parsed.statement_at(owner.node.begin()) : nullptr;
    shared_.insert(at ? at->index : -1);
  }
}

bool OwnCode::runs(const Parsed& parsed, const Statement& statement, const Call& made) const {
  // It only keeps what it is given.
  if (made.name == "partial") return false;
  const auto own = [&](std::string_view name) { return functions_.contains(name); };
  const Node root = path_root(made.function);
  if (root.is("identifier") && imported_.contains(root.text())) {
    // Custom operators, and functions that call what they are given.
    return is_custom_operator(made.function.text()) || mentions(made.arguments, own) || holds_lambda(made.arguments);
  }
  if (made.object) return methods_.contains(made.name) || mentions(made.arguments, own);
  if (!root.is("identifier")) return true;
  if (parsed.scopes().resolve(made.name, parsed.scopes().scope_of(statement)) >= 0) return true;
  return among(kDraw, made.name) && (lazy_ || mentions(made.arguments, own));
}

bool OwnCode::may_run(const Parsed& parsed, const Statement& statement) const {
  if (unnamed_) return true;
  for (const Node inner : nodes_of(statement.node, {"block"})) {
    const Call made = call(inner);
    if (made ? made.function.is("identifier") || runs(parsed, statement, made)
             : lazy_ && (draws(inner) || is_target_tuple(inner)))
      return true;
  }
  return false;
}

bool OwnCode::runs_before(const Parsed& parsed, const Statement& statement, const Node& node) const {
  for (const Node inner : nodes_of(statement.node, {"block", "lambda", "string"})) {
    const Call made = call(inner);
    if (!made && !(lazy_ && draws(inner))) continue;
    const bool earlier =
        inner.end() <= node.begin() || (inner.begin() >= node.end() && is_conditional(inner, statement));
    if (earlier && (!made || runs(parsed, statement, made))) return true;
  }
  return false;
}

bool rebinds_before(const Parsed& parsed, const Statement& statement, const Node& name) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  const int owner = scopes.resolve(name.text(), scope);
  if (owner < 0) return false;
  const auto uses = scopes.uses_of(owner, name.text());
  const bool elsewhere = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    const int frame = scopes.frame(use.scope);
    return use.kind != Use::Kind::kRead && frame != scopes.frame(scope) && !(frame == 0 && owner == 0);
  });
  return elsewhere && parsed.own_code().runs_before(parsed, statement, name);
}

bool OwnCode::keeps_values(const Statement& statement) const {
  const auto other = [&](int function) { return function != statement.function; };
  return std::any_of(keep_.begin(), keep_.end(), other) || std::any_of(shared_.begin(), shared_.end(), other);
}

bool may_advance(const Parsed& parsed, const Node& node) {
  return parsed.has_any<kAdvance>() && parsed.own_code().mentions_advancing(node);
}

bool OwnCode::mentions_advancing(const Node& node) const {
  return !advancing_.empty() && mentions(node, [&](std::string_view word) { return advancing_.contains(word); });
}

}  // namespace jp::mutate
