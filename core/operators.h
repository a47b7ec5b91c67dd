// What is known of torch's operators: one row of core/operators.tsv each. Torch says most of it (scripts/operators.py
// asks it); a few columns are ours. Every library asks here and keeps no list of names of its own. docs/operators.md
// describes the columns. What a function may do that has no row here is not known, and callers refuse it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/dtype.h"

namespace jp {

/// A set of element types.
class DtypeFlags {
 public:
  void insert(Dtype dtype) { bits_ |= 1U << static_cast<unsigned>(dtype); }
  bool contains(Dtype dtype) const { return (bits_ >> static_cast<unsigned>(dtype) & 1U) != 0; }
  bool empty() const { return bits_ == 0; }

 private:
  std::uint32_t bits_ = 0;
};

/// Operators that take the same operands, so that one may stand for another.
struct OperatorFamily {
  /// Where they are called: "" for functions of torch and methods of tensors, "functional", "special", "foreach".
  std::string_view module;
  std::string_view name;
  /// Positional operands at most; the object of a method counts.
  std::size_t operands = 0;
};

/// A parameter that is written although the operator's name doesn't say so.
struct WrittenParameter {
  std::string_view name;
  /// A call writes it if this parameter is given and is neither None nor False; "": every call writes it.
  std::string_view switched_by;
  /// Where that one stands by position, from 0.
  std::size_t place = 0;
};

struct OperatorFacts {
  enum class Result : std::uint8_t { kUnknown, kNew, kView, kEither };
  /// How far a result may be from that of the reals. Exact: no rounding. Rounded: the nearest number of the type.
  enum class Numerics : std::uint8_t { kUnknown, kExact, kRounded, kLoose };
  /// Computed slice by slice, down to one element, the result has the very bits of the whole result's slices: of
  /// integers and bools, or of all real types.
  enum class Pieces : std::uint8_t { kUnknown, kIntegers, kAll };
  /// The result's dtype. Promoted: what type promotion makes of the operands. Float: floating for integers too. Alike:
  /// operands must be of one type. Truth: bool, but uint8 for uint8. Widened: int64 for all integers. Where and masked:
  /// promoted, without the condition and the mask. Given: what an argument says.
  enum class TypeRule : std::uint8_t {
    kUnknown,
    kPromoted,
    kFloat,
    kAlike,
    kBool,
    kTruth,
    kInt64,
    kWidened,
    kWhere,
    kMasked,
    kGiven
  };
  /// How the result's shape follows from the operands'; see docs/operators.md.
  enum class ShapeRule : std::uint8_t {
    kUnknown,
    kBroadcast,
    kReduced,
    kReducedFilled,
    kReducedPair,
    kAlong,
    kAlongPair,
    kProduct,
    kLinear,
    kRearranged,
    kSameAxes,
    kSame1d,
    kSame2d,
    kSameRank,
    kTransposed,
    kAdjoined,
    kSwapped,
    kPermuted,
    kFlattened,
    kReshaped,
    kExpanded,
    kRepeated,
    kSqueezed,
    kUnsqueezed,
    kSelected,
    kNarrowed,
    kCat,
    kStack,
    kParts,
    kConvolution,
    kPooling,
    kAdaptive,
    kLayerNorm,
    kLoss,
    kOther,
  };

  /// As in `torch.NAME`; `NAME_` is the form in place.
  std::string_view name;
  /// First those that may stand by position, "input" for the tensor that a method is called on; then those given by
  /// keyword alone. What says how or where a result is made (dtype, out, memory_format, …) is left out.
  std::vector<std::string_view> parameters;
  std::size_t places = 0;            // parameters that may stand by position
  std::size_t required = 0;          // of these, those that have no default
  std::string_view symbol;           // Python's, "+"; or ""
  std::string_view module;           // the class in torch.nn whose constructor takes what comes behind the input; or ""
  bool function = false;             // torch.NAME
  bool method = false;               // Tensor.NAME
  bool functional = false;           // torch.nn.functional.NAME
  bool special = false;              // torch.special.NAME
  bool linalg = false;               // torch.linalg.NAME
  bool fft = false;                  // torch.fft.NAME
  bool in_place = false;             // Tensor.NAME_
  bool in_place_function = false;    // torch.NAME_
  bool in_place_functional = false;  // torch.nn.functional.NAME_
  bool out = false;                  // torch.NAME takes out=
  bool foreach = false;              // torch._foreach_NAME gives for a list what NAME gives for each, bit for bit
  /// Those of torch.ops.aten.NAME, where it takes what torch.NAME takes by position; else empty.
  std::vector<std::string_view> overloads;
  bool one_result = false;  // in every overload one tensor
  Result result = Result::kUnknown;
  std::vector<WrittenParameter> writes;  // besides the input
  DtypeFlags dtypes;                     // of the input, on a CPU
  DtypeFlags backward;                   // that have gradients
  bool pointwise = false;
  bool reduction = false;
  bool random = false;         // draws from torch's generator
  bool view_in_place = false;  // NAME_ changes what the tensor is a view of, and no elements

