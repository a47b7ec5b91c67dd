// Reads of tensors for their values alone: another tensor in other memory, with the same elements, type and layout, may
// stand there.
#pragma once

#include <vector>

#include "core/facts.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A read of a tensor's value.
struct ValueRead {
  Node node;
  /// What reads it gives new memory. Otherwise the result may be a view, or the file's own code gets the tensor.
  bool fresh = false;
  /// What reads it gives the same strides, also where these leave gaps.
  bool keeps_strides = false;
};

/// No code of the file that runs in a call of the entry writes to a tensor that other code may hold: it has no method
/// in place, `out=`, augmented assignment or module in place, and assigns elements only of tensors that a function has
/// made itself, and uses for nothing but to return them.
bool quiet(const Parsed& parsed);

/// Finds them. Only syntax is asked for the names themselves: the caller must know from facts that they are tensors.
class ValueReads {
 public:
  /// Facts say which names are functions and modules; with empty facts that is left unasked, as in a replay.
  ValueReads(const Parsed& parsed, const Facts& facts) : parsed_(parsed), facts_(facts), quiet_(quiet(parsed)) {}
  /// The reads in a simple statement, in source order: operands of operators, of torch's functions, of tensors' methods
  /// and of torch's modules (module_calls.h); and where quiet() holds, what views are made of, and arguments of the
  /// file's own functions and modules.
  std::vector<ValueRead> of(const Statement& statement) const;

 private:
  const Parsed& parsed_;
  const Facts& facts_;
  bool quiet_;
};

}  // namespace jp::mutate
