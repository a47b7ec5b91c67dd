#include "oracle/judge/compared_runs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace jp::oracle {
namespace {

const RunRequest* request_of(const Plan& plan, std::string_view role) {
  const auto found =
      std::find_if(plan.runs.begin(), plan.runs.end(), [&](const RunRequest& run) { return run.role == role; });
  return found == plan.runs.end() ? nullptr : &*found;
}

}  // namespace

Sides sides_of(const Plan& plan) {
  const Oracle* oracle = find_oracle(plan.oracle);
  return oracle ? oracle->sides() : Sides{};
}

Verdict with_roles(Verdict verdict, const Plan& plan) {
  return verdict.under_test.empty() ? named(std::move(verdict), sides_of(plan)) : verdict;
}

const RunRequest* run_under_test(const Plan& plan, const Verdict& verdict) {
  return request_of(plan, verdict.under_test.empty() ? sides_of(plan).observed : verdict.under_test);
}

const RunRequest* reference_run(const Plan& plan, const Verdict& verdict) {
  return request_of(plan, verdict.under_test.empty() ? sides_of(plan).reference : verdict.reference);
}

const RunRequest* plain_run(const Plan& plan) { return request_of(plan, sides_of(plan).eager); }

const Outcome* outcome_of(const std::vector<Outcome>& outcomes, std::string_view role) {
  const auto found =
      std::find_if(outcomes.begin(), outcomes.end(), [&](const Outcome& outcome) { return outcome.role == role; });
  return found == outcomes.end() ? nullptr : &*found;
}

const Finished* plain_outcome(const Plan& plan, const std::vector<Outcome>& outcomes) {
  const Outcome* outcome = outcome_of(outcomes, sides_of(plan).eager);
  return outcome ? std::get_if<Finished>(&outcome->ending) : nullptr;
}

std::string run_text(const RunRequest& run) {
  std::string text = run.compiled ? "compiled" : "eager";
  if (!run.switches.empty()) text += fmt::format(" with {}", fmt::join(run.switches, ", "));
  if (!run.source.empty()) text += ", of the seed";
  if (!run.after.empty()) text += run.after == "plain" ? " after a plain run" : " after compiling";
  if (run.device != "cpu") text += " on " + run.device;
  return text;
}

SideTexts side_texts(const Plan& plan, const Verdict& verdict) {
  const bool no_run = !verdict.under_test.empty() && verdict.reference.empty();
  const RunRequest* reference = reference_run(plan, verdict);
  const RunRequest* under_test = run_under_test(plan, verdict);
  return {.reference = no_run ? "expected" : (reference ? run_text(*reference) : "eager"),
          .under_test = under_test ? run_text(*under_test) : "compiled"};
}

}  // namespace jp::oracle
