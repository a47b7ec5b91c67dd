// Runs a reproducer by itself: a new interpreter without any part of jitprobe, under a guard.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "pyrunner/options.h"

namespace jp::pyrunner {

struct Standalone {
  std::string python;  // the interpreter whose torch is tested
  std::string guard;   // path of jitprobe-guard
  std::string cache;   // Inductor's precompiled headers lie in it; they are only read. "": Inductor makes its own
  std::string folder;  // made for this run and removed after it
  bool sandbox = true;
  std::vector<std::string> readable;  // folders that it may read besides those of Python and torch
  double seconds = 300;
  std::int64_t memory_bytes = Limits{}.memory_bytes;  // resident, of all its processes
  std::int64_t disk_bytes = Limits{}.disk_bytes;      // in its folder
  std::int64_t address_bytes = 0;                     // Sandbox::address_bytes
  std::function<bool()> given_up;                     // as RunnerOptions::given_up
};

/// The options that match a Runner of these options: the same interpreter, guard, cache and cancellation.
Standalone beside(const RunnerOptions& options, std::string folder);

/// The exit status of `python FILE` for a file that holds `text`; -1 if it did not end in time, took too much memory or
/// disk, was cancelled or killed, or could not be started. Its output is dropped. Graph caches are off. Whatever it
/// leaves behind is killed.
int run_standalone(const Standalone& options, const std::string& text);

}  // namespace jp::pyrunner
