// Decides whether a finding is a known bug. A finding that looks like one is only a candidate; it is that bug if its
// reduced program has the same form as the bug's own, if it has one of the bug's signatures, or if the divergence
// disappears under the bug's avoid line. What remains under an avoid line is another bug, however alike the two look.
// A finding that looks like none is a bug that an `avoid` line mends if that line alone makes it disappear.
// Bugs that don't reproduce on this torch explain nothing.
//
// A divergence may be explained by known bugs as it was found, before anything is confirmed or reduced: `explain`.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "campaign/known/known_avoid.h"
#include "campaign/known/known_explain.h"
#include "campaign/known/known_lines.h"
#include "campaign/known/known_state.h"
#include "core/verdict.h"
#include "report/known.h"
#include "report/known_verdict.h"

namespace jp::campaign {

/// Shared by all jobs; each passes its own runner.
class KnownJudge {
 public:
  /// `standings`: whether each bug reproduces on this torch, in the same order; `torch`: its version.
  KnownJudge(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch);

  /// Runs the finding's program again if a candidate has an avoid line. Without a reduced program the finding's own is
  /// used, and patterns that ask for calls make no candidates. Nothing if given up on the way (`given_up`, which must
  /// be the runner's too).
  std::optional<report::KnownVerdict> judge(pyrunner::Runner& runner, const Finding& finding,
                                            const std::optional<Program>& reduced,
                                            const std::function<bool()>& given_up);

  /// What still diverges under an avoid line of that bug, if the line works on this torch. Nothing if nothing diverges,
  /// if that can't be judged, or if the bug does not reproduce or has no such line.
  struct Behind {
    std::string line;
    UnderAvoid under;
  };
  std::optional<Behind> behind(pyrunner::Runner& runner, const std::string& bug, const Finding& finding);

  /// The bugs that a divergence of a program with these calls may be, as if the whole program were the reduced one:
  /// those that reproduce on this torch, are no regression, and whose signature or pattern fits. Those come first whose
  /// own program calls nothing else; otherwise they are in the order of the corpus.
  std::vector<const report::KnownBug*> fitting(const Signature& signature, const std::vector<std::string>& calls) const;
  /// What known bugs explain of a divergence as it was found: explain() with runs of the program's oracle. Judged under
  /// avoid lines as `options` say, on the backend on which the program was tested: what else it shows there is not
  /// hidden by a bug of a lower one. A line that doesn't help the bug's own program there is judged on the lower one.
  /// `judged` is the divergence, judged alone and attributed. Once the runner gives up, the answer is meaningless.
  Explained explain(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                    const oracle::PlanOptions& options, const JudgedProgram& judged);

  /// The verdict on a finding when nothing can be run any more: no known bug, and which ones it looks like.
  report::KnownVerdict unjudged(const Finding& finding, const std::optional<Program>& reduced) const;

 private:
  struct Entry {
    report::KnownBug bug;
    Standing standing = Standing::kUnknown;
    bool regression = false;  // the bug reproduces, and its head says that it is gone
    std::string form;
    std::vector<std::string> calls;  // of its own program's entry, sorted
  };
  /// A bug that the finding looks like. `by`: "signature" or "form" if that alone says that they are one, else "".
  struct Candidate {
    const Entry* entry = nullptr;
    std::string by;
  };
  struct Subject;
  struct Compared {
    std::string by = "";    // the evidence that they are one bug; "" if there is none
    std::string why = "";   // why there is none
    bool excluded = false;  // there is evidence that they are not
  };

  std::vector<Candidate> candidates(const Finding& finding, const std::optional<Program>& reduced) const;
  Compared compare(pyrunner::Runner& runner, const Candidate& candidate, const Subject& subject);
  bool is_likely(const report::KnownBug& bug, const std::vector<std::string>& calls) const;
  /// The lines that are tried together for a divergence of that kind, judged by that oracle on that backend, of a
  /// program with these calls.
  std::vector<BugLine> together(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Signature& signature,
                                const std::string& backend, const std::vector<std::string>& calls);
  bool loads(pyrunner::Runner& runner, const std::vector<BugLine>& lines);
  bool helps(pyrunner::Runner& runner, const report::KnownBug& bug, const std::string& avoid,
             const std::string& backend);

  std::vector<Entry> entries_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, bool> helps_;  // by bug and avoid line with the backend
  std::map<std::string, bool> loads_;                          // by the lines' text
};

}  // namespace jp::campaign
