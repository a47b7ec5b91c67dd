// Which runs to make of a program. Plain data: it is sent to workers, stored with findings, and printed as Python in
// reproducers.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace jp {

/// One run of a program from its file on: all calls, each with backward and observation.
struct RunRequest {
  /// What the oracle calls it: "eager", "eager_again", "compiled", "float64" …; unique in a plan.
  std::string role;
  /// False: plain eager. True: through `backend`.
  bool compiled = false;
  /// "inductor", "file:/path/backend.py", "module:callable", "torch:NAME". "" when not compiled.
  std::string backend;
  /// Keyword arguments of the compile call beside the program's own COMPILE_OPTIONS, as Python literals.
  std::map<std::string, std::string> options;
  /// "native", or "float64": floating inputs (and floating dtypes named in the program) are cast up, aliasing kept.
  std::string precision = "native";
  /// Whether backward runs after each call.
  bool gradients = true;
  int threads = 1;
  /// Reseeds torch, random and numpy before the run.
  std::uint64_t random_seed = 0;
  bool operator==(const RunRequest&) const = default;
};

struct Plan {
  std::string oracle;
  std::vector<RunRequest> runs;
  bool operator==(const Plan&) const = default;
};

}  // namespace jp
