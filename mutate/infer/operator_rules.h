// Operator rules: which dtypes eager accepts on a CPU, whether those of the operands must be equal, and how the
// result's dtype and shape follow from the operands. The rules come from core/operators.tsv; an operator without a rule
// there is assumed to accept only the types that it got in the profile run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"
#include "core/operators.h"

namespace jp::mutate {

using Shape = std::vector<std::int64_t>;

/// What is known of a value in the changed program, and how it differs from the value in the unchanged one.
struct AbstractValue {
  enum class Kind { kTensor, kNumber, kList, kOther };
  Kind kind = Kind::kOther;
  std::optional<Dtype> dtype;
  std::optional<Shape> shape;
  std::optional<Shape> was;            // the unchanged program's shape, for values of names
  std::optional<std::int64_t> number;  // the value of a Python integer
  std::vector<AbstractValue> items;    // the elements of a list or tuple
  bool leaf = false;                   // a leaf that requires gradients only in the changed program
  // How it differs from the unchanged program.
  bool retyped = false;
  bool resized = false;
  bool regrad = false;  // requires_grad differs
  /// If set: the shape is the unchanged program's, except that its first size is this one.
  std::optional<std::int64_t> batch;

  bool is_tensor() const { return kind == Kind::kTensor; }
  /// The value or one of its items differs from the unchanged program.
  bool changed() const;
  static AbstractValue tensor(std::optional<Dtype> dtype, std::optional<Shape> shape);
};

/// The operator of that name ("add", not "add_"), if there is a rule for it; otherwise nullptr.
const OperatorFacts* find_rule(std::string_view name);

/// A call of an operator with the abstract values of its arguments.
struct CallArguments {
  std::string_view name;
  const OperatorFacts* rule = nullptr;  // from find_rule()
  std::vector<AbstractValue> operands;
  std::vector<AbstractValue> others;                        // positional arguments after the operands
  std::map<std::string_view, AbstractValue> keywords;       // keyword arguments by name
  std::map<std::string_view, std::string_view> as_written;  // source text of the keyword arguments

  /// A parameter after the operands, by its position among `others` or by its keyword; nullptr if it isn't passed.
  const AbstractValue* parameter(std::size_t place, std::string_view keyword) const;
};

/// The result's dtype; nothing if the operator may reject operands of these dtypes.
std::optional<Dtype> type_of(const CallArguments& call);
/// The result's shape; nothing if the operator may reject the operands, or if the shape is unknown.
std::optional<Shape> shape_of(const CallArguments& call);
/// The batch size of the result of a convolution or pooling, if only the batch size of its input differs; otherwise
/// nothing.
std::optional<std::int64_t> batch_of(const CallArguments& call);
/// The shape to which the tensors broadcast; nothing if they don't, or if a shape is unknown.
std::optional<Shape> broadcast(const std::vector<AbstractValue>& operands);

}  // namespace jp::mutate
