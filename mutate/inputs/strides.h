// Other layouts of a tensor in memory, as texts: same shape, dtype and (but for expanded ones) elements.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/inputs/inputs.h"

namespace jp::mutate {

/// What a layout may do besides.
struct LayoutFreedom {
  bool repeat = false;    // its elements may be all the same
  bool negate = true;     // it may be a negative view
  bool conjugate = true;  // or a conjugate one
  bool permute = true;    // its axes may lie in another order, which what is computed of it keeps
};

/// Lists that are written in place may hold no negative views.
inline bool negation_refused(const Parsed& parsed) { return parsed.source().find("_foreach_") != std::string::npos; }

/// A layout drawn for an input: what to put in the place of its text. Transposed, with its axes in another order,
/// strided, with an offset, channels_last, a negative or conjugate view; expanded where
/// elements may repeat. A leaf stays one.
std::string draw_layout(const Node& text, const InputKind& kind, const std::string& torch, LayoutFreedom may,
                        Choices& choices);

}  // namespace jp::mutate
