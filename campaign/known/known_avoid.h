// What becomes of a divergence when a known bug is avoided: what remains is another bug.
#pragma once

#include <optional>
#include <string>

#include "campaign/common/judging.h"
#include "campaign/known/known_lines.h"
#include "core/result.h"

namespace jp::campaign {

/// What a diverging program shows under an `avoid:` line.
struct UnderAvoid {
  enum class Kind : std::uint8_t {
    kAgrees,    // the avoided bug is what the program shows
    kDiverges,  // something else is wrong
    kUnjudged,  // the line does not run here, fails, changes what eager gives, or prevents compilation altogether
  };
  Kind kind = Kind::kUnjudged;
  std::string reason;  // one sentence
  /// The program that was judged, with the line in it, and how; nothing if the line can't be inserted.
  std::optional<Program> program = std::nullopt;
  JudgedProgram judged = {};
  /// Whether all planned runs show what they showed without the line; then `judged` has the verdict of then.
  bool unchanged = false;
};

/// Whether two eager runs of the program give the same, as eager and compiled ones are compared.
bool same_in_eager(const Program& program, const Outcome& one, const Outcome& other);

/// Whether the line is a switch of the backend, and no Python.
bool is_switch(const std::string& avoid);

/// Judges the program again, alone, with that line of Python in front (or several, parted by ends of lines), or with
/// that switch of the backend ("switch NAME"). `before`, if there is one: the program without the line, judged alone,
/// which diverges. Where the line changes nothing of it, no control runs are made again.
UnderAvoid under_avoid(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                       const oracle::PlanOptions& options, const std::string& avoid,
                       const JudgedProgram* before = nullptr);

/// needed_lines() of a program, each question one judgement under those lines.
std::vector<BugLine> needed_lines(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                                  const oracle::PlanOptions& options, const std::vector<BugLine>& lines,
                                  std::size_t most);

/// Whether the program still diverges like `signature` under the line, judged as the options say (brief or full).
bool stays_behind(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                  const oracle::PlanOptions& options, const std::string& avoid, const Signature& signature);

}  // namespace jp::campaign
