// The program in the file of a known bug, and what can be compared of it with a finding's reduced program.
#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "core/result.h"

namespace jp::campaign {

/// The file's `program` and `make_inputs` with all that they need: without the part that runs and compares, the
/// functions that only that part calls, and what an import that fails is answered by. Imports stand first, one a line.
/// An Error when the file does not parse or has no `program`.
Result<Program> known_program(const std::string& name, const std::string& text);

/// The canonical form of what `known_program` leaves of a program (oracle/reduce/canonical.h), the arguments first: two
/// of one form differ in names, numbers and layout only. "" for a program that can't be looked at.
std::string bug_form(const Program& program);

/// The program with that line of Python behind its imports, torch imported before it. An Error when it does not parse.
Result<Program> with_line(const Program& program, const std::string& line);
/// The same of a program's text alone.
Result<std::string> with_line(const std::string& source, const std::string& line);

}  // namespace jp::campaign
