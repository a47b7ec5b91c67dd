// --only and --without: which mutations may be drawn.
#pragma once

#include "answers/steps.h"
#include "app/command.h"

namespace jp::app {

using MutationFlags = answers::DrawnMutations;

void add_flags(CLI::App& command, MutationFlags& flags);

}  // namespace jp::app
