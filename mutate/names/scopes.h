// Who binds, reads and deletes which name, by Python's rules (language reference 4.2): functions, lambdas, class bodies
// (not seen from functions inside them), comprehensions (their first iterable is evaluated outside), `global` and
// `nonlocal`, `:=` (binds outside of comprehensions), imports, `except … as`, `with … as`, `for` and star targets,
// captures of `match`; defaults, decorators, annotations and base classes are evaluated outside of what they adorn.
#pragma once

#include <cstddef>
#include <map>
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
  NameSet bound;  // parameters too
  NameSet globals;
  NameSet nonlocals;
  /// It (or a scope inside it) asks for its names at run time: locals, vars, dir, eval, exec, or a star import.
  bool dynamic = false;
};

/// One mention of a name.
struct Use {
  enum class Kind { kRead, kBind, kDelete };
  std::string_view name;
  Kind kind = Kind::kRead;
  Node node;
  /// The scope in whose code it stands.
  int scope = 0;
  /// The scope whose variable it is: 0 the module's; -1 nobody's in this file (builtins).
  int owner = -1;
  /// A binding that may be skipped even when its statement runs (`:=`).
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
  /// All uses of one scope's variable, in source order: indices into uses().
  const std::vector<int>& uses_of(int owner, std::string_view name) const;
  /// Uses that stand in bytes [begin, end).
  std::span<const Use> uses_in(std::size_t begin, std::size_t end) const;
  /// The scope in which a statement's own code runs.
  int scope_of(const Statement& statement) const { return statement_scope_[static_cast<std::size_t>(statement.index)]; }
  /// The scope of a function, class, lambda or comprehension node, or -1.
  int scope_of_node(const Node& node) const;
  /// The scope that runs in the same frame, eagerly: comprehensions belong to what is around them, generators don't.
  int frame(int scope) const;
  /// The scope whose variable a name is, seen from a scope; -1 when nobody in this file binds it.
  int resolve(std::string_view name, int scope) const;

  /// Some code of another frame (nested function, lambda, generator, class body) uses the scope's variable.
  bool captured(int scope, std::string_view name) const;
  /// Names that the statements in [begin, end) bind or delete in the scope, directly (not in nested frames).
  NameSet bound_in(std::size_t begin, std::size_t end, int scope) const;
  /// How many times a variable is bound in the whole file.
  int bindings(int owner, std::string_view name) const;

  /// The name may be read at the statement: its function has a binding of it further up (which need not have run:
  /// facts or Parsed::surely_bound() tell), or a scope around it has one. False for names under `global` or `nonlocal`,
  /// which must not be mentioned before their declaration.
  bool readable(const Statement& statement, std::string_view name) const;
  /// The module's names for torch, sorted: bound by `import torch` or `import torch as`, and by import statements only.
  const std::vector<std::string_view>& torch_names() const { return torch_names_; }

 private:
  friend class ScopeBuilder;
  void find_torch();
  std::vector<Scope> scopes_;
  std::vector<Use> uses_;
  std::map<std::pair<int, std::string_view>, std::vector<int>> by_variable_;
  std::map<int, int> by_node_;  // a node's index to the scope that it opens
  std::vector<int> statement_scope_;
  std::vector<std::string_view> torch_names_;
};

/// What a run of statements of one block does to its function's names.
struct RunFlow {
  /// Surely bound when the run ends normally (or it never does), given what was bound before it.
  NameSet bound_after;
  /// Own names of the frame that may be read before the run has surely bound them, given what was bound before it.
  NameSet early_reads;
};

/// Follows statements [first, last] of a block, starting with `bound`.
RunFlow flow_of(const Parsed& parsed, const Statement& first, const Statement& last, const NameSet& bound);

/// A name that stands nowhere in the file: "t7" for base "t" and step 7, else "t7_1", "t7_2", ... `taken` are further
/// names to avoid.
std::string fresh_name(const Parsed& parsed, std::string_view base, int step_number, const NameSet& taken = {});

/// The name under which the module has torch at the statement ("torch", or "th" after `import torch as th`): bound by
/// import statements only. "" when there is none.
std::string torch_name(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
