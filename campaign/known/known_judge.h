// Whether a finding is a known bug. What looks like one is only a candidate; it is that bug when its reduced program
// has the same form as the bug's own, when it has one of the bug's signatures, or when the divergence goes away under
// the bug's avoid line. What stays under an avoid line is another bug, however alike the two look. Bugs that are not
// there on this torch explain nothing.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/known/known_avoid.h"
#include "campaign/known/known_state.h"
#include "core/verdict.h"
#include "report/known.h"
#include "report/known_verdict.h"

namespace jp::campaign {

/// Shared by all jobs; each gives its own runner.
class KnownJudge {
 public:
  /// `standings`: of the bugs on this torch, in the same order; `torch`: its version.
  KnownJudge(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);

  /// Runs the finding's program again where a candidate has an avoid line. Without a reduced program the finding's own
  /// is looked at, and patterns that ask for calls make no candidates. Nothing when given up on the way (`given_up`,
  /// which must be the runner's too).
  std::optional<report::KnownVerdict> judge(pyrunner::Runner& runner, const Finding& finding,
                                            const std::optional<Program>& reduced,
                                            const std::function<bool()>& given_up);

  /// What is still wrong behind an avoid line of that bug, where the line helps against it on this torch. Nothing when
  /// nothing is, when that can't be judged, or when the bug is not there or has no such line.
  struct Behind {
    std::string line;
    UnderAvoid under;
  };
  std::optional<Behind> behind(pyrunner::Runner& runner, const std::string& bug, const Finding& finding);

  /// What is said of a finding when nothing can be run any more: no known bug, and which it looks like.
  report::KnownVerdict unjudged(const Finding& finding, const std::optional<Program>& reduced) const;

 private:
  struct Entry {
    report::KnownBug bug;
    Standing standing = Standing::kUnknown;
    bool regression = false;  // it is there, and its head says that it is gone
    std::string form;
  };
  /// A bug that the finding looks like. `by`: "signature" or "form" when that says by itself that they are one, else
  /// "".
  struct Candidate {
    const Entry* entry = nullptr;
    std::string by;
  };
  struct Subject;

  std::vector<Candidate> candidates(const Finding& finding, const std::optional<Program>& reduced) const;
  std::pair<std::string, std::string> compare(pyrunner::Runner& runner, const Candidate& candidate,
                                              const Subject& subject);
  bool helps(pyrunner::Runner& runner, const Entry& entry, const std::string& avoid, const Subject& subject);

  std::vector<Entry> entries_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, bool> helps_;  // by bug and avoid line with the backend
};

}  // namespace jp::campaign
