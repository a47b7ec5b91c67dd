// The options of a Runner, and what it knows of its worker.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jp::pyrunner {

/// What a run may use before it is killed.
struct Limits {
  /// Seconds of wall time of one run. Two things are not counted: the time in which it waited for a free processor (up
  /// to ten limits), and the processor time of other programs that it started, such as C++ compilers (up to three).
  double seconds = 60;
  /// A compiled run that timed out is run again alone with this many times the limit before it counts; 0: it counts at
  /// once.
  double hang_retry_factor = 3;
  /// Growth of the process tree's resident memory over the zygote's own; and what a run may take of a GPU's memory, as
  /// it was when the worker started.
  std::int64_t memory_bytes = std::int64_t{4} << 30;
  /// Runs after which a batch child is replaced by a new one (each leaves a megabyte or two behind, except facts-only
  /// runs, of which a hundred count as one).
  int tests_per_child = 50;
  /// What one child may have on disk, its compiler's files included; more ends it. A single file may have as much.
  std::int64_t disk_bytes = std::int64_t{2} << 30;
};

/// Where a run is made.
enum class Isolation : std::uint8_t {
  kBatch,   // in a child that serves many runs, with state restored in between
  kSeries,  // in a child that serves the runs of one request and no others
  kFresh,   // in its own fork of the zygote
  kExec,    // in a new interpreter of its own: slow, and the reference for the others
};

/// The sentence of a start that was cancelled.
inline constexpr std::string_view kStartCancelled = "stopped before the worker had started";

struct RunnerOptions {
  std::string worker;       // path of jitprobe-worker
  std::string guard;        // path of jitprobe-guard
  std::string runtime_dir;  // the folder pyrunner/ with runtime/ and backends/
  std::string python;       // the venv's interpreter: its torch is under test
  /// The device that runs may ask for besides the CPU: "cuda", or "cpu" for none, and then programs find no GPU.
  std::string device = "cpu";
  /// The folder of a g++ that makes Inductor's kernels faster (compiler/main.cpp); "": g++ as it is.
  std::string compiler;
  /// Where runs write; each Runner creates and removes a folder of its own in it. "": the user's temporary folder
  /// (temporary.h).
  std::string work_dir;
  /// Holds Inductor's precompiled header between runs and campaigns.
  std::string cache_dir;
  /// Backends that will be used, as RunRequest::backend names them, for which the worker warms up when it starts (all,
  /// if the list is empty). Before the first run through another one it makes up for what that one needs (warmth.h).
  std::vector<std::string> backends;
  Limits limits;
  /// Whether programs are confined (sandbox.h).
  bool sandbox = true;
  /// Folders that programs may read besides those of Python, torch, the runtime, their own file and the backends'
  /// files.
  std::vector<std::string> readable;
  /// Variables of the worker, "NAME=value", and its current folder; empty: this process's.
  std::vector<std::string> environment;
  std::string current;
  /// Makes every run in a new interpreter, whatever a call asks for.
  bool exec_isolation = false;
  /// Cancellation, polled at 10 Hz by the thread that starts a worker or makes a run. Once true it must stay true;
  /// a start ends with the Error kStartCancelled, the current run and every later one end at once, and their outcomes
  /// are meaningless. Empty: nothing is ever cancelled. Several threads may poll it.
  std::function<bool()> given_up;
};

/// A private name of torch or Python that our runtime uses and that is not there.
struct MissingName {
  std::string name;  // "torch._C._len_torch_function_stack"
  std::string lost;  // a sentence: what can't be done without it
};

/// The worker as it greets.
struct WorkerInfo {
  std::string torch;                 // "2.13.0+cpu"
  std::string python;                // "3.11.7"
  std::string executable;            // sys.executable
  std::string prefix;                // sys.prefix
  std::string library;               // the standard library's folder
  std::string cpu_capability;        // "AVX2": eager's bits depend on it
  std::string cuda;                  // "" for a build without
  std::string compiler;              // path of the C++ compiler, "" when there is none
  bool keeps_instances = false;      // whether its precompiled header keeps template instances
  std::vector<MissingName> missing;  // in the order of runtime/compat; of the compiler's once it is warm
  int private_names = 0;             // that the runtime uses; `missing` are among them
  int threads = 0;                   // of the warm zygote: 1, or it would not be used
  double start_seconds = 0;          // from spawning to the greeting
};

}  // namespace jp::pyrunner
