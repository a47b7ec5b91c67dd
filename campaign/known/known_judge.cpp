#include "campaign/known/known_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "campaign/common/attribute.h"
#include "campaign/common/confirm.h"
#include "campaign/common/tools.h"
#include "campaign/known/known_form.h"
#include "campaign/known/known_signatures.h"
#include "core/among.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

const Program& looked_at(const Finding& finding, const std::optional<Program>& reduced) {
  return reduced ? *reduced : finding.program;
}

bool shows_as(const report::KnownBug& bug, const Signature& signature) {
  return std::any_of(bug.signatures.begin(), bug.signatures.end(), [&](const report::KnownSignature& one) {
    return one.kind == signature.kind && one.backend == signature.backend;
  });
}

/// A program in which no bug shows.
constexpr const char* kPlain =
    "import torch\n\n\ndef make_inputs():\n    return (torch.ones(2),)\n\n\ndef program(x):\n    return x + 1\n";

// What the inputs call says nothing of the bug.
std::vector<std::string> calls_of_entry(const Program& program) {
  const std::string& source = program.source();
  const std::size_t entry = source.find(fmt::format("def {}(", program.entry()));
  return oracle::called_names(source.substr(std::min(entry, source.size())));
}

std::string not_here(Standing standing) {
  return standing == Standing::kGone ? "which is gone on this torch" : "which can't be judged on this torch";
}

}  // namespace

/// What is judged again.
struct KnownJudge::Subject {
  const Program& program;
  const oracle::Oracle& oracle;
  oracle::PlanOptions options;
};

KnownJudge::KnownJudge(std::vector<report::KnownBug> known, std::vector<Standing> standings, const std::string& torch) {
  const std::string release = report::release_of(torch);
  for (std::size_t i = 0; i < known.size(); ++i) {
    Entry entry{.bug = std::move(known[i]), .standing = i < standings.size() ? standings[i] : Standing::kUnknown};
    entry.regression = entry.standing == Standing::kHere && report::said_gone(entry.bug, release);
    const Result<Program> program = known_program(entry.bug.name, entry.bug.text);
    if (program.ok()) {
      entry.form = bug_form(program.value());
      entry.calls = calls_of_entry(program.value());
    }
    entries_.push_back(std::move(entry));
  }
}

// Candidates with the same form or signature come first.
std::vector<KnownJudge::Candidate> KnownJudge::candidates(const Finding& finding,
                                                          const std::optional<Program>& reduced) const {
  const Signature signature = oracle::current_signature(finding);
  const std::string id = reduced ? signature_when_reduced(signature, *reduced).id() : "";
  // Before a finding is reduced, a signature of wrong values stands for all wrong values at that place.
  const std::string own = oracle::is_of_values(signature) ? "" : signature.id();
  const std::string form = reduced ? bug_form(*reduced) : "";
  const auto calls = reduced ? oracle::called_names(reduced->source()) : std::vector<std::string>{};
  std::vector<Candidate> found;
  for (const Entry& entry : entries_) {
    if (!form.empty() && form == entry.form && shows_as(entry.bug, signature))
      found.push_back({&entry, "form"});
    else if (entry.bug.has_signature(id) || entry.bug.has_signature(own))
      found.push_back({&entry, "signature"});
    else if (entry.bug.has_pattern(signature, calls))
      found.push_back({&entry, ""});
  }
  std::stable_partition(found.begin(), found.end(), [](const Candidate& one) { return !one.by.empty(); });
  return found;
}

// An avoid line that does nothing on this torch can't tell two bugs apart: the bug's own program shows whether it does.
bool KnownJudge::helps(pyrunner::Runner& runner, const report::KnownBug& bug, const std::string& avoid,
                       const std::string& backend) {
  const std::pair key(bug.name, backend + "\n" + avoid);
  {
    std::lock_guard lock(mutex_);
    if (const auto kept = helps_.find(key); kept != helps_.end()) return kept->second;
  }
  const Result<Program> program = known_program(bug.name, bug.text);
  if (!program.ok()) return false;
  const UnderAvoid under = under_avoid(runner, need_oracle(bug.oracle), program.value(), {.backend = backend}, avoid);
  // Runs that were given up say nothing.
  if (runner.given_up()) return false;
  std::lock_guard lock(mutex_);
  return helps_[key] = under.kind == UnderAvoid::Kind::kAgrees;
}

