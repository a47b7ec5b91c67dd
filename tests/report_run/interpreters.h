// Files that were made for readers, run as readers run them: in a folder, by a Python that has torch and no part of
// jitprobe.
#pragma once

#include <string>
#include <vector>

#include "tests/report/build.h"

namespace jp::report::test {

/// The Python whose torch is tested: $JITPROBE_PYTHON, or that of the project's own venv.
std::string python();

/// Whether there is one; if not, the test that asks is skipped.
bool has_python();

/// The exit status of `python ARGUMENTS` in the folder, in a new interpreter; -1 if a signal ended it. What it says
/// stands in the folder's file `output`. `fault`: $FAULT, by which the planted backends choose theirs.
int run_python(const Folder& folder, const std::vector<std::string>& arguments, const std::string& fault = "");

/// The same of `python FILE` in a fork of an interpreter that has imported torch and its compiler: a file takes
/// milliseconds of processor, where a new interpreter imports for 3 to 10 s first. What a file forgets to import of
/// torch's own modules doesn't show in it; one file of each way to write them is therefore run by run_python.
int run_forked(const Folder& folder, const std::string& file, const std::string& fault = "");

/// Which of the two runs a file.
enum class Interpreter { kForked, kNew };
int run_in(Interpreter interpreter, const Folder& folder, const std::string& file, const std::string& fault = "");

}  // namespace jp::report::test
