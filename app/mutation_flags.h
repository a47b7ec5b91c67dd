// --only and --without: which mutations may be drawn.
#pragma once

#include <string>
#include <vector>

#include "app/command.h"
#include "core/result.h"
#include "mutate/engine/engine.h"

namespace jp::app {

struct MutationFlags {
  std::vector<std::string> only;
  std::vector<std::string> without;
};

void add_flags(CLI::App& command, MutationFlags& flags);

/// The weight 0 for each mutation that the flags leave out; or which of their names there is none of.
Result<mutate::Weights> weights(const MutationFlags& flags);

}  // namespace jp::app
