// An interpreter, asked from outside: a new process of it runs a line of our own code. Programs never run this way.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace jp::pyrunner {

/// What `python -I -c CODE` prints on standard output; an Error if it can't be started or fails.
Result<std::string> ask_python(const std::string& python, const std::string& code);

/// The folders from which this interpreter, its standard library, what is installed for it (torch wherever it lies),
/// the C++ compiler and the libraries of LD_LIBRARY_PATH are read. Asked once in a process for each interpreter (some
/// 30 ms); empty if it doesn't answer.
std::vector<std::string> folders_of_python(const std::string& python);

}  // namespace jp::pyrunner
