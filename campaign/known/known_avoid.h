// What becomes of a divergence when a known bug is made to go away: what stays is another bug.
#pragma once

#include <optional>
#include <string>

#include "campaign/common/judging.h"
#include "core/result.h"

namespace jp::campaign {

/// What a program that diverges shows under a line `avoid:`.
struct UnderAvoid {
  enum class Kind : std::uint8_t {
    kAgrees,    // so the bug of that line is what it shows
    kDiverges,  // something else is wrong
    kUnjudged,  // the line does not run here, changes what eager gives, or keeps anything from being compiled
  };
  Kind kind = Kind::kUnjudged;
  std::string reason;  // one sentence
  /// What was judged, the line in it, and how; nothing where the line can't be put into it.
  std::optional<Program> program = std::nullopt;
  JudgedProgram judged = {};
};

/// Judges the program again, alone, behind that line of Python, or with that switch of the backend ("switch NAME").
UnderAvoid under_avoid(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                       const oracle::PlanOptions& options, const std::string& avoid);

/// Whether the program still diverges like `signature` there, by the options' own measure (brief or full).
bool stays_behind(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                  const oracle::PlanOptions& options, const std::string& avoid, const Signature& signature);

}  // namespace jp::campaign
