// What the oracle says of a program's outcomes, and what names a finding.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/outcome.h"
#include "core/plan.h"
#include "core/program.h"

namespace jp {

/// Classes of difference, worst first within the strong ones. Those from kStrides on are weak: recorded, but never
/// enough for a divergence.
enum class Mismatch : std::uint8_t {
  kValue,  // an output's elements or Python value
  kGradient,
  kStateAfter,  // inputs afterwards, globals, attributes, printed text, observe()
  kDeath,
  kCompilerError,  // internal error while compiling
  kRaises,         // only the compiled run raises
  kHandler,        // another handler of the program ran, or an exception of another class left it
  kHang,
  kMemory,
  kStructure,  // number, nesting, types
  kDtype,
  kShape,
  kRequiresGrad,
  kAccepts,  // only eager raises
  kMode,     // default dtype, grad mode … after the call
  kCost,     // compile work out of proportion to the program
  kStrides,
  kAliasing,
  kIdentity,
  kLeaf,
  kOffset,
  kVersion,
  kSignOfZero,
  kNanPayload,
  kWarnings,
  kErrorClass,  // both raise, of unrelated classes
  kDenormal,    // both numbers are below the smallest normal one
};

/// "value", "gradient", "state_after" …
std::string_view mismatch_name(Mismatch mismatch);
/// The one of that name; nothing if there is none.
std::optional<Mismatch> mismatch_named(std::string_view name);
bool is_weak(Mismatch mismatch);

/// One difference between the reference and the run under test.
struct Difference {
  Mismatch mismatch = Mismatch::kValue;
  int call = 0;
  std::string where;      // "output[1]", "inputs[0]", "gradients['v0']", "state.counter"
  std::string reference;  // short rendering
  std::string observed;
  /// Numbers behind the decision: "max_abs", "max_rel", "elements" (those that are wrong), "count" (all elements),
  /// "eager_to_float64", "compiled_to_float64" …
  std::map<std::string, double> numbers;
  /// What differs, without names and values, for telling causes apart: "float", "integer", "length", "rank" …
  std::string what;
  bool operator==(const Difference&) const = default;
};

/// What of a call a place is in: "inputs" for "inputs[0].x".
inline std::string part_of_call(const std::string& where) { return where.substr(0, where.find_first_of("[.")); }

/// A rule that was applied at a place and settled a question there: the evidence behind a verdict.
struct Decision {
  std::string rule;  // a name of oracle/rules: "tolerance", "float64", "monte_carlo" …
  int call = 0;
  std::string where;   // as in Difference; "" for the whole run
  std::string answer;  // "rounding", "eager_wrong", "unstable", "wrong", "allowed", "weak"
  std::map<std::string, double> numbers;
  bool operator==(const Decision&) const = default;
};

struct Verdict {
  enum class Kind : std::uint8_t { kAgree, kRejected, kVacuous, kUnstable, kDiverge };
  Kind kind = Kind::kAgree;
  std::string rule;    // name of the rule that decided: "bitwise", "tolerance", "float64", "raises" …
  std::string reason;  // one sentence
  std::vector<Difference> differences;  // strong ones; not empty exactly if kDiverge
  std::vector<Difference> weak;
  /// In the order of judging; the last one at a place counts.
  std::vector<Decision> decisions;
  /// The roles of the two runs that the differences are between: what was expected, and the run under test. `reference`
  /// is "" when the run under test broke a limit, so that there is no run to compare it with. Both are "" when nothing
  /// diverges, and in verdicts of campaigns that did not keep them: oracle/judge/compared_runs.h knows whom those speak
  /// of.
  std::string reference;
  std::string under_test;
  bool operator==(const Verdict&) const = default;
};

/// "agree", "rejected", "vacuous", "unstable", "diverge".
std::string_view verdict_name(Verdict::Kind kind);

/// Names a kind of failure: stable under renaming, values, machine. Versioned.
struct Signature {
  int version = 1;
  std::string backend;
  std::string stage;
  std::string kind;                 // mismatch_name of the worst difference
  std::vector<std::string> frames;  // normalised innermost frames, or other parts that tell causes apart
  /// SHA-256 over the parts, first 16 hexadecimal digits.
  std::string id() const;
  bool operator==(const Signature&) const = default;
};

/// How often a divergence showed under one condition.
struct Trial {
  std::string condition;  // "as it is", "memory filled with 0x4b", "8 threads" …
  int reproduced = 0;
  int attempts = 0;
  bool operator==(const Trial&) const = default;
};

/// A divergence worth storing. Its oracle can judge it again from program and plan.
struct Finding {
  /// kKnown: explained by known bugs as it was found; neither confirmed nor reduced.
  enum class Status : std::uint8_t { kCandidate, kConfirmed, kFlaky, kKnown };
  Program program;
  Plan plan;
  std::vector<Outcome> outcomes;
  Verdict verdict;
  Signature signature;
  Status status = Status::kCandidate;
  int reproduced = 0;  // fresh runs that diverged the same way
  int attempts = 0;
  /// The conditions tried to learn what it depends on; empty if it showed in every run.
  std::vector<Trial> trials;
};

/// "candidate", "confirmed", "flaky", "known".
std::string_view status_name(Finding::Status status);

}  // namespace jp
