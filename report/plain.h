// A finding as a person would write it down: the program, its arguments, both sides side by side, one assertion.
#pragma once

#include <optional>
#include <string>

#include "core/verdict.h"
#include "report/reproducer.h"

namespace jp::report {

/// The text of a file that exits with status 1 if the difference is there, 0 if it is not and 2 if that can't be
/// judged. Nothing for findings that need the general reproducer (see short_form.h). The caller has to check that it
/// shows what it should.
std::optional<std::string> plain_reproducer(const Finding& finding, const ReproducerOptions& options = {});

}  // namespace jp::report
