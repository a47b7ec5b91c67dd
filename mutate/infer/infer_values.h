// Abstract values of expressions; see infer/inference.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/infer/inference.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {

/// A Python number of that dtype, with its value if that is a known integer.
AbstractValue number_value(Dtype dtype, std::optional<std::int64_t> value = {});

/// The shape of `x[indices]` with numbers, slices, None and an ellipsis; nothing if that raises or is unknown.
std::optional<Shape> indexed(const Shape& shape, const std::vector<Node>& indices,
                             const std::vector<AbstractValue>& values);

/// A function or method of that name may reject inputs that require gradients.
bool rejects_gradients(std::string_view name);

/// Infers values of expressions of one statement from the abstract state before it.
class ExpressionInference {
 public:
  ExpressionInference(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState& state);

  /// The value of an expression; nothing if it may raise. An expression that reads no changed name always has a value,
  /// which may be unknown (Kind::kOther).
  std::optional<AbstractValue> value(const Node& node);
  /// The value of an operator's expression if the operator is replaced by the one of that name or symbol; for an
  /// in-place operator, the value that it would write. Nothing also if no rule is known for it.
  std::optional<AbstractValue> renamed(const Node& node, std::string_view name);
  /// The value of `x[index]`, as a target or as an expression.
  std::optional<AbstractValue> item(const Node& subscript);
  /// The node mentions a changed name.
  bool touches(const Node& node) const;
  /// Whether eager surely accepts an in-place write of `value` to `to`, which is the value of the node `target`.
  bool may_write(const Node& target, const AbstractValue& to, const AbstractValue& value);
  /// The value of a binary operator's symbol ("+") on two operands.
  std::optional<AbstractValue> symbol(std::string_view symbol, const AbstractValue& left, const AbstractValue& right);

 private:
  std::optional<AbstractValue> known(const Node& node);
  std::optional<AbstractValue> name(const Node& node);
  std::optional<AbstractValue> list(const Node& node);
  std::optional<AbstractValue> attribute(const Attribute& read);
  std::optional<AbstractValue> call(const Call& call);
  std::optional<AbstractValue> for_each(const CallArguments& call, const std::vector<AbstractValue>& all,
                                        bool in_place);
  /// A call of a function of the file; supported only if the arguments differ at most in whether they require
  /// gradients.
  std::optional<AbstractValue> own_call(const Call& call);
  std::optional<AbstractValue> identifier_call(const Call& call);
  /// Methods without a rule in the operator table. Returns whether the call is one of them; `made` is then its value.
  bool special(const CallArguments& asked, bool in_place, std::optional<AbstractValue>& made);
  std::optional<AbstractValue> cast(const CallArguments& asked);
  std::optional<AbstractValue> result(CallArguments& asked);
  std::optional<AbstractValue> written(CallArguments& asked, const Node& target);
  static std::optional<AbstractValue> as_written(const AbstractValue& to, AbstractValue value);
  bool read_arguments(const Call& call, std::vector<AbstractValue>& all, CallArguments& asked);

  Node renamed_;
  std::string_view new_name_;
  const Parsed& parsed_;
  const Facts& facts_;
  const Statement& statement_;
  AbstractState& looks_;
  std::string torch_;
  int scope_ = 0;
};

}  // namespace jp::mutate
