// Scopes, and where names are bound, read and deleted, by Python's rules (language reference 4.2): functions, lambdas,
// class bodies (not visible from functions inside them), comprehensions (their first iterable is evaluated outside),
// `global` and `nonlocal`, `:=` (binds outside of comprehensions), imports, `except … as`, `with … as`, `for` and star
// targets, captures of `match`. Defaults, decorators, annotations and base classes are evaluated in the scope around
// the definition.
#pragma once

#include <cstddef>
#include <map>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "mutate/syntax/name_set.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A scope of names.
struct Scope {
  enum class Kind { kModule, kClass, kFunction, kLambda, kComprehension, kGenerator };
  Kind kind = Kind::kModule;
  Node node;
  int parent = -1;
  NameSet parameters;
  NameSet bound;  // including parameters
  NameSet globals;
  NameSet nonlocals;
  /// It (or a scope inside it) may look up names at run time: locals, vars, dir, eval, exec, or a star import.
  bool dynamic = false;
};

/// One mention of a name.
struct Use {
  enum class Kind { kRead, kBind, kDelete };
  std::string_view name;
  Kind kind = Kind::kRead;
  Node node;
  /// The scope whose code contains it.
  int scope = 0;
  /// The scope that owns the variable: 0 for the module; -1 if no scope of this file binds it (builtins).
  int owner = -1;
  /// A binding that may not happen although its statement runs (`:=`).
  bool conditional = false;
};

/// All scopes and uses of a program. Immutable.
class Scopes {
 public:
  explicit Scopes(const Parsed& parsed);

  const std::vector<Scope>& scopes() const { return scopes_; }
  const Scope& scope(int index) const { return scopes_[static_cast<std::size_t>(index)]; }
  /// All uses in source order.
  const std::vector<Use>& uses() const { return uses_; }
  /// All uses of one scope's variable, in source order.
  auto uses_of(int owner, std::string_view name) const {
    return std::views::transform(variable(owner, name),
                                 [this](int index) -> const Use& { return uses_[static_cast<std::size_t>(index)]; });
  }
  /// Uses that stand in bytes [begin, end).
  std::span<const Use> uses_in(std::size_t begin, std::size_t end) const;
  /// The scope in which the statement's own code runs.
  int scope_of(const Statement& statement) const { return statement_scope_[static_cast<std::size_t>(statement.index)]; }
  /// The scope of a function, class, lambda or comprehension node, or -1.
  int scope_of_node(const Node& node) const;
  /// The scope whose frame evaluates the scope: for a comprehension the scope around it; generators have their own
  /// frame.
  int frame(int scope) const;
  /// The scope that owns the variable to which a name refers in a scope; -1 if no scope of this file binds it.
  int resolve(std::string_view name, int scope) const;

  /// Code of another frame (a nested function, lambda, generator or class body) uses the scope's variable.
  bool captured(int scope, std::string_view name) const;
  /// Names that the statements in bytes [begin, end) bind or delete in the scope itself, not in nested frames.
  NameSet bound_in(std::size_t begin, std::size_t end, int scope) const;
  /// The number of places in the file that bind the variable.
  int bindings(int owner, std::string_view name) const;

  /// The name may be read at the statement: its function binds it above, or an enclosing scope does. Whether that
  /// binding has run is another question, for facts or Parsed::surely_bound(). False for names that the function
  /// declares `global` or `nonlocal`, which Python doesn't allow before the declaration.
  bool readable(const Statement& statement, std::string_view name) const;
  /// The module's names for torch, sorted: bound by `import torch` or `import torch as`, and by nothing but import
  /// statements.
  const std::vector<std::string_view>& torch_names() const { return torch_names_; }

 private:
  friend class ScopeBuilder;
  void find_torch();
  const std::vector<int>& variable(int owner, std::string_view name) const;
  std::vector<Scope> scopes_;
  std::vector<Use> uses_;
  std::map<std::pair<int, std::string_view>, std::vector<int>> by_variable_;
  std::map<int, int> by_node_;  // from a node's index to the scope that it opens
  std::vector<int> statement_scope_;
  std::vector<std::string_view> torch_names_;
};

/// What a statement range does to the local names of its function.
struct RunFlow {
  /// Surely bound if the range ends normally, given what was bound before it.
  NameSet bound_after;
  /// Local names of the frame that the range may read before it has surely bound them, given what was bound before it.
  NameSet early_reads;
};

/// Analyses statements [first, last] of one block, starting with `bound`.
RunFlow flow_of(const Parsed& parsed, const Statement& first, const Statement& last, const NameSet& bound);

/// A name that occurs nowhere in the file: "t7" for base "t" and step 7, otherwise "t7_1", "t7_2", ... `taken` holds
/// further names to avoid.
std::string fresh_name(const Parsed& parsed, std::string_view base, int step_number, const NameSet& taken = {});

/// The name under which torch can be read at the statement ("torch", or "th" after `import torch as th`), if only
/// import statements bind it; "" if there is none.
std::string torch_name(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
