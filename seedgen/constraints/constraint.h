// What an operator asks of its call, as the kinds of which exactly one is broken on purpose (after HirGen, 2023:
// disruptive generation), and one such breach.
//
// No operator says how it is broken. The kinds follow from what its draw asks for anyway: the wants of its inputs
// (draw/want.h), the dimensions that it draws, and the literals of its call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/graph.h"
#include "seedgen/types/types.h"

namespace jp::seedgen {

enum class Constraint : std::uint8_t {
  kTensor,     ///< an input is a tensor, or a list of them
  kDtype,      ///< its dtype is one of those wanted
  kRank,       ///< its shape is one of those wanted; broken by another rank
  kSize,       ///< the same, broken by a size at the same rank
  kRelation,   ///< its dtype and shape, each of them wanted, go with the call's other operands
  kValues,     ///< its elements lie in the interval wanted
  kGradients,  ///< it requires no gradients
  kLeaf,       ///< it is written, so it is no leaf that requires gradients
  kOverlap,    ///< it is written, so no two of its elements have the same address
  kDim,        ///< a dimension is one of the input's
  kOtherDim,   ///< dimensions named together differ
  kLiteral,    ///< a literal is of its parameter's type
  kChoice,     ///< a quoted word is one of those that its parameter takes
  kLength,     ///< a tuple has as many items as its parameter takes
  kRange,      ///< a number, or one of a tuple's, is in its parameter's range
  kDevice,     ///< what is passed as `out=` lies on the device of the operands
};
inline constexpr int kConstraints = static_cast<int>(Constraint::kDevice) + 1;

/// "dtype", "rank", …: without blanks.
std::string_view constraint_name(Constraint constraint);
/// "has a dtype that it must not have": what a call does that breaks it, after "input 1" and the like.
std::string_view constraint_says(Constraint constraint);

/// One way to break one constraint of a drawn call.
struct Breach {
  Constraint constraint = Constraint::kTensor;
  /// Which input in the order in which the call asks for them, which dimension in that order, or which argument of the
  /// call. Below kMostPlaces.
  int place = 0;
  /// The parameter's keyword where the call can be written with it, "out" for what is passed as `out=`; else "". In
  /// static storage.
  std::string_view parameter = {};
  /// Far outside what is permitted, rather than just outside.
  bool far = false;
  /// Of inputs: what takes the input's place, as an argument of the program unless `live` is the id of a value that
  /// the program has already.
  GraphValue value = {};
  /// What it replaces; of other breaches the call's first input.
  GraphValue taken = {};
  int live = -1;
  Layout layout = Layout::kContiguous;
  /// Of tensors, dimensions, literals and devices: what is written in their place.
  Argument written = {};
  /// Of ranges: the number that was drawn, and the one in its place.
  double was = 0;
  double now = 0;
};
inline constexpr int kMostPlaces = 32;

/// What is covered by breaking it: a number that names constraint, place and way, below 2^16.
int breach_number(const Breach& breach);
/// "dtype:1:near" for such a number.
std::string breach_name(int number);

}  // namespace jp::seedgen
