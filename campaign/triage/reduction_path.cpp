#include "campaign/triage/reduction_path.h"

#include <vector>

namespace jp::campaign {

void ReductionPath::add(const Program& before, const Program& after, std::string_view pass) {
  if (before.source() == after.source()) return;
  made_.insert_or_assign(after.sha256(), Made{before.sha256(), std::string(pass), after.source()});
}

report::Trail ReductionPath::to(const Program& end) const {
  std::vector<const Made*> way;  // the last one first
  for (auto found = made_.find(end.sha256()); found != made_.end(); found = made_.find(found->second.before))
    way.push_back(&found->second);
  report::Trail trail = earlier_;
  for (auto made = way.rbegin(); made != way.rend(); ++made) report::extend(trail, (*made)->pass, (*made)->source);
  return trail;
}

}  // namespace jp::campaign
