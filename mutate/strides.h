// Other layouts of a tensor in memory, as texts: same shape, dtype and (but for expanded ones) elements.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/inputs.h"

namespace jp::mutate {

/// A layout drawn for an input: what to put in the place of its text. Transposed, with its axes in another order,
/// strided, with an offset, channels_last, a negative or conjugate view; expanded where `may_repeat` says that its
/// elements may be all the same. A leaf stays one.
std::string draw_layout(const Node& text, const InputKind& kind, const std::string& torch, bool may_repeat,
                        Choices& choices);

}  // namespace jp::mutate
