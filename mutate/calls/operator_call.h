// Calls of torch's operators in a program's text, however they are spelled: `torch.add(a, b)`, `a.add(b)`, `a + b`,
// `F.relu(a)`. What they are called on is judged by facts, not here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.h"
#include "core/operators.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

struct Operand {
  std::string_view keyword;  // "" by position
  Node node;
};

/// An operator's call.
struct OperatorCall {
  enum class Form { kFunction, kMethod, kSymbol, kFunctional };
  const Statement* statement = nullptr;
  const OperatorFacts* op = nullptr;
  Form form = Form::kFunction;
  Node node;
  /// The name it is assigned to, where the call is all of an assignment's value; else no node.
  Node target;
  /// In the order in which they are evaluated; a method's object first.
  std::vector<Operand> operands;
  /// torch's name at the statement.
  std::string torch;
  /// Site::path.
  std::string path;

  /// The operand of that parameter, or no node.
  Node operand(std::string_view parameter) const;
  /// Some operand can be given by its name alone ("alpha").
  bool scaled() const;
  /// All operands are names or literals: they may be read twice, or in another order.
  bool simple() const;
  /// Nothing else that the statement calls comes before: the call may be evaluated in a statement of its own, before.
  bool comes_first() const;
};

/// The known operators' calls in a statement without blocks, in source order, but for those in lambdas and
/// comprehensions (which have names of their own). None where torch has no name.
std::vector<OperatorCall> operator_calls(const Parsed& parsed, const Statement& statement);
/// The call at a site, or nothing.
std::optional<OperatorCall> operator_call_at(const Parsed& parsed, const Site& site);

/// A name or a literal (numbers, strings, tuples of them, dtypes of torch).
bool is_simple(const Node& node);
/// A number written out, perhaps negative.
bool is_number(const Node& node);
/// What facts know of a name that is a tensor before the statement, else nullptr.
const NameFacts* tensor_before(const Facts& facts, const Statement& statement, const Node& node);
/// A number by its text or by facts.
bool is_number_before(const Facts& facts, const Statement& statement, const Node& node);

}  // namespace jp::mutate
