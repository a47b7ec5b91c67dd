// The contract of an oracle: which runs to make of a program, and what their outcomes say. One file per oracle in
// oracles/, self-registering; the name is the file's. An oracle is a plan and a pure judge without Python, therefore
// every finding can be judged again, reduced, and tested from recorded outcomes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/outcome.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/registry.h"
#include "core/verdict.h"
#include "oracle/judge/sides.h"

namespace jp::oracle {

/// Values of Plan::depends_on.
inline constexpr std::string_view kUnwrittenMemory = "unwritten memory";
inline constexpr std::string_view kThreads = "threads";
inline constexpr std::string_view kAddresses = "addresses";

/// What the plan of any oracle depends on, besides the program.
struct PlanOptions {
  /// As RunRequest::backend takes it: "inductor", "file:/path/backend.py", "module:callable", "torch:NAME".
  std::string backend;
  /// Whether backward runs after each call.
  bool gradients = true;
  int threads = 1;
  /// As RunRequest::memory_fill and RunRequest::fixed_addresses, for every planned run.
  std::int64_t memory_fill = 0;
  bool fixed_addresses = false;
  /// As Plan::depends_on.
  std::string depends_on;
  /// True: every cheap control run is in the plan from the start (one program, confirmation). False: the fewest runs;
  /// the others are asked for when a difference needs them (fuzzing).
  bool full = false;
  /// True: the judgement after the first control runs counts (candidates of a reduction, whose result is judged again).
  bool brief = false;
  /// "cpu" or "cuda".
  std::string device = "cpu";
  /// Weak classes of difference to report, as Plan::report.
  std::vector<std::string> report;
  /// Drawn configuration switches, as RunRequest::switches; for oracles that compare configurations.
  std::vector<std::string> switches;
  /// Text of the program that this one was made from by mutations; for oracles that compare the two. "" for none.
  std::string seed_text;
};

/// What the outcomes say so far. `wanted` not empty: nothing is decided and the verdict means nothing yet; the caller
/// makes these runs and judges again with their outcomes added.
struct Judgement {
  Verdict verdict;
  std::vector<RunRequest> wanted;
};

/// What an oracle must be given besides a working program and a backend.
enum class Needs {
  kNothing,
  kSeed,      // PlanOptions::seed_text
  kSwitches,  // PlanOptions::switches
  kBroken,    // a program that breaks one rule on purpose
  kGpu,       // a second device
};

/// One method of telling that a compiler is wrong.
class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual std::string_view name() const = 0;
  /// What is compared, in a line of `list oracles`; empty for oracles that wrap another one.
  virtual std::string_view says() const { return {}; }
  virtual Needs needs() const { return Needs::kNothing; }
  /// The runs that it compares, by the roles that `plan` gives them. If it compares several pairs, the one that tells
  /// most. A verdict that diverges names the two runs that it is about.
  virtual Sides sides() const { return {}; }
  /// The runs to start with. Every role in it is unique.
  virtual Plan plan(const Program& program, const PlanOptions& options) const = 0;
  /// The verdict, a pure function of plan and outcomes (in any order; roles that the plan lacks may be among them:
  /// answers to `wanted`). A missing outcome is wanted as soon as the verdict depends on it.
  virtual Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const = 0;
};

/// The oracle of that name, or nullptr.
inline const Oracle* find_oracle(std::string_view name) { return Registry<Oracle>::instance().find(name); }

}  // namespace jp::oracle
