#include "mutate/facts/value_reads.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/among.h"
#include "mutate/calls/module_calls.h"
#include "mutate/calls/operator_call.h"
#include "mutate/names/outside_memory.h"
#include "mutate/names/own_code.h"
#include "mutate/names/reads.h"
#include "mutate/names/results.h"
#include "mutate/names/scopes.h"
#include "mutate/syntax/writing_calls.h"

namespace jp::mutate {
namespace {

/// Modules and functions that may return the very tensor that they are given, or that write in place, and words with
/// which a program tells one tensor from another.
constexpr auto kLoud = std::to_array<std::string_view>({"Dropout",       "Dropout1d",
                                                        "Dropout2d",     "Dropout3d",
                                                        "AlphaDropout",  "FeatureAlphaDropout",
                                                        "Identity",      "dropout",
                                                        "data_ptr",      "untyped_storage",
                                                        "_version",      "set_",
                                                        "swap_tensors",  "register_hook",
                                                        "retain_grad",   "id",
                                                        "saved_tensors", "inference_mode",
                                                        "autograd",      "checkpoint",
                                                        "compile",       "vmap",
                                                        "share_memory_", "setattr"});

/// The operators whose new result has the operand's very strides, gaps included (torch's clone_preserve_strides).
constexpr auto kKeepStrides =
    std::to_array<std::string_view>({"as_strided_scatter", "diagonal_scatter", "select_scatter", "slice_scatter"});

/// The statement runs in no call of the entry: it stands in the module, in make_inputs and the like, or in an __init__.
bool runs_before(const Parsed& parsed, const Statement& statement) {
  for (int up = statement.function; up >= 0; up = parsed.statement(up).function) {
    const std::string_view name = defined_name(parsed.statement(up));
    if (name == "__init__" || name == parsed.program().inputs()) return true;
  }
  // A lambda of the module may be called later.
  return statement.function < 0 && !holds_lambda(statement.node);
}

/// The name is local, each of its bindings is a call of an operator that gives new memory, and it is read only to write
/// its elements and to return it.
bool made_to_fill(const Parsed& parsed, const Statement& statement, const Node& name) {
  const Scopes& scopes = parsed.scopes();
  const int scope = scopes.scope_of(statement);
  if (!name.is("identifier") || scopes.resolve(name.text(), scope) != scope) return false;
  for (const Use& use : scopes.uses_of(scope, name.text())) {
    const Statement* at = parsed.statement_at(use.node.begin());
    if (!at || use.scope != scope || at->function != statement.function) return false;
    if (use.kind == Use::Kind::kBind) {
      const Assignment made = assignment(*at);
      const Call call_made = made.only_name() == use.node ? call(made.right) : Call();
      const OperatorFacts* op = call_made && call_made.object ? find_operator(call_made.name) : nullptr;
      const bool filled = call_made.name.starts_with("new_") || (op && op->is_new());
      if (!filled) return false;
      continue;
    }
    const bool returned = returned_value(*at) && !call_with(use.node);
    if (!returned && !(use.node.parent().is("subscript") && in_target(use.node, at->node))) return false;
  }
  return true;
}

bool writes_elsewhere(const Parsed& parsed, const Statement& statement) {
  const Effects effects = effects_of(statement);
  if (std::any_of(effects.calls.begin(), effects.calls.end(), writes_tensor)) return true;
  const Assignment made = assignment(statement);
  if (!made) return false;
  if (made.augmented()) return true;
  if (made.left.is("subscript")) return !made_to_fill(parsed, statement, made.left.field("value"));
  return static_cast<bool>(attribute(made.left));
}

/// The facts of a name before the statement; facts may be empty.
std::string_view kind_before(const Facts& facts, const Statement& statement, const Node& name) {
  const NameFacts* known = facts.find_before(statement.id, std::string(name.text()));
  return known ? std::string_view(known->kind) : "";
}

/// Judges reads in one statement.
class Judge {
 public:
  Judge(const Parsed& parsed, const Facts& facts, const Statement& statement, bool quiet)
      : parsed_(parsed),
        facts_(facts),
        statement_(statement),
        quiet_(quiet),
        calls_(operator_calls(parsed, statement)) {}

