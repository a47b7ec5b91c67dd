// What a mutation is: it lists the places where it may act, cheaply and without chance, and rewrites one of them. One
// file each in mutations/, registered under the file's name; the engine alone picks places and applies.
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

/// What eager's result does under a mutation.
enum class Exactness {
  kBitwise,    // unchanged, bit for bit
  kRounding,   // unchanged but for rounding or the sign of zero
  kVariation,  // a new program: its own eager run is the reference
  kBroken,     // a program that eager refuses: its first call raises; only drawn where a weight asks for it
};

/// "bitwise", "rounding", "variation", "broken".
std::string_view exactness_name(Exactness exactness);

/// What a mutation says of itself.
struct About {
  std::string name;     // the file's name
  std::string section;  // "A" operators, "B" state, "C" control and scopes, "D" on this input, "E" variations
  Exactness exactness = Exactness::kBitwise;
  bool needs_facts = false;  // without facts it has no sites
  std::string source;        // the system that it comes from: "TorchProbe"
  std::string aims;          // one sentence: the shape of bug that it is after
  /// A mutation that finds something to work on behind this one, so that it is drawn more often as the next step; ""
  /// for none.
  std::string prepares = "";
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

  /// Every place where it may act, in source order. Facts may be empty: then only places that need none.
  virtual std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const = 0;
  /// One of them, each as likely as the others; nothing where there is none. To be overridden where listing is dear.
  virtual std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const {
    const std::vector<Site> all = sites(parsed, facts);
    return all.empty() ? std::nullopt : std::optional(choices.pick(all));
  }
  /// The edits that make the step at a site; empty when it does not apply there. In a replay the facts are empty and
  /// the site may stand in another program than it was found in: all that is taken from facts goes through
  /// choices.note(), and what the site must fulfil is tested again. Names that it makes carry the step's number.
  virtual EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                          int step_number) const = 0;

 private:
  About about_;
};

using Mutations = Registry<Mutation>;

}  // namespace jp::mutate