  // Ours.
  /// Leading arguments that are tensors which a variation may change; 0: not known; -1: a list of them.
  int operands = 0;
  /// Types of the promoted operands that eager takes in every form, whatever the values.
  DtypeFlags takes;
  TypeRule type = TypeRule::kUnknown;
  std::optional<Dtype> casts_to;  // of a cast that is named after its type ("half")
  ShapeRule shape = ShapeRule::kUnknown;
  Numerics numerics = Numerics::kUnknown;
  Pieces pieces = Pieces::kUnknown;
  std::vector<OperatorFamily> families;
  /// Somewhere a result or a gradient moves by more than rounding where an operand moves by rounding; docs/operators.md
  /// says what counts.
  bool discontinuous = false;
  /// Gives one tensor that depends on nothing but the operands' elements: no effects, no chance, no kernel that is
  /// chosen by whether gradients are wanted. It may be a view.
  bool pure = false;
  /// Gives a tensor in new memory, writes nothing, and has the same bits wherever the operands lie in memory.
  bool steady = false;
  /// Its operands become indices, sizes, classes or shifts.
  bool indexes = false;
  /// Its operands are cast to integers, or show the sign of a NaN and the like.
  bool casts = false;
  /// The sign of a zero shows in the result.
  bool shows_signs = false;
  /// Rejects an input that requires gradients, or makes something else of it.
  bool rejects_gradients = false;
  /// Rejects some tensor behind its input that requires gradients.
  bool rejects_gradients_behind = false;
  /// NAME_ has no derivative, though NAME has one.
  bool rejects_gradients_in_place = false;
  /// Gives new memory that its own backward does not need: it may be overwritten afterwards.
  bool unsaved = false;

  /// Has one tensor and nothing else by position.
  bool unary() const { return places == 1; }
  bool is_new() const { return result == Result::kNew; }
  /// NAME_ writes the result into the input's elements. Whether gradients flow is not asked: few have none in place.
  bool works_in_place() const { return in_place && !view_in_place && !rejects_gradients_in_place; }
  /// The elements of the input at other places: the numbers behind it say where.
  bool rearranges() const { return shape >= ShapeRule::kRearranged && shape <= ShapeRule::kNarrowed; }
  /// There is `torch.ops.aten.NAME.OVERLOAD`.
  bool has_overload(std::string_view overload) const;
  /// The operator's family in a module of torch, or nullptr.
  const OperatorFamily* family_in(std::string_view where) const;
};

/// All of them, by name, ascending.
std::span<const OperatorFacts> all_operators();
/// The operator of that name ("add"; not "add_"), or nullptr. Takes constant time.
const OperatorFacts* find_operator(std::string_view name);
/// The operator that Python's symbol calls on one tensor ("-": neg) or on two, or nullptr.
const OperatorFacts* find_symbol(std::string_view symbol, bool unary);
/// The cast to that type ("half" for float16), or nullptr.
const OperatorFacts* find_cast(Dtype to);
/// The name without the underscore of a form in place, whether or not there is one: "add" for "add_".
std::string_view base_name(std::string_view name);
/// A family's members in its module, by name, ascending.
const std::vector<const OperatorFacts*>& family_members(const OperatorFamily& family);

namespace detail {
/// The lines of core/operators.tsv, compiled in.
std::span<const std::string_view> operator_lines();
}  // namespace detail

}  // namespace jp
