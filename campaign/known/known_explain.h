// What known bugs explain of a divergence as it was found, before anything is confirmed or reduced.
//
// A bug is recognised if the divergence looks like it (signature or pattern, with what the whole program calls) and its
// avoid line makes the difference: under the line the program agrees in a full judgement, or it diverges in another
// way. Of what remains other bugs are sought in the same way. A program that agrees in the end shows these bugs and
// nothing else. If something remains, only exceptions, deaths and the like are recognised: their message says which bug
// it is. Wrong values are explained in full or not at all, because a line may exchange one for another.
//
// A bug may look otherwise in this program. What is not explained so far is therefore judged once under the avoid lines
// of all bugs together. If it agrees, the lines that it needs are sought, and name the bugs.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "campaign/known/known_avoid.h"
#include "campaign/known/known_lines.h"
#include "report/known.h"

namespace jp::campaign {

/// Most avoid lines that are tried for one divergence, and most bugs that it may show together (chosen, not measured).
inline constexpr int kMostLines = 8;
inline constexpr std::size_t kMostBugs = 3;

/// A diverging program and how it was judged: attributed to the lowest backend, while `options` are of the backend on
/// which it was met.
struct Diverging {
  Program program;
  oracle::PlanOptions options;
  JudgedProgram judged;
};

/// A known bug, and the way of diverging in which it was recognised.
struct Recognised {
  std::string name;
  std::string link;
  Signature signature;
};

struct Explained {
  /// The bugs that it shows, in the order in which they were recognised.
  std::vector<Recognised> bugs;
  /// What still diverges when all of them are avoided, with their lines in it; nothing if the program agrees.
  std::optional<Diverging> rest;
};

/// The bugs that a divergence with this signature may be.
using Fitting = std::function<std::vector<const report::KnownBug*>(const Signature&)>;
/// Judges what is shown under avoid lines; a divergence is attributed. May judge nothing once the end is near.
using JudgeUnder = std::function<UnderAvoid(const Diverging&, const std::vector<BugLine>&)>;

/// Nothing is explained of what depends on a condition. `together`: the lines that are tried at once.
Explained explain(const Diverging& found, const Fitting& fitting, const std::vector<BugLine>& together,
                  const JudgeUnder& judge_under);

}  // namespace jp::campaign
