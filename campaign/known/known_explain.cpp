#include "campaign/known/known_explain.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "campaign/common/confirm.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

using Kind = UnderAvoid::Kind;

/// A bug that was recognised, and what its line leaves; nothing if the program agrees under it.
struct Recognition {
  const report::KnownBug* bug = nullptr;
  std::optional<Diverging> left;
};

/// Whether something else shows under the line. A switch is no part of the program, so that nothing could be judged on
/// top of it.
bool is_other(const UnderAvoid& under, const Diverging& shown) {
  return under.kind == Kind::kDiverges && under.program->source() != shown.program.source() &&
         !oracle::diverges_alike(under.judged.signature, shown.judged.signature);
}

std::optional<Recognition> recognise(const Diverging& shown, const Fitting& fitting, const JudgeUnder& judge_under,
                                     int& lines) {
  for (const report::KnownBug* bug : fitting(shown.judged.signature))
    for (const std::string& line : bug->lines()) {
      if (lines++ >= kMostLines) return std::nullopt;
      UnderAvoid under = judge_under(shown, {{bug, line}});
      if (under.kind == Kind::kAgrees) return Recognition{bug, std::nullopt};
      if (!is_other(under, shown)) continue;
      oracle::PlanOptions options = shown.options;
      if (!options.seed_text.empty()) options.seed_text = plan_options_of(under.judged.plan).seed_text;
      return Recognition{bug, Diverging{*under.program, std::move(options), std::move(under.judged)}};
    }
  return std::nullopt;
}

/// What fitting bugs explain, each recognised by a line of its own.
Explained explain_singly(const Diverging& found, const Fitting& fitting, const JudgeUnder& judge_under) {
  Explained explained;
  Diverging shown = found;
  bool of_values = false;
  int lines = 0;
  while (explained.bugs.size() < kMostBugs) {
    std::optional<Recognition> step = recognise(shown, fitting, judge_under, lines);
    if (!step) break;
    explained.bugs.push_back({step->bug->name, step->bug->link, shown.judged.signature});
    explained.rest = step->left;
    if (!step->left) return explained;
    of_values = of_values || oracle::is_of_values(shown.judged.signature);
    shown = *std::move(step->left);
  }
  return of_values ? Explained{} : explained;
}

/// The lines that are not in the program yet.
std::vector<BugLine> other_than_in(const Program& program, const std::vector<BugLine>& lines) {
  std::vector<BugLine> others;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(others),
               [&](const BugLine& line) { return program.source().find(line.text) == std::string::npos; });
  return others;
}

}  // namespace

Explained explain(const Diverging& found, const Fitting& fitting, const std::vector<BugLine>& together,
                  const JudgeUnder& judge_under) {
  if (!found.judged.plan.depends_on.empty()) return {};
  Explained explained = explain_singly(found, fitting, judge_under);
  if (!explained.bugs.empty() && !explained.rest) return explained;
  const Diverging& shown = explained.rest ? *explained.rest : found;
  const auto agrees = [&](const std::vector<BugLine>& lines) {
    return judge_under(shown, lines).kind == Kind::kAgrees;
  };
  const std::vector<BugLine> needed = needed_lines(other_than_in(shown.program, together), kMostBugs, agrees);
  const Signature signature = shown.judged.signature;
  for (const BugLine& line : needed) explained.bugs.push_back({line.bug->name, line.bug->link, signature});
  if (!needed.empty()) explained.rest = std::nullopt;
  return explained;
}

}  // namespace jp::campaign
