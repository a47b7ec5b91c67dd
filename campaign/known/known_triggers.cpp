#include "campaign/known/known_triggers.h"

#include <algorithm>
#include <set>

#include "campaign/common/tools.h"
#include "campaign/known/known_form.h"

namespace jp::campaign {
namespace {

/// The place of a backend on the ladder; that of the end if it is not on it.
auto rung(const std::string& backend) { return std::find(ladder().begin(), ladder().end(), backend); }

bool shows_on(const report::KnownBug& bug, const std::string& backend) {
  const auto own = rung(backend);
  if (own == ladder().end()) return false;
  return bug.signatures.empty() ||
         std::any_of(bug.signatures.begin(), bug.signatures.end(), [&](const report::KnownSignature& one) {
           return one.backend.empty() || rung(one.backend) <= own;
         });
}

}  // namespace

Result<std::vector<Features>> triggers_of(const KnownBefore& known, const std::vector<Standing>& standings,
                                          const std::vector<std::string>& backends) {
  std::set<Features> found;
  for (std::size_t i = 0; i < known.bugs.size(); ++i) {
    const report::KnownBug& bug = known.bugs[i];
    const auto shows = [&](const std::string& backend) { return shows_on(bug, backend); };
    if (standings[i] != Standing::kHere || std::none_of(backends.begin(), backends.end(), shows)) continue;
    if (const Result<Program> program = known_program(bug.name, bug.text); program.ok())
      found.insert(trigger_of(program.value(), {}));
  }
  for (const std::string& folder : known.campaigns) {
    Result<std::vector<Trigger>> triggers = triggers_of(folder, Epochs());
    if (!triggers.ok()) return triggers.error();
    for (const Trigger& trigger : triggers.value()) found.insert(trigger.features);
  }
  found.erase(Features{});
  return std::vector<Features>(found.begin(), found.end());
}

}  // namespace jp::campaign
