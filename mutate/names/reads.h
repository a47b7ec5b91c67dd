// Reads of names in a simple statement that may be replaced by another expression with the same value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Names that a simple statement reads when it runs, in source order. Reads in lambdas, comprehensions, strings, type
/// annotations and targets are left out. Each may be replaced by an expression with the same value.
std::vector<Node> plain_reads(const Parsed& parsed, const Statement& statement);

/// A read of a tensor by an operator whose result depends only on the tensor's elements and metadata, not on which
/// tensor object it is.
struct TensorRead {
  Node node;
  /// The operator only reads and its result is new memory. Otherwise the result may be a view, and the tensor may only
  /// be replaced by one in the same memory.
  bool fresh = false;
  /// The tensor itself is returned from the entry.
  bool returned = false;
  /// The result may be the tensor itself (`v0.contiguous()`), and is used for more than its elements.
  bool itself = false;
  /// If the tensor is an argument of a method: the name of the method's object, which must be known to be a tensor too.
  /// Otherwise no node.
  Node object;
};

/// The statement reads the name exactly once. With several reads, replacing one would change the order in which their
/// gradients are summed.
bool read_once(const Parsed& parsed, const Statement& statement, std::string_view name);

/// The plain reads at places where a tensor may be operated on: as an operand, an argument of a function of torch, the
/// object of a method or of a subscript, or in the entry's return value. Only syntax is considered: the caller must
/// know from facts that the name is a tensor.
std::vector<TensorRead> tensor_reads(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
