#include "mutate/names/moved_code.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/among.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

constexpr auto kUnbound =
    std::to_array<std::string_view>({"NameError", "UnboundLocalError", "exc_info", "exception", "format_exc"});

/// The handler may be that of a NameError.
bool may_catch_unbound(const Node& clause, const Node& target) {
  static constexpr auto kClasses =
      std::to_array<std::string_view>({"Exception", "BaseException", "NameError", "UnboundLocalError"});
  for (const Node node : nodes_of(clause)) {
    if (node.begin() >= target.begin()) break;
    const bool variable = node.is("identifier") && !std::isupper(static_cast<unsigned char>(node.text().front()));
    if (variable || (node.is("identifier") && among(kClasses, node.text()))) return true;
  }
  return false;
}

/// The handler of any exception reads it otherwise than to raise it again.
bool looks_at_exception(const Scopes& scopes, const Use& bound) {
  Node clause = bound.node.parent();
  while (clause.is("as_pattern") || clause.is("as_pattern_target")) clause = clause.parent();
  if (bound.kind != Use::Kind::kBind || !clause.is("except_clause") || !may_catch_unbound(clause, bound.node))
    return false;
  const auto uses = scopes.uses_in(bound.node.end(), clause.end());
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    return use.name == bound.name && use.kind == Use::Kind::kRead && !use.node.parent().is("raise_statement");
  });
}

bool tells_exceptions(const Parsed& parsed) {
  if (parsed.has_any<kUnbound>()) return true;
  if (!parsed.has_word("except")) return false;
  const auto& uses = parsed.scopes().uses();
  return std::any_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return looks_at_exception(parsed.scopes(), use); });
}

/// Follows where a value goes, as far as syntax shows it, to where its qualified name can be seen.
class Shown {
 public:
  Shown(const Parsed& parsed, bool makes_objects) : parsed_(parsed), makes_objects_(makes_objects) {}

  /// `variable`: some read of it shows the value.
  bool by_name(int owner, std::string_view name, int depth = 0) const {
    const auto uses = parsed_.scopes().uses_of(owner, name);
    return std::any_of(uses.begin(), uses.end(),
                       [&](const Use& use) { return use.kind == Use::Kind::kRead && by_value(use.node, depth); });
  }

  bool by_value(Node node, int depth = 0) const {
    while (const Node around = node.parent()) {
      if (around.is("interpolation")) return true;
      if (around.is("return_statement")) return returns_outside(around);
      if (const Assignment made = assignment(around)) return is_assigned(made, node, depth);
      if (const Operation made = operation(around)) return made.symbol() == "%" && made.left.is("string");
      if (is_called(node)) {
        // What a class gives names it; what a function gives doesn't.
        if (!makes_objects_) return false;
        node = around;
        continue;
      }
      if (const Attribute read = attribute(around)) {
        if (read.name != "__class__") return false;
      } else if (around.is("argument_list")) {
        const Call made = call(around.parent());
        static constexpr auto kTexts = std::to_array<std::string_view>({"str", "repr", "print", "format", "ascii"});
        static constexpr auto kHolds =
            std::to_array<std::string_view>({"type", "list", "tuple", "dict", "set", "frozenset"});
        if (among(kTexts, made.name)) return true;
        if (!among(kHolds, made.name)) return false;
        node = around.parent();
        continue;
      } else if (!passes_on(around)) {
        return false;
      }
      node = around;
    }
    return false;
  }

 private:
  static bool passes_on(const Node& around) {
    static constexpr auto kKinds = std::to_array<std::string_view>(
        {"parenthesized_expression", "tuple", "list", "set", "expression_list", "pair", "dictionary",
         "conditional_expression", "keyword_argument", "boolean_operator"});
    return among(kKinds, around.kind());
  }

  /// The entry, or the `forward` of its module, returns it to the caller.
  bool returns_outside(const Node& statement) const {
    const Statement* at = parsed_.statement_at(statement.begin());
    if (!at || at->function < 0) return false;
    const std::string_view function = defined_name(parsed_.statement(at->function));
    return function == parsed_.program().entry() || function == "forward";
  }

  bool is_assigned(const Assignment& made, const Node& node, int depth) const {
    if (made.right != node || !made.left.is("identifier")) return false;
    const Statement* at = parsed_.statement_at(node.begin());
    const Scopes& scopes = parsed_.scopes();
    if (!at || depth > 2) return false;
    const int owner = scopes.resolve(made.left.text(), scopes.scope_of(*at));
    if (owner == 0 && at->function >= 0) return true;
    return owner >= 0 && by_name(owner, made.left.text(), depth + 1);
  }

  const Parsed& parsed_;
  bool makes_objects_;
};

}  // namespace

bool shows_unbound(const Parsed& parsed, const Statement& statement, const Part& part) {
  const Scopes& scopes = parsed.scopes();
  const int frame = scopes.scope_of(statement);
  const auto uses = scopes.uses_in(part.begin, part.end);
  const bool reads = std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.kind != Use::Kind::kRead || use.owner != frame || scopes.frame(use.scope) != frame) return false;
    const Statement* at = parsed.statement_at(use.node.begin());
    return !at || !parsed.surely_bound(*at).contains(use.name);
  });
  return reads && tells_exceptions(parsed);
}

bool shows_qualified_name(const Parsed& parsed, const Node& node) {
  const bool is_class = node.is("class_definition");
  if (node.is("lambda")) return parsed.has_word("__qualname__") || Shown(parsed, false).by_value(node);
  if (!is_class && !node.is("function_definition")) return false;
  if (parsed.has_word("__qualname__")) return true;
  const Statement* statement = parsed.statement_at(node.begin());
  if (!statement) return false;
  const Scopes& scopes = parsed.scopes();
  const std::string_view name = node.field("name").text();
  const int owner = scopes.resolve(name, scopes.scope_of(*statement));
  return owner >= 0 && Shown(parsed, is_class).by_name(owner, name);
}

bool holds_qualified_name(const Parsed& parsed, const Node& node) {
  for (const Node inner : nodes_of(node))
    if (inner.named() && shows_qualified_name(parsed, inner)) return true;
  return false;
}

}  // namespace jp::mutate
