// Outputs that are the memory of an argument, or of the program's state: whoever writes to one of the two then changes
// the other.
#pragma once

#include <cstddef>
#include <vector>

#include "core/observation.h"

namespace jp::oracle {

/// The numbers of those tensors of a call's output, in the order of the output's tree, that share memory with an
/// argument or with the state in the compiled run and with neither in eager. Nothing if the outputs hold different
/// numbers of tensors. The other way round is no bug that shows: what is a copy can't be written through.
std::vector<std::size_t> outputs_that_became_held(const Observation& eager, const CallRecord& eager_call,
                                                  const Observation& compiled, const CallRecord& compiled_call);

/// Whether that tensor of a call's output shares memory with an argument or with the state; true if the output holds no
/// such tensor.
bool output_is_held(const Observation& run, const CallRecord& call, std::size_t tensor);

}  // namespace jp::oracle
