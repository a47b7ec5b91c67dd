#include "campaign/triage/seen.h"

#include <utility>

#include "campaign/common/confirm.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {

// A divergence that known bugs explain doesn't enter the finding index, so that what is decided of other tests does not
// depend on it.
Seen seen_as(const Divergence& met, const Explained& explained, std::uint64_t test, const report::Slip& slip) {
  Seen seen{.known = {}, .open = std::nullopt, .remembered = met.judged.signature};
  for (const Recognised& bug : explained.bugs) {
    Finding sighting = candidate(met.program, met.judged);
    sighting.signature = oracle::of_known_bug(bug.signature, bug.name);
    sighting.status = Finding::Status::kKnown;
    seen.known.push_back({std::move(sighting), bug.name, bug.link});
  }
  if (seen.known.empty()) {
    seen.open = Case{test, candidate(met.program, met.judged), slip};
    return seen;
  }
  seen.remembered = seen.known.front().finding.signature;
  if (explained.rest)
    seen.open = Case{test, candidate(explained.rest->program, explained.rest->judged),
                     report::Slip{seen.remembered.id(), slip.depth + 1}};
  return seen;
}

}  // namespace jp::campaign
