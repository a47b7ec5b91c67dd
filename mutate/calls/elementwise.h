// Elementwise operators in a program's text: which may be computed slice by slice, and how a slice's expression is
// written.
//
// An operator is safe if its result on a slice (of any stride, down to one element) is bitwise equal to that slice of
// the whole result; the column `pieces` of core/operators.tsv says so. Measured on torch 2.13.0 CPU over all real
// dtypes: sigmoid, exp2, sinh, cosh, pow, atan2, rsqrt (half types), hypot, logaddexp and floor_divide (bfloat16)
// differ between vectorised and scalar loops and are left out; complex operands are left out too. For floating results
// the remainders are left out, and so are maximum, minimum and clamp with tensors as bounds, whose zeros differ in
// sign.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/choices.h"
#include "core/dtype.h"
#include "core/facts.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// `target = operator(operands)` with such an operator, or such a call inside a statement.
struct Elementwise {
  const Statement* statement = nullptr;
  /// No node for a call inside a statement.
  Node target;
  Node value;
  /// The operands that are names or attributes of names, in source order: tensors and Python numbers.
  std::vector<Node> names;
  /// The operator is safe only if the result is not a floating tensor.
  bool integers_only = false;
};

/// What a site stands for, by syntax alone: with the path "" the statement as an elementwise assignment, with "2" the
/// third elementwise call inside it, before which the statement calls nothing else. Nothing if it is none.
std::optional<Elementwise> find_elementwise(const Parsed& parsed, const Statement& statement, std::string_view path);

/// The types in an elementwise assignment, from facts.
struct Pieces {
  KnownTensorType result;
  /// The result or an operand requires grad.
  bool requires_grad = false;
  /// Parallel to Elementwise::names; an empty optional for a Python number.
  std::vector<std::optional<KnownTensorType>> operands;

  auto fields() { return std::tie(requires_grad, result, operands); }
  bool fits() const;
  /// All tensors are row-major, of one floating dtype and one shape.
  bool all_alike() const;

  /// Axes of the result with a size from 1 to `longest`.
  std::vector<int> axes(std::int64_t longest) const;
  /// The operand's axis that corresponds to an axis of the result; nothing if the operand is broadcast along it.
  std::optional<int> operand_axis(std::size_t operand, int axis) const;
  /// An index of the axis may be selected (which drops the axis): the slice then still has the expected dtype and
  /// shape. `dropping`: operands that drops() holds of lose it too.
  bool can_select(int axis, bool dropping = false) const;
  /// The operand has one element along the axis, which is used for all of the result's: "v1[0]" is its part in a slice
  /// along the first axis.
  bool drops(std::size_t operand, int axis) const;
  /// The result has the strides that torch.stack and torch.cat give.
  bool can_join() const;
};

/// The types of an assignment; nothing if the facts don't know them or the operator is not safe for them. Of a call
/// inside a statement facts don't know the result, so its tensors must be of one floating dtype and one row-major
/// layout. `varying`: shapes may differ between visits, but not along the first axis, if all tensors are row-major and
/// surely of one shape at each visit; the least size of each axis is given.
std::optional<Pieces> find_pieces(const Elementwise& elementwise, const Facts& facts, bool varying = false);
/// The same, recorded; in a replay the recorded types may not fit the assignment, in which case nothing is returned.
std::optional<Pieces> draw_pieces(const Elementwise& elementwise, const Facts& facts, Choices& choices,
                                  bool varying = false);

/// The operator's text in which each sliced operand is replaced by `slice(operand name, its axis)`.
std::string piece_text(const Elementwise& elementwise, const Pieces& pieces, int axis,
                       const std::function<std::string(std::string_view, int)>& slice);
/// "v0[:, i]" for axis 1 and index "i"; index may be "i:i + 1".
std::string subscript(std::string_view name, int axis, std::string_view index);

/// Sites at all elementwise assignments and calls whose types are known and pass `fits`.
std::vector<Site> elementwise_sites(const Parsed& parsed, const Facts& facts,
                                    const std::function<bool(const Pieces&)>& fits, bool varying = false);

/// The longest axis that is written out slice by slice (chosen, not measured).
inline constexpr std::int64_t kLongestAxis = 24;

}  // namespace jp::mutate
