// Questions that Python answers: a function without arguments, run in a fork of the warm process, that gives a text.
#pragma once

#include <string>

#include "pyrunner/runner.h"

namespace jp::campaign {

/// The text that the function `entry` of this source gives, within `seconds` (0: the runner's limit); "" when it fails
/// or gives no text. Its arguments, if it asks for any, are those of the source's make_inputs.
std::string answer_of(pyrunner::Runner& runner, const std::string& source, const std::string& entry = "program",
                      double seconds = 0);

}  // namespace jp::campaign
