// A statement beside the functions of a file may change something outside of it: a patch of torch, a flag, a seed. Half
// of a patch is another patch, under which the compiler breaks for reasons of its own. Such statements go or stay.
#pragma once

#include <vector>

#include "core/edit.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce {

/// The proposals that leave each top-level statement whole, or remove it, if it is an expression or assigns to
/// something else than a name ("module.function = other", "exec(text)"). Docstrings don't count.
std::vector<EditSet> with_whole_patches(const Parsed& parsed, std::vector<EditSet> proposals);

}  // namespace jp::reduce
