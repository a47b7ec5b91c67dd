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

/// What the run of that role shows at the finding's place: the value (value_text) or the exception; "" if the outcome
/// is missing. `role` is "eager" or "compiled".
std::string side_text(const Finding& finding, const std::string& role);

}  // namespace jp::report
