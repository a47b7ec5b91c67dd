// The signatures that findings have which are a known bug: those of its own program, judged as a finding is.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/known.h"

namespace jp::campaign {

/// The signature of a finding whose reduced program is this one, as heads of known bugs list it: unlike the finding's
/// own, it does not stand for every wrong value at that place.
Signature signature_when_reduced(const Signature& signature, const Program& reduced);

/// As the line of a head.
report::KnownSignature known_signature(const Signature& signature);

/// What the bug's own program shows, alone: for each kind of difference its signature on the first of these backends
/// (as resolve_backend gives them) that shows that kind. An Error when the program can't be judged or shows nothing.
Result<std::vector<report::KnownSignature>> signatures_of(pyrunner::Runner& runner, const report::KnownBug& bug,
                                                          const std::vector<std::string>& backends);

}  // namespace jp::campaign
