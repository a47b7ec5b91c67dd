// Modes of torch after a call that raised.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/observation.h"

namespace jp::oracle {

/// Among the modes of a run: whether the program's text may set some.
inline constexpr const char* kSetByTheProgram = "set_by_the_program";

struct ChangedMode {
  std::string name;
  std::string eager;
  std::string compiled;
};

/// After an exception a compiler may have got less far than eager, so a program that sets modes itself says nothing. In
/// others a mode that eager leaves as torch starts with it has no reason to be another: these modes.
std::vector<ChangedMode> changed_at_rest(const CallRecord& eager, const CallRecord& compiled);

}  // namespace jp::oracle
