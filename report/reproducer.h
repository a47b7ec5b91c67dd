// A finding as one file that anybody with torch can run.
//
// The file holds the unchanged program; its check is under `if __name__ == "__main__"`, so it is itself a program file.
// The check loads the file anew as a module for each run, so that nothing leaks from run to run, runs it twice in eager
// and once compiled, prints both sides and exits 1 if the difference is there, 0 if it is not, 2 if that can't be
// judged (an import fails, eager differs from itself). Only what the finding is about is compared: the check of a wrong
// output ignores gradients. Deaths, hangs and memory growth are tested in a process of their own.
//
// Where the run under test is on another device, arguments and globals are moved there as a worker moves them, and a
// torch that can't use the device can't judge. Runs on two devices are only compared where eager's agree.
//
// Differences from a worker's run: no float64 run (the finding has passed it already), and weak flags are not compared.
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
  /// Text of the backend's file if the backend is "file:…"; "": it is read from that path, and if it can't be read,
  /// imported from it by the reproducer.
  std::string backend_source;
  /// The folder with backends/ and runtime/, from which the text of backends that come with jitprobe is read.
  std::string python_folder;
  /// The seed of the program in which the finding was first seen, if a reduced one is shown.
  std::optional<std::uint64_t> seed = std::nullopt;
};

/// The text of the file, UTF-8. Its head leaves out the sides of a difference that has none.
std::string reproducer(const Finding& finding, const ReproducerOptions& options = {});

/// A Python string literal for any UTF-8 text: raw in triple quotes where that is exact, else escaped. Text that isn't
/// UTF-8 gives a literal that Python doesn't read.
std::string python_literal(const std::string& text);

}  // namespace jp::report
