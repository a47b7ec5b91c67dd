// What a test's divergence is at once, whatever other tests show: sightings of known bugs, and a case if something is
// left to decide.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/known/known_explain.h"
#include "campaign/triage/case.h"
#include "core/verdict.h"
#include "oracle/judge/oracle.h"

namespace jp::campaign {

/// A divergence, and how its program was tested.
struct Divergence {
  const oracle::Oracle& oracle;
  oracle::PlanOptions options;  // of the backend on which it was met
  Program program;
  JudgedProgram judged;  // attributed
};

/// A sighting of a known bug: a finding of the status "known", and the bug.
struct KnownSighting {
  Finding finding;
  std::string name;
  std::string link;
};

struct Seen {
  std::vector<KnownSighting> known;  // of the known bugs that explain it, or a part of it
  std::optional<Case> open;          // what has to be decided
  Signature remembered;              // by which the test is remembered: of the first known bug's sightings, or its own
};

/// `explained`: what known bugs explain of it. It is a divergence of that test, met in reductions as `slip` says.
Seen seen_as(const Divergence& met, const Explained& explained, std::uint64_t test, const report::Slip& slip);

}  // namespace jp::campaign
