// Applies mutations: lists candidates, draws one, applies its edits, parses the result, assigns ids, extends the
// lineage, counts outcomes, and replays lineages. It knows no mutation by name.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/functions_named.h"
#include "core/lineage.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A mutation and a site at which it can be applied.
struct Candidate {
  const Mutation* mutation = nullptr;
  Site site;
};

/// Outcomes of the attempts to apply one mutation.
struct Count {
  std::int64_t tried = 0;
  std::int64_t applied = 0;
  std::int64_t not_applicable = 0;
  /// The result did not parse or was too large: a bug of the mutation.
  std::int64_t unparsable = 0;
};
using Counts = std::map<std::string, Count, std::less<>>;

/// Relative probabilities by mutation. A mutation that is not in the map has the weight unnamed_weight(); one with the
/// weight 0 is never drawn.
using Weights = std::map<std::string, std::uint32_t, std::less<>>;

/// The weight of a mutation that Weights doesn't name: 0 if it makes broken programs, otherwise 1.
std::uint32_t unnamed_weight(const Mutation& mutation);

/// All candidates, sorted by the mutation's name, then in source order.
std::vector<Candidate> candidates(const Parsed& parsed, const Facts& facts);

/// One step at a given site; its number is the lineage's next. Returns nothing if the mutation does not apply there or
/// the result doesn't parse. `choices` must be a stream for this rewrite alone: its draws are what the step records.
std::optional<Parsed> apply(const Parsed& parsed, const Facts& facts, const Mutation& mutation, const Site& site,
                            Choices& choices, Counts* counts = nullptr);

/// Makes what Facts::moved holds of the program.
using MoveRoundings = std::function<std::vector<Facts>()>;

/// A random step: a mutation is drawn by weight among those with sites, then one of its sites. If it does not apply
/// there, another candidate is drawn, up to eight in all (chosen, not measured). The rewrite's stream is
/// choices.fork("rewrite", step number). `move` is called at most once, when a mutation is drawn that needs_moved() and
/// `facts` have none; it may be empty. A rewrite that brings in a `missing` function counts as one that does not apply.
std::optional<Parsed> random_step(const Parsed& parsed, const Facts& facts, Choices& choices,
                                  const Weights& weights = {}, Counts* counts = nullptr, const MoveRoundings& move = {},
                                  const MissingFunctions& missing = {});

/// Applies recorded steps to a base, without facts, each under its own number. A step is skipped if its mutation is
/// unknown, its site is gone, or it does not apply. All steps of a lineage give its program byte for byte.
Parsed replay(const Parsed& base, const std::vector<Step>& steps);

/// A step as text: ID@STATEMENT[:PATH][=DRAWS], for example "true_block@s3:s5=1,'x > 0'". Texts among the draws stand
/// in single quotes, with \' \\ and \n escaped.
std::string print_step(const Step& step);
/// A parsed step; its number is 0. Without "=" in the text the engine draws anew, so `has_draws` tells that from an
/// empty list.
struct WrittenStep {
  Step step;
  bool has_draws = false;
};
Result<WrittenStep> parse_step(std::string_view text);

}  // namespace jp::mutate
