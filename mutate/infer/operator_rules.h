// What common operators ask of their operands, and what comes of them: which dtypes eager takes on a CPU, whether they
// must be alike, and how the result's shape follows from theirs. An operator whose row in core/operators.tsv has no
// rule is taken to ask for exactly what it got.
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

/// What is known of a value in a program that changes, and in what it differs from the program before.
struct AbstractValue {
  enum class Kind { kTensor, kNumber, kList, kOther };
  Kind kind = Kind::kOther;
  std::optional<Dtype> dtype;
  std::optional<Shape> shape;
  std::optional<Shape> was;            // the shape before, of a name
  std::optional<std::int64_t> number;  // of a Python integer
  std::vector<AbstractValue> items;    // of a list or tuple
  bool leaf = false;                   // a leaf that now wants gradients
  bool retyped = false;
  bool resized = false;
  bool regrad = false;  // wants gradients, or no longer does
  /// The shape is the one before with this size in front.
  std::optional<std::int64_t> batch;

  bool is_tensor() const { return kind == Kind::kTensor; }
  /// It or an item of it is another one than before.
  bool changed() const;
  static AbstractValue tensor(std::optional<Dtype> dtype, std::optional<Shape> shape);
};

/// The operator of that name ("add", not "add_") if it is known what it asks of its operands, or nullptr.
const OperatorFacts* find_rule(std::string_view name);

/// An operator's call.
struct CallArguments {
  std::string_view name;
  const OperatorFacts* rule = nullptr;  // of find_rule()
  std::vector<AbstractValue> operands;
  std::vector<AbstractValue> others;                        // further positional arguments
  std::map<std::string_view, AbstractValue> keywords;       // by name
  std::map<std::string_view, std::string_view> as_written;  // their text

  /// A parameter behind the operands, by its place there or by its name; nullptr where it isn't given.
  const AbstractValue* parameter(std::size_t place, std::string_view keyword) const;
};

/// Whether the operator takes operands of these types and what it gives; nothing when it may refuse.
std::optional<Dtype> type_of(const CallArguments& call);
/// The result's shape; nothing when the operator may refuse, or when that is not known.
std::optional<Shape> shape_of(const CallArguments& call);
/// The size of the batch that a convolution or a pooling gives, where nothing but the batch is another one.
std::optional<std::int64_t> batch_of(const CallArguments& call);
/// What the shapes of the tensors broadcast to; nothing when they don't, or when one is not known.
std::optional<Shape> broadcast(const std::vector<AbstractValue>& operands);

}  // namespace jp::mutate
