#include "campaign/known/known_avoid.h"

#include <fmt/format.h>

#include <algorithm>

#include "campaign/common/changed_runs.h"
#include "campaign/known/as_before.h"
#include "campaign/known/known_form.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/judge/source.h"
#include "oracle/judge/verdicts.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

using Kind = UnderAvoid::Kind;

constexpr std::string_view kSwitch = "switch ";

/// The oracle with one more configuration switch set in its compiled runs.
ChangedRuns with_switch(const oracle::Oracle& oracle, const std::string& name) {
  return {oracle, [name](RunRequest& run) {
            if (run.compiled && std::find(run.switches.begin(), run.switches.end(), name) == run.switches.end())
              run.switches.push_back(name);
          }};
}

UnderAvoid read(const Program& program, JudgedProgram judged) {
  const Verdict& verdict = judged.verdict;
  Kind kind = verdict.kind == Verdict::Kind::kDiverge ? Kind::kDiverges : Kind::kUnjudged;
  // A line that makes the backend refuse the program shows nothing of it.
  if (verdict.kind == Verdict::Kind::kAgree && verdict.rule != "expected_refusal") kind = Kind::kAgrees;
  return {kind, verdict.reason, program, std::move(judged)};
}

// A line that was written for another torch may fail while it mends: the exception comes from its own code, which
// `exec` runs without the name of a file.
bool fails_itself(const JudgedProgram& judged, const std::string& avoid) {
  if (avoid.find("exec(") == std::string::npos) return false;
  const auto of_line = [](const std::optional<ExceptionRecord>& raised) {
    return raised && !raised->frames.empty() && raised->frames.front().file == "<string>";
  };
  for (const Outcome& outcome : judged.outcomes)
    if (const auto* finished = std::get_if<Finished>(&outcome.ending))
      for (const CallRecord& call : finished->observation.calls)
        if (of_line(call.exception) || of_line(call.backward_exception)) return true;
  return false;
}

UnderAvoid under_switch(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                        const oracle::PlanOptions& options, const std::string& name) {
  const Result<pyrunner::BackendInfo> backend = runner.backend(options.backend);
  if (!backend.ok()) return {Kind::kUnjudged, backend.error().message};
  const std::vector<std::string>& there = backend.value().switches;
  if (std::find(there.begin(), there.end(), name) == there.end())
    return {Kind::kUnjudged, fmt::format("{} has no switch '{}'", options.backend, name)};
  return read(program, judge_alone(runner, with_switch(oracle, name), program, options));
}

// The program and, where it is compared with a seed, that seed, both with the line.
struct WithLine {
  Program program;
  oracle::PlanOptions options;
};

Result<WithLine> changed_by(const Program& program, const oracle::PlanOptions& options, const std::string& avoid) {
  Result<Program> changed = with_line(program, avoid);
  if (!changed.ok()) return changed.error();
  WithLine both{std::move(changed).value(), options};
  if (options.seed_text.empty()) return both;
  const Result<std::string> seed = with_line(options.seed_text, avoid);
  if (!seed.ok()) return seed.error();
  both.options.seed_text = seed.value();
  return both;
}

}  // namespace

bool is_switch(const std::string& avoid) { return avoid.starts_with(kSwitch); }

bool same_in_eager(const Program& program, const Outcome& one, const Outcome& other) {
  const oracle::Judgement judgement =
      oracle::judge_two_runs(one.ending, other.ending, oracle::dead_lines(program.source()));
  return judgement.wanted.empty() && judgement.verdict.kind != Verdict::Kind::kDiverge &&
         judgement.verdict.kind != Verdict::Kind::kRejected;
}

UnderAvoid under_avoid(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                       const oracle::PlanOptions& options, const std::string& avoid, const JudgedProgram* before) {
  if (is_switch(avoid)) return under_switch(runner, oracle, program, options, avoid.substr(kSwitch.size()));
  const Result<WithLine> changed = changed_by(program, options, avoid);
  if (!changed.ok()) return {Kind::kUnjudged, changed.error().message};
  const auto& [mended, own] = changed.value();
  const auto as_before = before ? std::make_optional<AsBefore>(oracle, *before) : std::nullopt;
  const oracle::Oracle& asked = as_before ? static_cast<const oracle::Oracle&>(*as_before) : oracle;
  // That eager repeats was seen without the line: where the program agrees under it, or shows what it showed, that is
  // enough.
  oracle::PlanOptions once = own;
  once.full = false;
  UnderAvoid shown = read(mended, judge(runner, asked, mended, once, pyrunner::Isolation::kFresh));
  if (as_before && shown.kind == Kind::kDiverges && as_before->are_same(shown.judged.outcomes)) {
    shown.unchanged = true;
    shown.judged.signature = before->signature;
    return shown;
  }
  if (shown.kind != Kind::kAgrees && !runner.given_up())
    shown = read(mended, judge_alone(runner, asked, mended, own, shown.judged.outcomes));
  if (shown.kind == Kind::kDiverges && fails_itself(shown.judged, avoid))
    return {Kind::kUnjudged, fmt::format("the line '{}' fails itself", avoid)};
  const RunRequest* request = oracle::plain_run(shown.judged.plan);
  const Outcome* with = request ? oracle::outcome_of(shown.judged.outcomes, request->role) : nullptr;
  if (shown.kind == Kind::kUnjudged || !with) return shown;
  const Outcome* kept = before ? oracle::outcome_of(before->outcomes, request->role) : nullptr;
  const Outcome without = kept ? *kept : runner.run(program, {*request}, pyrunner::Isolation::kFresh).front();
  if (!same_in_eager(program, without, *with))
    return {Kind::kUnjudged, fmt::format("the line '{}' changes what eager gives", avoid)};
  return shown;
}

std::vector<BugLine> needed_lines(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                                  const oracle::PlanOptions& options, const std::vector<BugLine>& lines,
                                  std::size_t most) {
  return needed_lines(lines, most, [&](const std::vector<BugLine>& some) {
    return under_avoid(runner, oracle, program, options, text_of(some)).kind == Kind::kAgrees;
  });
}

bool stays_behind(pyrunner::Runner& runner, const oracle::Oracle& oracle, const Program& program,
                  const oracle::PlanOptions& options, const std::string& avoid, const Signature& signature) {
  JudgedProgram judged;
  if (is_switch(avoid)) {
    judged = judge(runner, with_switch(oracle, avoid.substr(kSwitch.size())), program, options,
                   pyrunner::Isolation::kFresh, Eagerness::kByNeed);
  } else {
    const Result<WithLine> changed = changed_by(program, options, avoid);
    if (!changed.ok()) return false;
    const auto& [mended, own] = changed.value();
    judged = judge(runner, oracle, mended, own, pyrunner::Isolation::kFresh, Eagerness::kByNeed);
  }
  return judged.verdict.kind == Verdict::Kind::kDiverge && oracle::diverges_alike(judged.signature, signature);
}

}  // namespace jp::campaign
