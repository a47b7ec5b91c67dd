// A finding as one file that anybody with torch can run.
//
// The file holds the program as it is; its check stands under `if __name__ == "__main__"`, so it is itself a program
// file. The check loads the file anew as a module for each run, so that nothing leaks from run to run, runs it twice in
// eager and once compiled, prints both sides and exits 1 when the difference is there, 0 when it is not, 2 when that
// can't be judged (an import fails, eager differs from itself). Only what the finding is about is compared: the check
// of a wrong output knows nothing of gradients. Death, hangs and memory are tested in a process of their own.
//
// Deviations from a worker's run: no float64 run (the finding has passed it already), flags that are weak are not
// compared.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/verdict.h"

namespace jp::report {

struct ReproducerOptions {
  std::string version;        // of jitprobe
  std::string torch_version;  // that showed the finding
  std::string python_version;
  /// Text of the backend's file when the backend is "file:…"; "": it is read from that path, and where it can't be
  /// read, imported from it by the reproducer.
  std::string backend_source;
  /// The folder with backends/ and runtime/: where the text of backends that come with jitprobe is read.
  std::string python_folder;
  /// That of the program in which the finding was first seen, where a reduced one is shown.
  std::optional<std::uint64_t> seed = std::nullopt;
};

/// The text of the file, UTF-8.
std::string reproducer(const Finding& finding, const ReproducerOptions& options = {});

/// A Python string literal for any UTF-8 text: raw in triple quotes where that is exact, else escaped. Text that isn't
/// UTF-8 gives a literal that Python doesn't read.
std::string python_literal(const std::string& text);

}  // namespace jp::report
