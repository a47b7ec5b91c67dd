// Rules that a program can break on purpose, and torch or Python then refuses it. Those of torch's operators follow
// from what the generator asks for when it draws them: a CallBreaker draws such calls. The others, of Python and of
// torch's argument parser, are written down: a family of rules is one file in breaks/ with a table. Every row names its
// rule, says on which tensors it can be broken, and has the calls that break it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/registry.h"
#include "core/tensor_type.h"

namespace jp {

/// A tensor on which rules may be broken.
struct Breakable : TensorType {
  /// It is an argument that requires gradients, and the call stands where they are recorded. False where that is not
  /// known.
  bool leaf = false;
};

/// A rule of torch's, and how to break it.
struct BrokenRule {
  /// "flip_dim_out_of_range": unique over the registry.
  std::string_view name;
  /// One sentence: what the call does that it must not do.
  std::string_view says;
  /// Whether every one of the calls raises in eager on such a tensor, because of this rule.
  bool (*fits)(const Breakable& tensor);
  /// The calls as Python text with marks for what differs from tensor to tensor:
  ///   {v} {torch}                     the names of the tensor and of torch
  ///   {first} {before_first}          its first size, 0 without dimensions; the index before the first valid one
  ///   {more_zeros}                    an index with one dimension too many, as the inside of a tuple
  std::vector<std::string_view> calls;
};

/// A family of rules; its name is its file's.
class Breaks {
 public:
  virtual ~Breaks() = default;
  virtual std::string_view name() const = 0;
  virtual std::vector<BrokenRule> rules() const = 0;
};

/// All rules, by family and then in the order of its table.
const std::vector<BrokenRule>& broken_rules();

/// One of the rule's calls, drawn: Python text that reads the tensor by the name `v` ("v3") and torch by the name
/// `torch`. The rule must fit the tensor.
std::string broken_call(const BrokenRule& rule, const Breakable& tensor, std::string_view v, std::string_view torch,
                        Choices& choices);

/// Draws calls of operators that break one of their constraints.
class CallBreaker {
 public:
  virtual ~CallBreaker() = default;
  virtual std::string_view name() const = 0;
  /// Python text of a call that torch must refuse, with `{v}` for a tensor of that type and `{torch}` for the module;
  /// everything else in it is a literal or made from literals. Empty if the tensor is none that calls are drawn for.
  virtual std::string call(const TensorType& tensor, Choices& choices) const = 0;
};

/// What several rules ask for.
namespace on {
inline bool any(const Breakable& /*tensor*/) { return true; }
inline bool no_rank(const Breakable& tensor) { return tensor.shape.empty(); }
inline bool has_rank(const Breakable& tensor) { return !tensor.shape.empty(); }
/// Operators often check neither the dtype nor the indices of a tensor without elements.
inline bool filled(const Breakable& tensor) { return has_rank(tensor) && element_count(tensor.shape) > 0; }
/// A last size that does not broadcast with the next larger one.
inline bool wide(const Breakable& tensor) { return has_rank(tensor) && tensor.shape.back() >= 2; }
inline bool integers(const Breakable& tensor) { return is_integral(tensor.dtype) && tensor.dtype != Dtype::kBool; }
inline bool floats(const Breakable& tensor) { return is_floating(tensor.dtype); }
}  // namespace on

}  // namespace jp
