// A finding as a person would write it down: the program, its arguments, both sides side by side, one assertion.
#pragma once

#include <optional>
#include <string>

#include "core/verdict.h"
#include "report/reproducer.h"

namespace jp::report {

/// The text of a file that ends with status 1 when the difference is there, 0 when it is not and 2 when that can't be
/// judged. Nothing for findings that need the general reproducer (see short_form.h). That it shows what it should is
/// for its caller to try.
std::optional<std::string> plain_reproducer(const Finding& finding, const ReproducerOptions& options = {});

}  // namespace jp::report
