// The program in the file of a known bug, and what can be compared of it with a finding's reduced program.
#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// The file's `program` and `make_inputs` with everything they need: without the part that runs and compares, the
/// functions that only that part calls, and the fallbacks of failing imports. Imports stand first, one a line. Returns
/// an Error if the file does not parse or has no `program`.
Result<Program> known_program(const std::string& name, const std::string& text);

/// The canonical form of what `known_program` leaves of a program (oracle/reduce/canonical.h), the arguments first: two
/// programs of one form differ in names, numbers and layout only. "" for a program that can't be analysed.
std::string bug_form(const Program& program);

/// The program with that line of Python after its imports, torch imported before it. Returns an Error if it does not
/// parse.
Result<Program> with_line(const Program& program, const std::string& line);
/// The same for a program's text alone.
Result<std::string> with_line(const std::string& source, const std::string& line);

}  // namespace jp::campaign
