// Expressions that give an input other strides, offsets or lazy bits, with the same shape, dtype and (unless expanded)
// elements.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/inputs/inputs.h"

namespace jp::mutate {

/// Which layouts are allowed.
struct LayoutFreedom {
  bool repeat = false;    // expanded ones: elements along an axis become equal
  bool negate = true;     // views with the negative bit
  bool conjugate = true;  // views with the conjugate bit
  bool permute = true;    // axes in another order in memory, which elementwise results inherit
};

/// In-place _foreach_ functions refuse lists with negative views.
inline bool negation_refused(const Parsed& parsed) { return parsed.source().find("_foreach_") != std::string::npos; }

/// The expression to replace an input's text, in a layout drawn at random: transposed or permuted, strided, with an
/// offset, channels_last, a negative or conjugate view, or expanded. A leaf stays a leaf that requires grad.
std::string draw_layout(const Node& text, const InputKind& kind, const std::string& torch, LayoutFreedom may,
                        Choices& choices);

}  // namespace jp::mutate
