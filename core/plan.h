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
  /// Keyword arguments of the compile call in addition to the program's own COMPILE_OPTIONS, as Python literals.
  std::map<std::string, std::string> options;
  /// Configuration switches: names in the backend's table, in the order in which they are set; compile configurations
  /// that must not change a result ("dynamic", "pass:cse").
  std::vector<std::string> switches;
  /// A backend with which the same process compiles and runs the program once before this run, with no state reset in
  /// between; "" for none.
  std::string after;
  /// Text of another program that is run instead (the seed of a mutant); "" for the program of the plan. Entry and
  /// inputs have the same names in both.
  std::string source;
  /// "cpu" or "cuda": where the arguments and the program's tensors live.
  std::string device = "cpu";
  /// "native"; "float64", or "float32" (half types only): the floating inputs and the floating dtypes that the program
  /// names are cast up, aliasing kept; "monte_carlo": native, and every floating result of an inexact operator,
  /// backward included, is moved by -1, 0 or 1 units in the last place, as drawn by `noise_seed`; "other_choices":
  /// native, and unspecified behaviour (which of equal elements an index names, what an in-place operator reads of
  /// memory that it writes) is resolved differently, by `noise_seed`; "other_equals": native, and of this only which of
  /// equal elements an index names, listed by `noise_seed` (1 and up).
  std::string precision = "native";
  std::uint64_t noise_seed = 0;
  /// 0: arguments as the file makes them. Else their floating elements are drawn anew by this seed, in the range that
  /// each tensor has; everything else about them is kept.
  std::uint64_t values_seed = 0;
  /// 0: fresh memory is left as it comes. Else every byte of it is this number's complement (1 to 255, if the C library
  /// can do it: glibc), so that reads of unwritten memory show.
  std::int64_t memory_fill = 0;
  /// A new interpreter whose addresses are the same in every process (on Linux, without address randomisation).
  bool fixed_addresses = false;
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
  /// Names of weak classes of difference that count like strong ones ("strides", "aliasing").
  std::vector<std::string> report;
  /// Lines of the program that give a value to a name which nothing reads: a compiler may remove what raises there.
  std::vector<std::int64_t> dead_lines;
  /// Whether the program's text, and its seed's, has no word by which a value may decide what runs.
  bool straight = false;
  /// Lines of code of the "program" and of its "seed", for oracles that relate work to them.
  std::map<std::string, std::int64_t> sizes;
  /// What a difference depends on: "unwritten memory", "threads" or "addresses", which the runs then set; "" for none.
  std::string depends_on;
  /// Only the control runs that judge a float's precision are asked for. Never stored.
  bool brief = false;
  bool operator==(const Plan&) const = default;
};

}  // namespace jp