KnownJudge::Compared KnownJudge::compare(pyrunner::Runner& runner, const Candidate& candidate, const Subject& subject) {
  const report::KnownBug& bug = candidate.entry->bug;
  bool stays = false;
  for (const std::string& avoid : bug.lines()) {
    const UnderAvoid under = under_avoid(runner, subject.oracle, subject.program, subject.options, avoid);
    if (under.kind == UnderAvoid::Kind::kAgrees) return {.by = "avoid"};
    stays = stays || (under.kind == UnderAvoid::Kind::kDiverges && helps(runner, bug, avoid, subject.options.backend));
  }
  const std::string_view kind = bug.avoid.empty() ? "around" : "avoid";
  if (stays) return {.why = fmt::format("a divergence stays under its {} line", kind), .excluded = true};
  if (!candidate.by.empty()) return {.by = candidate.by};
  if (bug.lines().empty()) return {.why = "neither form nor signature is the same, and it has no avoid line"};
  return {.why = fmt::format("neither form nor signature is the same, and its {} line tells nothing here", kind)};
}

// Lines are patches of what a release of torch has inside: another may not have it.
bool KnownJudge::loads(pyrunner::Runner& runner, const std::vector<BugLine>& lines) {
  const std::string text = text_of(lines);
  {
    std::lock_guard lock(mutex_);
    if (const auto kept = loads_.find(text); kept != loads_.end()) return kept->second;
  }
  Result<Program> plain = Program::make(kPlain, {});
  if (!plain.ok()) return false;
  const UnderAvoid under =
      under_avoid(runner, need_oracle("eager_vs_compiled"), plain.value(), {.backend = ladder().front()}, text);
  if (runner.given_up()) return false;
  std::lock_guard lock(mutex_);
  return loads_[text] = under.kind == UnderAvoid::Kind::kAgrees;
}

bool KnownJudge::is_likely(const report::KnownBug& bug, const std::vector<std::string>& calls) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return &one.bug == &bug; });
  return entry != entries_.end() && std::includes(calls.begin(), calls.end(), entry->calls.begin(), entry->calls.end());
}

std::vector<BugLine> KnownJudge::together(pyrunner::Runner& runner, const oracle::Oracle& oracle,
                                          const Signature& signature, const std::string& backend,
                                          const std::vector<std::string>& calls) {
  // Each judgement of a run that doesn't end takes up its limit.
  if (signature.kind == mismatch_name(Mismatch::kHang)) return {};
  std::vector<const report::KnownBug*> bugs;
  for (const Entry& entry : entries_)
    if (entry.standing == Standing::kHere && !entry.regression && may_show(entry.bug, oracle, signature.kind, backend))
      bugs.push_back(&entry.bug);
  std::vector<BugLine> lines = mending_lines(bugs);
  if (!lines.empty() && !loads(runner, lines))
    std::erase_if(lines, [&](const BugLine& line) { return !loads(runner, {line}); });
  for (BugLine& line : lines)
    line.likely = std::any_of(bugs.begin(), bugs.end(), [&](const report::KnownBug* bug) {
      return among(bug->avoid, line.text) && is_likely(*bug, calls);
    });
  std::stable_partition(lines.begin(), lines.end(), std::mem_fn(&BugLine::likely));
  return lines;
}

std::optional<KnownJudge::Behind> KnownJudge::behind(pyrunner::Runner& runner, const std::string& bug,
                                                     const Finding& finding) {
  const auto entry =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& one) { return one.bug.name == bug; });
  if (entry == entries_.end() || entry->standing != Standing::kHere) return std::nullopt;
  const Subject subject{finding.program, need_oracle(finding.plan.oracle), plan_options_of(finding.plan)};
  std::optional<Behind> found;
  for (const std::string& avoid : entry->bug.lines()) {
    UnderAvoid under = under_avoid(runner, subject.oracle, subject.program, subject.options, avoid);
    if (under.kind == UnderAvoid::Kind::kAgrees) return std::nullopt;
    if (!found && under.kind == UnderAvoid::Kind::kDiverges &&
        helps(runner, entry->bug, avoid, subject.options.backend))
      found = {avoid, std::move(under)};
  }
  return found;
}

