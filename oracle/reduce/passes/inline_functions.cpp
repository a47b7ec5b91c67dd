// Inlines a function of the file where it is called:
//
//     def f(a):                   b = x
//         b = a + 1               b = b + 1
//         return b                y = b
//     y = f(x)
//
// One that only returns an expression is inlined at every call. One with statements must be called once, as a statement
// or the right side of one; names must not clash with those around the call.
#include <fmt/format.h>

#include "core/among.h"
#include "mutate/inputs/inputs.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::inline_functions_pass {
namespace {

using mutate::Use;

struct Function {
  const Statement* statement = nullptr;
  int scope = -1;
  std::vector<Node> parameters;
  std::vector<const Statement*> body;
  /// What it returns, if its last statement is a return.
  Node result;
  std::vector<Node> calls;
};

/// A plain function that is only ever called, with as many plain arguments as it has parameters; nothing for others.
std::optional<Function> plain_function(const Parsed& parsed, const Statement& statement) {
  if (statement.kind() != "function_definition" || !statement.own_lines || statement.node.has_token("async"))
    return std::nullopt;
  const auto& scopes = parsed.scopes();
  const auto& program = parsed.program();
  const std::string_view name = mutate::defined_name(statement);
  if (among(program.contract(), name)) return std::nullopt;
  Function function;
  function.statement = &statement;
  function.scope = scopes.scope_of_node(statement.node);
  function.parameters = statement.node.field("parameters").children();
  for (const Node& parameter : function.parameters)
    if (!parameter.is("identifier")) return std::nullopt;
  const int owner = scopes.scope_of(statement);
  if (scopes.bindings(owner, name) != 1 || scopes.scope(function.scope).dynamic) return std::nullopt;
  for (const Statement& inner : parsed.statements()) {
    if (inner.function != statement.index) continue;
    if (inner.parent == statement.index) function.body.push_back(&inner);
    if (inner.exits.yields || inner.exits.awaits) return std::nullopt;
  }
  for (const Statement* inner : function.body) {
    bool last = inner == function.body.back();
    if (inner->exits.returns && !(last && inner->kind() == "return_statement")) return std::nullopt;
    if (inner->kind() == "global_statement" || !inner->own_lines) return std::nullopt;
  }
  if (function.body.empty()) return std::nullopt;
  if (function.body.back()->kind() == "return_statement") {
    function.result = mutate::returned_value(*function.body.back());
  }
  for (const Use& use : scopes.uses_of(owner, name)) {
    if (use.kind == Use::Kind::kBind) continue;
    const mutate::Call call = mutate::call(use.node.parent());
    const bool called = use.kind == Use::Kind::kRead && call.function == use.node;
    if (!called || !replaceable(call.node) || call.positional().size() != function.parameters.size() ||
        call.arguments.children().size() != function.parameters.size())
      return std::nullopt;
    // No function is inlined into itself.
    if (call.node.begin() > statement.begin && call.node.end() <= statement.end) return std::nullopt;
    function.calls.push_back(call.node);
  }
  return function.calls.empty() ? std::nullopt : std::optional(std::move(function));
}

/// The returned expression with arguments substituted for parameters.
std::string expression_at(const Parsed& parsed, const Function& function, const Node& call) {
  const std::vector<Node> arguments = mutate::call(call).positional();
  EditSet edits;
  std::size_t begin = function.result.begin();
  for (const Use& use : parsed.scopes().uses_in(begin, function.result.end()))
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (use.owner == function.scope && use.name == function.parameters[i].text())
        edits.replace(use.node.begin() - begin, use.node.end() - begin, in_place_of(arguments[i], use.node));
  return edits.apply(function.result.text());
}

/// "return EXPRESSION" alone: inlined everywhere.
std::optional<EditSet> everywhere(const Parsed& parsed, const Function& function) {
  if (function.body.size() != 1 || !function.result) return std::nullopt;
  if (function.result.text().find('\n') != std::string_view::npos) return std::nullopt;
  EditSet edits;
  if (!erase_statement(edits, parsed, *function.statement)) return std::nullopt;
  for (const Node& call : function.calls) {
    std::string text = expression_at(parsed, function, call);
    bool tight = in_place_of(function.result, call) == function.result.text();
    if (!put(edits, call.begin(), call.end(), tight ? text : "(" + text + ")")) return std::nullopt;
  }
  return edits;
}

/// Whether the names that the body binds are free around the call.
bool names_are_free(const Parsed& parsed, const Function& function, const Statement& at,
                    const std::vector<Node>& arguments) {
  const auto& scopes = parsed.scopes();
  for (const std::string& name : scopes.scope(function.scope).bound) {
    bool same = false;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      same = same || (function.parameters[i].text() == name && arguments[i].text() == name);
    if (same) continue;
    for (const Use& use : scopes.uses())
      if (use.name == name && use.owner == scopes.scope_of(at)) return false;
  }
  return true;
}

/// The statements of the body in front of the statement that contains the only call.
std::optional<EditSet> once(const Parsed& parsed, const Function& function) {
  if (function.calls.size() != 1) return std::nullopt;
  const Node call = function.calls.front();
  const Statement* at = parsed.statement_at(call.begin());
  if (!at || !at->own_lines || !at->simple) return std::nullopt;
  const std::vector<Node> arguments = mutate::call(call).positional();
  if (!names_are_free(parsed, function, *at, arguments)) return std::nullopt;
  std::string text;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i].text() != function.parameters[i].text())
      text += fmt::format("{}{} = {}\n", at->indent, function.parameters[i].text(), arguments[i].text());
  const bool returns = function.body.back()->kind() == "return_statement";
  const std::size_t count = function.body.size() - (returns ? 1 : 0);
  for (std::size_t i = 0; i < count; ++i)
    if (function.body[i]->kind() != "nonlocal_statement")
      text += mutate::moved_text(parsed, *function.body[i], *function.body[i], at->indent);
  EditSet edits;
  if (!erase_statement(edits, parsed, *function.statement)) return std::nullopt;
  const bool alone = mutate::sole_expression(*at) == call;
  if (alone && !function.result) {
    if (!put(edits, mutate::lines_begin(*at), mutate::lines_end(parsed, *at), text)) return std::nullopt;
    return edits;
  }
  std::string result = function.result ? in_place_of(function.result, call) : "None";
  if (!put(edits, mutate::lines_begin(*at), mutate::lines_begin(*at), text) ||
      !put(edits, call.begin(), call.end(), result))
    return std::nullopt;
  return edits;
}

class InlineFunctions final : public Pass {
 public:
  InlineFunctions()
      : Pass({"inline_functions", Tier::kFlatten, false,
              "Puts the bodies of functions where the functions are called."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (const Statement& statement : parsed.statements()) {
      auto function = plain_function(parsed, statement);
      if (!function) continue;
      auto edits = everywhere(parsed, *function);
      if (!edits) edits = once(parsed, *function);
      if (edits) proposals.push_back(*std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, InlineFunctions> registered;

}  // namespace
}  // namespace jp::reduce::inline_functions_pass
