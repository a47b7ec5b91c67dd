// Elementwise operators in a program's text: which are safe to compute piece by piece, and how a piece is written.
//
// Safe means bitwise: an operator is in the table only if its result on a slice (of any stride, down to one element)
// has the very bits of the whole result's slice. Measured on torch 2.13.0 CPU over all real dtypes: sigmoid, exp2,
// sinh, cosh, pow, atan2, rsqrt (half types), hypot, logaddexp and floor_divide (bfloat16) differ between vectorised
// and scalar loops and are left out, as are complex operands. So do remainders, and the sign of a zero that maximum,
// minimum and bounds that are tensors give: of floats these are left out too.
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

/// `target = operator(operands)` with the operator from the table.
struct Elementwise {
  const Statement* statement = nullptr;
  Node target;
  Node value;
  /// Every name among the operands, in source order: tensors and Python numbers.
  std::vector<Node> names;
  /// Safe where the result is no floating tensor.
  bool integers_only = false;
};

/// The statement as an elementwise assignment, judged by its text alone; nothing when it is none.
std::optional<Elementwise> find_elementwise(const Parsed& parsed, const Statement& statement);

/// What facts say of an elementwise assignment: which names are tensors, of what types.
struct Pieces {
  KnownTensorType result;
  /// The result requires gradients, or an operand does.
  bool requires_grad = false;
  /// As many as Elementwise::names; empty for Python numbers.
  std::vector<std::optional<KnownTensorType>> operands;

  auto fields() { return std::tie(requires_grad, result, operands); }
  bool fits() const;

  /// Axes of the result that can be walked: of size 1 to `longest`.
  std::vector<int> axes(std::int64_t longest) const;
  /// The axis of an operand that goes with an axis of the result, or nothing when it is broadcast along it.
  std::optional<int> operand_axis(std::size_t operand, int axis) const;
  /// One element of the axis may be selected (which drops the axis) and still gives the same dtype and shape.
  bool can_select(int axis) const;
  /// The result lies in memory as torch.stack and torch.cat lay it.
  bool can_join() const;
};

/// The facts of an assignment; nothing when they are not known or the types are not safe.
std::optional<Pieces> find_pieces(const Elementwise& elementwise, const Facts& facts);
/// The same by way of a note, which may be another assignment's.
std::optional<Pieces> draw_pieces(const Elementwise& elementwise, const Facts& facts, Choices& choices);

/// The operator's text with each sliced operand written by `slice(operand name, its axis)`.
std::string piece_text(const Elementwise& elementwise, const Pieces& pieces, int axis,
                       const std::function<std::string(std::string_view, int)>& slice);
/// "v0[:, i]" for axis 1 and index "i"; index may be "i:i + 1".
std::string subscript(std::string_view name, int axis, std::string_view index);

/// All statements with an elementwise assignment whose pieces are known and pass `fits`.
std::vector<Site> elementwise_sites(const Parsed& parsed, const Facts& facts,
                                    const std::function<bool(const Pieces&)>& fits);

/// The longest axis that is written out piece by piece.
inline constexpr std::int64_t kLongestAxis = 24;

}  // namespace jp::mutate
