// The values of expressions in a program that changes; see infer/inference.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/infer/inference.h"

namespace jp::mutate {

/// A decimal integer that is the whole text, or nothing.
std::optional<std::int64_t> read_integer(std::string_view text);

/// A Python number of that dtype, with its value where it is a known integer.
AbstractValue number_value(Dtype dtype, std::optional<std::int64_t> value = {});

/// The shape of `x[indices]` with numbers, slices, None and the ellipsis; nothing where that raises or isn't known.
std::optional<Shape> indexed(const Shape& shape, const std::vector<Node>& indices,
                             const std::vector<AbstractValue>& values);

/// A function or method of that name may refuse a tensor that wants gradients.
bool rejects_gradients(std::string_view name);

/// AbstractState at expressions of one statement.
class ExpressionInference {
 public:
  ExpressionInference(const Parsed& parsed, const Facts& facts, const Statement& statement, AbstractState& looks);

  /// What comes of an expression; nothing when it may raise. What reads no changed name gives at least an unknown
  /// value.
  std::optional<AbstractValue> value(const Node& node);
  /// The value of an operator's expression if the operator had that name or symbol; of one in place, what it would
  /// write. Nothing also where the rules know no such operator.
  std::optional<AbstractValue> renamed(const Node& node, std::string_view name);
  /// The value of `x[index]`, of a target or an expression.
  std::optional<AbstractValue> item(const Node& subscript);
  /// Some changed name stands in it.
  bool touches(const Node& node) const;
  /// A write in place of such a value; nothing when eager may refuse.
  bool may_write(const Node& target, const AbstractValue& to, const AbstractValue& value);
  /// What is made of two operands by a symbol ("+").
  std::optional<AbstractValue> symbol(std::string_view symbol, const AbstractValue& left, const AbstractValue& right);

 private:
  std::optional<AbstractValue> known(const Node& node);
  std::optional<AbstractValue> name(const Node& node);
  std::optional<AbstractValue> list(const Node& node);
  std::optional<AbstractValue> attribute(const Node& node);
  std::optional<AbstractValue> call(const Node& node);
  std::optional<AbstractValue> for_each(const CallArguments& call, const std::vector<AbstractValue>& all,
                                        bool in_place);
  /// A function of the file's own, where the arguments differ in nothing but gradients.
  std::optional<AbstractValue> own_call(const Node& call);
  std::optional<AbstractValue> identifier_call(const Node& call, std::string_view name);
  /// Methods that stand in no table; whether the call is one of them.
  bool special(const CallArguments& asked, bool in_place, std::optional<AbstractValue>& made);
  std::optional<AbstractValue> cast(const CallArguments& asked);
  std::optional<AbstractValue> result(CallArguments& asked);
  std::optional<AbstractValue> written(CallArguments& asked, const Node& target);
  bool is_functional(std::string_view object) const;
  static std::optional<AbstractValue> as_written(const AbstractValue& to, AbstractValue value);
  bool read_arguments(const Node& arguments, std::vector<AbstractValue>& all, CallArguments& asked);

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
