#include "campaign/known/known_lines.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "campaign/common/tools.h"
#include "campaign/known/known_avoid.h"

namespace jp::campaign {
namespace {

/// The place of a backend on the ladder; that of the end if it is not on it.
auto rung(const std::string& backend) { return std::find(ladder().begin(), ladder().end(), backend); }

constexpr std::string_view kOfRefused = "rejects_alike";

bool accepts(const std::string& kind) { return kind == mismatch_name(Mismatch::kAccepts); }

bool is_of_refused(const report::KnownBug& bug) {
  return bug.oracle == kOfRefused ||
         (!bug.signatures.empty() &&
          std::all_of(bug.signatures.begin(), bug.signatures.end(), [](const auto& one) { return accepts(one.kind); }));
}

std::vector<BugLine> first(const std::vector<BugLine>& lines, std::size_t count) {
  return {lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::vector<BugLine> with(std::vector<BugLine> lines, const std::vector<BugLine>& more) {
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

}  // namespace

bool shows_on(const report::KnownBug& bug, const std::string& backend) {
  const auto own = rung(backend);
  const auto shows = [&](const report::KnownSignature& one) {
    return one.backend == backend || (own != ladder().end() && (one.backend.empty() || rung(one.backend) <= own));
  };
  if (bug.signatures.empty()) return own != ladder().end();
  return std::any_of(bug.signatures.begin(), bug.signatures.end(), shows);
}

bool may_show(const report::KnownBug& bug, const oracle::Oracle& oracle, const std::string& kind,
              const std::string& backend) {
  return is_of_refused(bug) == (oracle.name() == kOfRefused || accepts(kind)) && shows_on(bug, backend);
}

std::vector<BugLine> mending_lines(const std::vector<const report::KnownBug*>& bugs) {
  std::vector<BugLine> lines;
  for (const report::KnownBug* bug : bugs)
    for (const std::string& text : bug->avoid) {
      const bool there = std::any_of(lines.begin(), lines.end(), [&](const BugLine& one) { return one.text == text; });
      if (!there && !is_switch(text)) lines.push_back({bug, text});
    }
  return lines;
}

std::string text_of(const std::vector<BugLine>& lines) {
  std::string text;
  for (const BugLine& line : lines) text += (text.empty() ? "" : "\n") + line.text;
  return text;
}

std::vector<BugLine> needed_lines(const std::vector<BugLine>& lines, std::size_t most,
                                  const std::function<bool(const std::vector<BugLine>&)>& agrees) {
  if (lines.empty() || !agrees(lines) || agrees({})) return {};
  std::vector<BugLine> needed;
  std::vector<BugLine> left = lines;
  auto guess = static_cast<std::size_t>(std::count_if(lines.begin(), lines.end(), std::mem_fn(&BugLine::likely)));
  while (needed.size() < most) {
    // Without the first `low` of those left it diverges, with the first `high` it agrees.
    std::size_t low = 0;
    std::size_t high = left.size();
    while (high - low > 1) {
      const std::size_t halfway = (low + high) / 2;
      const std::size_t middle = low < guess && guess < high ? std::exchange(guess, 0) : halfway;
      (agrees(with(first(left, middle), needed)) ? high : low) = middle;
    }
    needed.insert(needed.begin(), left[high - 1]);
    left = first(left, high - 1);
    if (agrees(needed)) return needed;
    if (left.empty()) return {};
  }
  return {};
}

}  // namespace jp::campaign
