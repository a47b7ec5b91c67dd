// The signatures that findings have which are a known bug: those of its own program, judged as a finding is.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/known.h"

namespace jp::app {

/// The signature of a finding whose reduced program is this one, as heads of known bugs list it: unlike the finding's
/// own, it does not stand for every wrong value at that place.
Signature signature_when_reduced(const Signature& signature, const Program& reduced);

/// As the line of a head.
report::KnownSignature known_signature(const Signature& signature);

/// What the bug's own program shows, alone: for each kind of difference its signature on the lowest rung of the ladder
/// that shows that kind. An Error when the program can't be judged or shows nothing on any rung. The runner was started
/// with the ladder as its backends.
Result<std::vector<report::KnownSignature>> signatures_of(pyrunner::Runner& runner, const report::KnownBug& bug);

}  // namespace jp::app
