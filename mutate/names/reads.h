// Reads of names in a simple statement that another expression with the same value may take the place of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Names that a simple statement reads itself, when it runs: none of its lambdas, comprehensions, strings, hints and
/// targets. An expression with the same value may stand for each, in source order.
std::vector<Node> plain_reads(const Parsed& parsed, const Statement& statement);

/// A read of a tensor by an operator that can't tell it from another tensor with the same elements.
struct TensorRead {
  Node node;
  /// The operator gives a result of its own and only reads; otherwise it may return views of the tensor, and only
  /// a tensor in the same memory can stand for it.
  bool fresh = false;
  /// It is returned as it is.
  bool returned = false;
  /// The name of the object whose method takes it as an argument; it must be known to be a tensor as well.
  Node object;
};

/// The statement reads the name once: gradients of several reads would add up in another order if one took a detour.
bool read_once(const Parsed& parsed, const Statement& statement, std::string_view name);

/// Those of the plain reads that stand where a tensor is operated on: as operand, as argument of a function of torch,
/// as object of a method, under a subscript, or (in the entry) in what is returned. Judged by the text alone: whether
/// the name is a tensor must be known from elsewhere.
std::vector<TensorRead> tensor_reads(const Parsed& parsed, const Statement& statement);

}  // namespace jp::mutate
