// The runs that a verdict speaks of, for all that is made of it afterwards: signatures, reproducers, tests, texts.
// Verdicts name them (core/verdict.h); one that was stored before verdicts did stands for the runs that its oracle
// compares.
#pragma once

#include <string>
#include <vector>

#include "oracle/judge/oracle.h"

namespace jp::oracle {

/// The runs that the plan's oracle compares; the default ones where this version lacks the oracle.
Sides sides_of(const Plan& plan);

/// The verdict with the roles of its two runs, if it lacks them.
Verdict with_roles(Verdict verdict, const Plan& plan);

/// The planned run that the verdict blames, and the one that shows what was expected. nullptr when the plan has no such
/// run, as for a reference that is no run but a limit.
const RunRequest* run_under_test(const Plan& plan, const Verdict& verdict);
const RunRequest* reference_run(const Plan& plan, const Verdict& verdict);

/// The plain run of the program itself; nullptr when the plan has none.
const RunRequest* plain_run(const Plan& plan);

/// The outcome of a run of that role, or nullptr.
const Outcome* outcome_of(const std::vector<Outcome>& outcomes, std::string_view role);
/// What the plain run of the program showed; nullptr when there is no such outcome, or it did not finish.
const Finished* plain_outcome(const Plan& plan, const std::vector<Outcome>& outcomes);

/// What a run is called in texts, free of the oracle's own names: "eager", "compiled", "compiled with dynamic",
/// "eager after compiling", "compiled on cuda".
std::string run_text(const RunRequest& run);

/// The two sides of the verdict's differences in words. A reference that is no run is "expected"; runs that the plan
/// lacks are "eager" and "compiled".
struct SideTexts {
  std::string reference;
  std::string under_test;
};
SideTexts side_texts(const Plan& plan, const Verdict& verdict);

}  // namespace jp::oracle
