// Calls that write to tensors. Only syntax and the table of operators are asked, so a method of the file's own with the
// name of an operator counts as one.
#pragma once

#include "mutate/syntax/queries.h"

namespace jp::mutate {

/// The call writes to an argument, though its name doesn't end in "_" and it has no `out=`: running statistics in
/// training, an embedding's weight where a largest norm is given.
bool writes_parameter(const Call& made);
/// The call asks an operator to work in place: `inplace=True`, or True behind all other arguments.
bool asks_in_place(const Call& made);
/// The call may write to a tensor: by its name (`add_`), to `out=`, or in one of the ways above.
bool writes_tensor(const Call& made);

}  // namespace jp::mutate
