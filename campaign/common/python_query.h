// Questions that Python answers: a function without arguments, run in a fork of the warm process, that returns a text.
#pragma once

#include <string>

#include "pyrunner/runner.h"

namespace jp::campaign {

/// The text that the program's entry returns in a fork of the warm process, within `seconds` (0: the runner's limit);
/// "" if it fails or returns no text.
std::string answer_of(pyrunner::Runner& runner, const Program& question, double seconds);

/// The text that the function `entry` of this source returns, within `seconds` (0: the runner's limit); "" if it fails
/// or returns no text. Its arguments, if it takes any, are those of the source's make_inputs.
std::string answer_of(pyrunner::Runner& runner, const std::string& source, const std::string& entry = "program",
                      double seconds = 0);

}  // namespace jp::campaign
