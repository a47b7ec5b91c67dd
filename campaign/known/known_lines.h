// The avoid lines of several known bugs at once: whether what a program shows is known, and which of them it needs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "oracle/judge/oracle.h"
#include "report/known.h"

namespace jp::campaign {

/// A line of a known bug's head under which it disappears.
struct BugLine {
  const report::KnownBug* bug = nullptr;
  std::string text;
  bool likely = false;  // the program that is judged calls all that the bug's own program calls
};

/// Whether what is tested on this backend may show the bug: its head names no backend, this one, or a lower one of the
/// ladder. False for a backend that is not on the ladder and that the head does not name.
bool shows_on(const report::KnownBug& bug, const std::string& backend);

/// Whether the bug may be what shows as a difference of that kind, judged by that oracle: a bug that shows in what
/// eager refuses, and nowhere else, can't be seen in a program that eager accepts.
bool may_show(const report::KnownBug& bug, const oracle::Oracle& oracle, const std::string& kind,
              const std::string& backend);

/// Each line of `avoid` that is Python, once, in the order of the bugs.
std::vector<BugLine> mending_lines(const std::vector<const report::KnownBug*>& bugs);

/// All of them as lines of one program.
std::string text_of(const std::vector<BugLine>& lines);

/// The fewest lines, at most `most`, under which the program agrees, or none if there are no such. Asks `agrees` once
/// if it does not agree under all of them; else once more without any, so that what shows by chance is nobody's, and
/// for each line that is needed log2 of their number times, and once more where some are likely: these must come first,
/// and whether they are enough is asked before any are halved.
std::vector<BugLine> needed_lines(const std::vector<BugLine>& lines, std::size_t most,
                                  const std::function<bool(const std::vector<BugLine>&)>& agrees);

}  // namespace jp::campaign