  std::optional<ValueRead> judge(const Node& name) const {
    const Node node = with_parentheses(name);
    const Node around = node.parent();
    const Operation made = operation(around);
    if (made.kind == Operation::Kind::kComparison)
      for (const std::string_view word : {"is", "in", "not in", "is not"})
        if (around.has_token(word)) return std::nullopt;
    if (made.kind == Operation::Kind::kUnary || made.kind == Operation::Kind::kComparison ||
        made.kind == Operation::Kind::kBinary)
      return made.symbol() == "+" && !made.left ? std::nullopt : std::optional(ValueRead{name, true});
    if (const Attribute read = attribute(around); read.object == node) return of_method(name, around);
    if (around.is("subscript") && node.field_name() == "value")
      return in_target(around, statement_.node) ? std::nullopt : of_view(name);
    const Node argument = around.is("list") || around.is("tuple") ? around : node;
    return of_argument(name, call_with(argument), argument != node);
  }

 private:
  std::optional<ValueRead> of_view(const Node& name) const {
    return quiet_ ? std::optional(ValueRead{name, false}) : std::nullopt;
  }

  std::optional<ValueRead> of_operator(const Node& name, const OperatorFacts& op) const {
    if (op.is_new()) return ValueRead{name, true, among(kKeepStrides, op.name)};
    // Others may give the very tensor.
    return may_give_operand(op.name) && op.name != "flatten" ? std::nullopt : of_view(name);
  }

  std::optional<ValueRead> of_method(const Node& name, const Node& read) const {
    const Call made = is_called(read) ? call(read.parent()) : Call();
    const OperatorFacts* op = made ? find_operator(made.name) : nullptr;
    if (!op || !op->method || made.splats() || writes_tensor(made)) return std::nullopt;
    return of_operator(name, *op);
  }

  std::optional<ValueRead> of_argument(const Node& name, const Call& made, bool in_list) const {
    if (!made || made.keyword("inplace") || made.splats() || writes_tensor(made)) return std::nullopt;
    for (const OperatorCall& known : calls_)
      if (known.node == made.node && may_be_operator(known)) return of_operator(name, *known.op);
    if (!made.object) return of_own(name, made.function, "function");
    const TorchNames names(parsed_, statement_);
    const bool of_torch = made.object.text() == names.torch || names.is_functional(made.object);
    if (of_torch) {
      const OperatorFacts* op = find_operator(made.name);
      return op ? of_operator(name, *op) : std::nullopt;
    }
    if (!made.object.is("identifier")) return std::nullopt;
    if (const auto module = module_call(parsed_, statement_, made.node); module && module->is_fresh() && !in_list)
      return ValueRead{name, true};
    return of_own(name, made.object, "module");
  }

  /// By the facts, a method with an operator's name is a tensor's.
  bool may_be_operator(const OperatorCall& call) const { return facts_.before.empty() || calls_torch(facts_, call); }

  /// An argument of the file's own functions and modules: `layer(x)`, `self.layer(x)`.
  std::optional<ValueRead> of_own(const Node& name, const Node& callee, std::string_view kind) const {
    if (!callee.is("identifier") || !quiet_) return std::nullopt;
    if (parsed_.scopes().resolve(callee.text(), parsed_.scopes().scope_of(statement_)) < 0) return std::nullopt;
    const std::string_view known = kind_before(facts_, statement_, callee);
    const bool fits = facts_.before.empty() || known == "module" || known == kind;
    return fits ? std::optional(ValueRead{name, false}) : std::nullopt;
  }

  const Parsed& parsed_;
  const Facts& facts_;
  const Statement& statement_;
  bool quiet_;
  std::vector<OperatorCall> calls_;
};

}  // namespace

bool quiet(const Parsed& parsed) {
  if (parsed.has_any<kLoud>() || parsed.has_word("inplace") || shares_memory_outside(parsed)) return false;
  const auto& all = parsed.statements();
  return std::none_of(all.begin(), all.end(), [&](const Statement& statement) {
    return statement.simple && !runs_before(parsed, statement) && writes_elsewhere(parsed, statement);
  });
}

std::vector<ValueRead> ValueReads::of(const Statement& statement) const {
  std::vector<ValueRead> found;
  const auto reads = plain_reads(parsed_, statement);
  if (reads.empty()) return found;
  const Judge judge(parsed_, facts_, statement, quiet_);
  for (const Node& node : reads)
    if (auto read = judge.judge(node)) found.push_back(*read);
  return found;
}

}  // namespace jp::mutate
