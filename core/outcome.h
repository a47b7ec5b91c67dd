// How one run ended. Exhaustive: whatever the target does fits in.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/observation.h"

namespace jp {

/// What the compiler reports that it did. `known` is false for backends whose file can't count.
struct Counters {
  bool known = false;
  std::int64_t frames_seen = 0;
  std::int64_t frames_compiled = 0;
  std::int64_t graphs = 0;
  std::int64_t recompile_limit_hits = 0;
  std::map<std::string, std::int64_t> graph_breaks;  // reason -> times
  std::map<std::string, std::int64_t> others;        // "recompiles", "generated_kernels", "vector_kernels", "fallbacks"
  bool operator==(const Counters&) const = default;
};

/// All calls were made (each may have raised: that is in its record).
struct Finished {
  Observation observation;
  Counters counters;
  /// Processes started by the compiler that a signal ended, although the run continued: "cc1plus: signal 11".
  std::vector<std::string> lost_children;
  bool operator==(const Finished&) const = default;
};

/// The run could not be made: `stage` is "file", "inputs", "before_call", "observe", "compile" or "backend". "compile":
/// torch.compile itself raised before any call. `reason` is one sentence for the user.
struct Raised {
  std::string stage;
  std::string reason;
  ExceptionRecord exception;
  bool operator==(const Raised&) const = default;
};

/// The process ended. `how` is "signal", "exit", "protocol" (an answer missing or malformed) or "disk" (it was ended
/// because it filled its folder).
struct Died {
  std::string how;
  int signal = 0;
  int exit_code = 0;
  std::string last_words;           // end of the standard error of the process
  std::vector<std::string> frames;  // native or Python frames, innermost first, where known
  bool operator==(const Died&) const = default;
};

/// No answer within the limit.
struct TimedOut {
  double seconds = 0;
  std::vector<Frame> stack;  // Python stack, innermost first; empty if none could be read
  bool operator==(const TimedOut&) const = default;
};

/// The process tree grew beyond the limit and was killed.
struct OutOfMemory {
  std::int64_t bytes = 0;
  bool operator==(const OutOfMemory&) const = default;
};

/// jitprobe's own runtime could not make the run: a name of torch or Python that it uses is gone, or its code fails.
/// Says nothing of the program or the compiler. `what` is one sentence that names what is missing.
struct Broken {
  std::string what;
  bool operator==(const Broken&) const = default;
};

using Ending = std::variant<Finished, Raised, Died, TimedOut, OutOfMemory, Broken>;

struct Outcome {
  std::string role;  // the run's role in its plan
  Ending ending;
  double seconds = 0;  // wall time of the run; shown, never judged
  bool operator==(const Outcome&) const = default;
};

/// "finished", "raised", "died", "timed_out", "out_of_memory", "broken".
std::string_view ending_name(const Ending& ending);

}  // namespace jp
