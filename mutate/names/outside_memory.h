// Memory that tensors share with something outside of torch: numpy's arrays, buffers, DLPack. Facts don't see it. Two
// tensors of one array have storages of their own, and what is written to the array shows in neither's history.
#pragma once

#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Somewhere in the file a tensor may get the memory of something outside of torch, or give its own away. Where the
/// other side is used up on the spot (`x.numpy().sum()`, `torch.from_numpy(np.zeros(3))`), nothing is shared.
bool shares_memory_outside(const Parsed& parsed);

/// The node is a call that makes such a tensor or gives its memory away.
bool is_memory_outside(const Parsed& parsed, const Node& node);

}  // namespace jp::mutate
