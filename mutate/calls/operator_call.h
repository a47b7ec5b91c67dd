// Calls of torch's operators in a program's text, in every spelling: `torch.add(a, b)`, `a.add(b)`, `a + b`,
// `F.relu(a)`. Only syntax is considered; callers check with facts that operands are tensors.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "core/operators.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {

/// A call of an operator.
struct OperatorCall {
  enum class Form { kFunction, kMethod, kSymbol, kFunctional };
  const Statement* statement = nullptr;
  const OperatorFacts* op = nullptr;
  Form form = Form::kFunction;
  Node node;
  /// The name that it is assigned to, if the call is the whole value of an assignment; otherwise no node.
  Node target;
  /// In order of evaluation; a method's object comes first.
  std::vector<GivenArgument> operands;
  /// The module's name for torch at the statement.
  std::string torch;
  /// Site::path.
  std::string path;

  /// The operand for that parameter, or no node.
  Node operand(std::string_view parameter) const;
  /// The call has an operand for a keyword-only parameter ("alpha").
  bool scaled() const;
  /// All operands are names or literals, so they may be evaluated twice or in another order.
  bool simple() const;
  /// All operands are names, attributes of names or literals.
  bool plain() const;
  /// The statement evaluates no other call before this one, so it may be moved to a statement of its own before it.
  bool comes_first() const;
};

/// The calls of known operators in a simple statement, in source order. Calls in lambdas and comprehensions are left
/// out, since these have names of their own. Empty if torch has no name at the statement.
std::vector<OperatorCall> operator_calls(const Parsed& parsed, const Statement& statement);
/// Sites at the calls that `fits` accepts, in statements that facts know; none if the program uses introspection.
std::vector<Site> operator_sites(const Parsed& parsed, const Facts& facts,
                                 const std::function<bool(const OperatorCall&)>& fits);
/// The call at a site; nothing if there is none any more.
std::optional<OperatorCall> operator_call_at(const Parsed& parsed, const Site& site);

/// By the facts the call is one of torch: the object of a method is a tensor, and not some other object with a method
/// of that name.
bool calls_torch(const Facts& facts, const OperatorCall& call);

/// The module's name for torch.nn.functional ("F"), by its import statements; "" if there is none.
std::string_view functional_name(const Parsed& parsed);
/// The names of torch's modules at a statement.
struct TorchNames {
  std::string torch;            // "" if it has none there
  std::string_view functional;  // of torch.nn.functional; "" if it has none there

  TorchNames(const Parsed& parsed, const Statement& statement);
  /// The object of a call is torch.nn.functional: by its name, or as a path of torch.
  bool is_functional(const Node& object) const;
};

/// The node is a name, a number, True, False, None, a string (f-strings too), or a tuple or list of these.
bool is_simple(const Node& node);
/// The facts of a name that is a tensor before the statement; otherwise nullptr.
const NameFacts* tensor_before(const Facts& facts, const Statement& statement, const Node& node);
/// The node is a number literal, or by the facts a name of a Python number.
bool is_number_before(const Facts& facts, const Statement& statement, const Node& node);

}  // namespace jp::mutate
