// Stacks as faulthandler and backtrace_symbols print them, parsed into stable frames.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/observation.h"

namespace jp::pyrunner {

/// Files that get stable names: "program" for the one under test, "lib/python/…" below the standard library,
/// "site-packages/…", "<eval_with_key>", "<generated>" for what Inductor wrote; else the bare name.
struct FileNames {
  std::string program;
  std::string library;
};
std::string normal_file(std::string_view path, const FileNames& names);

/// The Python stack in faulthandler's output, innermost first: of the thread that took the signal, or, if that shows
/// none, of the first that has frames. Frames of the runner's own Python are left out.
std::vector<Frame> python_stack(std::string_view text, const FileNames& names);

/// Native frames ("libtorch_cpu.so(at::relu(at::Tensor const&))") without addresses, with C++'s own names, innermost
/// first, from below the signal handler up to the Python interpreter.
std::vector<std::string> native_stack(std::string_view text);

}  // namespace jp::pyrunner
