#include "campaign/known/known_triggers.h"

#include <algorithm>
#include <set>

#include "campaign/known/known_form.h"
#include "campaign/known/known_lines.h"

namespace jp::campaign {

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
