// A finding as the text of an issue for torch's tracker: Markdown, for a person to read, check and send. Nothing sends
// it.
#pragma once

#include <string>
#include <vector>

#include "core/verdict.h"
#include "report/evidence.h"
#include "report/reproducer.h"

namespace jp::report {

/// The title in the first line ("# …"), then the body. `program`: the reproducer as it is exported. `siblings`: other
/// findings with the same cause, which are listed in one table.
std::string issue_text(const Finding& finding, const Evidence& evidence, const std::string& program,
                       const std::vector<Finding>& siblings = {}, const ReproducerOptions& options = {});

/// The ablation as a Markdown table; "" without rows.
std::string ablation_table(const std::vector<Ablation>& rows);

/// What one of the two runs shows where the finding is.
struct Side {
  std::string name;   // "eager", "compiled with dynamic" (oracle::run_text); "expected" where it is no run
  std::string shown;  // the value (value_text) or the exception; "" when the outcome is not there
};

/// The two runs that the finding's verdict speaks of: what was expected, and the run under test.
struct TwoSides {
  Side reference;
  Side under_test;
};
TwoSides sides_of(const Finding& finding);

}  // namespace jp::report
