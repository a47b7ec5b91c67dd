// The interface of a mutation: it lists its sites, cheaply and deterministically, and rewrites the program at one of
// them. Each mutation is one file in mutations/, registered under the file's name; only the engine picks sites and
// applies edits.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/choices.h"
#include "core/edit.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "core/registry.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// What a mutation promises of eager's result.
enum class Exactness {
  kBitwise,    // unchanged, bit for bit
  kRounding,   // unchanged but for rounding or the sign of zero
  kVariation,  // a new program: its own eager run is the reference
  kBroken,     // a program whose first call raises in eager; drawn only if Weights names it
};

/// "bitwise", "rounding", "variation", "broken".
std::string_view exactness_name(Exactness exactness);

/// A mutation's description.
struct About {
  std::string name;     // the file's name
  std::string section;  // "A" operators, "B" state, "C" control and scopes, "D" on this input, "E" variations
  Exactness exactness = Exactness::kBitwise;
  bool needs_facts = false;  // without facts it has no sites
  std::string source;        // the system or paper that it comes from: "TorchProbe"
  std::string aims;          // one sentence: the kind of bug that it looks for
  /// A mutation that this one creates sites for, which is therefore drawn more often as the next step; "" for none.
  std::string prepares = "";
  bool needs_moved = false;  // it reads Facts::moved, and has less to draw from without
};

/// A rule for changing programs. Stateless.
class Mutation {
 public:
  explicit Mutation(About about) : about_(std::move(about)) {}
  virtual ~Mutation() = default;
  Mutation(const Mutation&) = delete;
  Mutation& operator=(const Mutation&) = delete;

  std::string_view name() const { return about_.name; }
  std::string_view section() const { return about_.section; }
  Exactness exactness() const { return about_.exactness; }
  bool needs_facts() const { return about_.needs_facts; }
  std::string_view source() const { return about_.source; }
  std::string_view aims() const { return about_.aims; }
  std::string_view prepares() const { return about_.prepares; }
  bool needs_moved() const { return about_.needs_moved; }

  /// All sites, in source order. With empty facts: the sites that need none.
  virtual std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const = 0;
  /// One of the sites, drawn uniformly; nothing if there are none. Overridden where listing all sites is expensive.
  virtual std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
    const std::vector<Site> all = sites(parsed, facts);
    return all.empty() ? std::nullopt : std::optional(choices.pick(all));
  }
  /// The edits of the step at a site; empty if it does not apply there. In a replay the facts are empty and the program
  /// may differ from the one in which the site was found: therefore everything taken from facts goes through
  /// choices.note(), and the conditions on the site are tested again. New names carry the step's number.
  virtual EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                          int step_number) const = 0;
  /// The same step with what it computes replaced by the constant that this comes to, for reducing: its statements
  /// stay, and with them the sites of later steps. Nothing if there is no such form, or if the step has it already.
  virtual std::optional<Step> as_constant(const Step& /*step*/) const { return std::nullopt; }

 private:
  About about_;
};

using Mutations = Registry<Mutation>;

}  // namespace jp::mutate