std::optional<report::KnownVerdict> KnownJudge::judge(pyrunner::Runner& runner, const Finding& finding,
                                                      const std::optional<Program>& reduced,
                                                      const std::function<bool()>& given_up) {
  const Program& program = looked_at(finding, reduced);
  report::KnownVerdict verdict{.of = program.sha256(), .name = "", .link = "", .by = "", .like = {}};
  const Subject subject{program, need_oracle(finding.plan.oracle), plan_options_of(finding.plan)};
  for (const Candidate& candidate : candidates(finding, reduced)) {
    const report::KnownBug& bug = candidate.entry->bug;
    if (candidate.entry->standing != Standing::kHere) {
      verdict.like.push_back({bug.name, bug.link, not_here(candidate.entry->standing)});
      continue;
    }
    const Compared compared = compare(runner, candidate, subject);
    if (given_up()) return std::nullopt;
    if (compared.by.empty()) {
      verdict.like.push_back({bug.name, bug.link, compared.why, compared.excluded});
    } else if (candidate.entry->regression) {
      verdict.like.push_back({bug.name, bug.link, "which was gone, and is here again"});
      return verdict;
    } else {
      return report::KnownVerdict{verdict.of, bug.name, bug.link, compared.by, {}};
    }
  }
  const std::vector<BugLine> lines = together(runner, subject.oracle, oracle::current_signature(finding),
                                              subject.options.backend, oracle::called_names(program.source()));
  const std::vector<BugLine> needed = needed_lines(runner, subject.oracle, program, subject.options, lines, kMostBugs);
  if (given_up()) return std::nullopt;
  if (needed.empty()) return verdict;
  return report::KnownVerdict{verdict.of, needed.front().bug->name, needed.front().bug->link, "avoid", {}};
}

std::vector<const report::KnownBug*> KnownJudge::fitting(const Signature& signature,
                                                         const std::vector<std::string>& calls) const {
  // A signature of wrong values stands for all wrong values at that place.
  const std::string own = oracle::is_of_values(signature) ? "" : signature.id();
  std::vector<const report::KnownBug*> found;
  for (const Entry& entry : entries_)
    if (entry.standing == Standing::kHere && !entry.regression &&
        (entry.bug.has_pattern(signature, calls) || entry.bug.has_signature(own)))
      found.push_back(&entry.bug);
  std::stable_partition(found.begin(), found.end(),
                        [&](const report::KnownBug* bug) { return is_likely(*bug, calls); });
  std::stable_partition(found.begin(), found.end(),
                        [&](const report::KnownBug* bug) { return bug->has_signature(own); });
  return found;
}

Explained KnownJudge::explain(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                              const oracle::PlanOptions& options, const JudgedProgram& judged) {
  const std::vector<std::string> calls = oracle::called_names(program.source());
  const auto fitting_now = [&](const Signature& signature) { return fitting(signature, calls); };
  const auto judge_under = [&](const Diverging& shown, const std::vector<BugLine>& lines) -> UnderAvoid {
    oracle::PlanOptions own = shown.options;
    const std::string lowest = plan_options_of(shown.judged.plan).backend;
    const bool one = lines.size() == 1;
    if (one && own.backend != lowest && !helps(runner, *lines.front().bug, lines.front().text, own.backend))
      own.backend = lowest;
    if (runner.given_up()) return {};
    UnderAvoid under = under_avoid(runner, oracle, shown.program, own, text_of(lines), &shown.judged);
    if (under.unchanged || !one || under.kind != UnderAvoid::Kind::kDiverges) return under;
    // Under a line that doesn't mend its own bug on this torch anything may diverge.
    if (!helps(runner, *lines.front().bug, lines.front().text, own.backend)) return {};
    under.judged = attribute(runner, oracle, *under.program, plan_options_of(under.judged.plan), under.judged);
    return under;
  };
  return campaign::explain({program, options, judged}, fitting_now,
                           together(runner, oracle, judged.signature, options.backend, calls), judge_under);
}

report::KnownVerdict KnownJudge::unjudged(const Finding& finding, const std::optional<Program>& reduced) const {
  report::KnownVerdict verdict{.of = "", .name = "", .link = "", .by = "", .like = {}};
  for (const Candidate& candidate : candidates(finding, reduced))
    verdict.like.push_back(
        {candidate.entry->bug.name, candidate.entry->bug.link, "the campaign ended before they were compared"});
  return verdict;
}

}  // namespace jp::campaign
