// Mutations of statement ranges that become bodies. They find their sites, take the signature there, have the mutation
// choose how the body is packed, and write it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/engine/mutation.h"
#include "mutate/outline/convention.h"
#include "mutate/outline/signature.h"

namespace jp::mutate {

/// What a body is packed from.
struct Packing {
  const Parsed& parsed;
  const Facts& facts;
  const BodySignature& signature;
  Rewrite& rewrite;
  Choices& choices;

  /// The name of torch at the range, or "".
  std::string torch() const { return torch_name(parsed, signature.first()); }
  /// Draws whether the body moves to module level, once in `in` times where it may.
  bool draw_outside(std::uint64_t in) { return choices.chance(1, in) && stands_alone(parsed, signature); }
  Convention draw(const std::vector<Channel>& channels, bool outside) {
    return draw_convention(rewrite, signature, channels, outside, choices);
  }
};

/// Whether a statement may be part of a statement range.
using Fits = std::function<bool(const Statement&)>;
/// Sites at all statement ranges of up to six statements (three if branches or loops are among them; both chosen, not
/// measured) that find_signature accepts and all of whose statements pass `fits`. The path is the id of the last
/// statement, or "" if the range is one statement. None in a program that uses introspection.
std::vector<Site> extraction_sites(const Parsed& parsed, const Facts& facts, const Fits& fits = {});
/// The signature at such a site. The names that facts saw bound are recorded.
BodySignature draw_signature(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                             const Fits& fits = {});

/// A mutation that makes a statement range a body.
class OutlineMutation : public Mutation {
 public:
  using Mutation::Mutation;
  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const final;

 private:
  /// The signature at a site; false if the range no longer qualifies.
  virtual BodySignature signature_at(const Parsed& parsed, const Facts& facts, const Site& site,
                                     Choices& choices) const = 0;
  /// The lines around the body; nothing if the mutation doesn't apply.
  virtual std::optional<Body> pack(Packing& packing) const = 0;
};

/// A mutation of any range that can become a body. draw_site() doesn't test all ranges, which would be slow.
class ExtractionMutation : public OutlineMutation {
 public:
  using OutlineMutation::OutlineMutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 private:
  BodySignature signature_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices) const final;
  /// The builtin names in the text that the mutation writes have their usual meaning in this program.
  virtual bool has_words(const Parsed& /*parsed*/) const { return true; }
  /// A further condition on the range's statements, beside those of find_signature; an empty function for none.
  virtual Fits fits(const Parsed& /*parsed*/) const { return {}; }
};

/// A mutation of ranges of up to four assignments (chosen, not measured) that become a function which returns at least
/// one result and is called by something else: a transform of torch, its control flow operators, a checkpoint, a
/// compiler. draw_site() doesn't test all ranges, which would be slow. Site paths: as in statement_ranges.h, but never
/// "empty".
class FunctionMutation : public OutlineMutation {
 public:
  using OutlineMutation::OutlineMutation;
  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const final;
  std::optional<Site> draw_site(const Parsed& parsed, const Facts& facts, Choices& choices) const final;

 protected:
  /// `def function(parameters):` under `prelude`, and `results = call` in place of the range, after `more`.
  static Body function_body(const BodySignature& signature, const std::string& function,
                            const std::vector<std::string>& parameters, const Lines& prelude, const Lines& more,
                            const std::string& call);

 private:
  BodySignature signature_at(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices) const final;
  /// The mutation applies to the range. Facts are not empty if the mutation needs them.
  virtual bool fits(const Parsed& parsed, const Facts& facts, const BodySignature& signature) const = 0;
  bool may_take(const Parsed& parsed, const Facts& facts, const Site& site) const;
};

}  // namespace jp::mutate
