// A reduction pass proposes ways to make a program simpler, as data, and never asks whether one of them still shows the
// fault. One file each in passes/, registered under the file's name; the engine alone merges, tests and accepts
// proposals.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/edit.h"
#include "core/facts.h"
#include "core/registry.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

/// The order of passes: a tier begins when the ones before it find nothing more.
enum class Tier {
  kDrop,     // whole parts: statements, outputs, arguments, calls
  kFlatten,  // structure around code: blocks, functions, classes, containers
  kReplace,  // expressions by simpler ones
  kShrink,   // the data: sizes, values, constants, options
  kPolish,   // what a reader sees: names, imports, comments
};

/// Self-description of a pass.
struct About {
  std::string name;  // the file's name
  Tier tier = Tier::kDrop;
  bool needs_facts = false;  // without facts it proposes nothing, or less
  std::string does;          // one sentence for a reader of a reduction: "Removes comments."
};

/// A rule for making programs simpler. Stateless.
class Pass {
 public:
  explicit Pass(About about) : about_(std::move(about)) {}
  virtual ~Pass() = default;
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  std::string_view name() const { return about_.name; }
  Tier tier() const { return about_.tier; }
  bool needs_facts() const { return about_.needs_facts; }
  std::string_view does() const { return about_.does; }

  /// All its proposals, in a fixed order, the most promising first; each may be applied alone, and any of them together
  /// if they don't conflict (see merge in edits.h). A proposal need not keep the program's meaning, only its syntax:
  /// what can't be written safely is not proposed. Facts may be empty. The engine rejects what is not simpler by
  /// order.h, so a pass need not check that.
  virtual std::vector<EditSet> propose(const Parsed& parsed, const Facts& facts) const = 0;

 private:
  About about_;
};

using Passes = Registry<Pass>;

/// What a step of a reduction does, in a sentence: of a pass, or of what the two stages do besides ("drop_steps",
/// "make_constant", "shrink_draws", "shrink_seed", "shrink_data", "focus", "tidy", "plain_names"). "" for a name that
/// this version lacks.
std::string_view what_it_does(std::string_view step);

/// All passes by tier, then by name: the order of their turns.
std::vector<const Pass*> passes_in_order();

}  // namespace jp::reduce
