// Rules of torch that a call can break on purpose. A family of rules is one file in breaks/ with a table. Every row
// names its rule, says on which tensors it can be broken, and has the calls that break it.
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
  ///   {dtype} {other_int}             the name of its dtype; of an integer type that is neither that nor int64
  ///   {first} {first_more}            its first size, 0 without dimensions; one more
  ///   {before_first}                  the index before the first valid one
  ///   {last_more}                     one more than its last size
  ///   {count} {count_more}            the number of its elements; one more
  ///   {past} {before}                 the dimensions past either end
  ///   {past_new} {before_new}         the same for a new dimension
  ///   {dim} {same_dim}                a drawn dimension, counted from the front and from the end
  /// and, as the inside of a tuple, without the parentheses:
  ///   {sizes} {longer} {fewer}        its sizes; the last one larger by one; all but the last
  ///   {more_dims} {repeated_dims}     its dimensions and one more; its dimensions with 0 in place of 1
  ///   {more_zeros}                    an index with one dimension too many
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

/// What several rules ask for.
namespace on {
inline bool any(const Breakable& /*tensor*/) { return true; }
inline bool no_rank(const Breakable& tensor) { return tensor.shape.empty(); }
inline bool has_rank(const Breakable& tensor) { return !tensor.shape.empty(); }
/// Operators often check neither the dtype nor the indices of a tensor without elements.
inline bool filled(const Breakable& tensor) { return has_rank(tensor) && element_count(tensor.shape) > 0; }
/// A last size that does not broadcast with the next larger one.
inline bool wide(const Breakable& tensor) { return has_rank(tensor) && tensor.shape.back() >= 2; }
inline bool bools(const Breakable& tensor) { return tensor.dtype == Dtype::kBool; }
inline bool numbers(const Breakable& tensor) { return !bools(tensor); }
inline bool integers(const Breakable& tensor) { return is_integral(tensor.dtype) && numbers(tensor); }
inline bool floats(const Breakable& tensor) { return is_floating(tensor.dtype); }
/// Elements that can be compared by size.
inline bool ordered(const Breakable& tensor) { return !is_complex(tensor.dtype); }
inline bool wide_numbers(const Breakable& tensor) { return wide(tensor) && numbers(tensor); }
inline bool matrix(const Breakable& tensor) { return tensor.shape.size() == 2 && tensor.dtype == Dtype::kFloat32; }
}  // namespace on

}  // namespace jp
