// Applies mutations: lists candidates, rolls the dice, edits, parses again, gives ids, keeps the lineage, counts, and
// replays. It knows no mutation by name.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/choices.h"
#include "core/facts.h"
#include "core/lineage.h"
#include "mutate/engine/mutation.h"
#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// A mutation and a place for it.
struct Candidate {
  const Mutation* mutation = nullptr;
  Site site;
};

/// What became of the tries of one mutation.
struct Count {
  std::int64_t tried = 0;
  std::int64_t applied = 0;
  std::int64_t not_applicable = 0;
  /// The result did not parse or was too large: a bug of the mutation.
  std::int64_t unparsable = 0;
};
using Counts = std::map<std::string, Count, std::less<>>;

/// Shares of the draw by mutation; one that is not named has the weight 1, or 0 if it breaks programs; with 0 it is
/// never drawn.
using Weights = std::map<std::string, std::uint32_t, std::less<>>;

/// The weight of a mutation that is not named.
std::uint32_t unnamed_weight(const Mutation& mutation);

/// All candidates, by mutation's name, then in source order.
std::vector<Candidate> candidates(const Parsed& parsed, const Facts& facts);

/// One step at a given site; its number is the lineage's next. Nothing when the mutation does not apply there or the
/// result is no program. `choices` belongs to the rewrite alone: its draws are what the step records.
std::optional<Parsed> apply(const Parsed& parsed, const Facts& facts, const Mutation& mutation, const Site& site,
                            Choices& choices, Counts* counts = nullptr);

/// A step drawn by chance: a mutation by weight among those with sites, then one of its sites; what does not apply is
/// drawn again, up to eight times. The rewrite's stream is choices.fork("rewrite", step number).
std::optional<Parsed> random_step(const Parsed& parsed, const Facts& facts, Choices& choices,
                                  const Weights& weights = {}, Counts* counts = nullptr);

/// The steps again from a base, without facts, each under its own number. A step of an unknown mutation, whose site is
/// gone, or that does not apply, is skipped. All steps of a lineage give its program byte for byte.
Parsed replay(const Parsed& base, const std::vector<Step>& steps);

/// A step as a person writes it: "true_block@s3:s5=1,'x > 0'", that is ID@STATEMENT[:PATH][=DRAWS]; texts among the
/// draws stand in single quotes with \' \\ and \n escaped.
std::string print_step(const Step& step);
/// The step of such a text (its number is 0), or what is wrong with it. Whether draws were given is told apart: without
/// "=" the engine draws.
struct WrittenStep {
  Step step;
  bool has_draws = false;
};
Result<WrittenStep> parse_step(std::string_view text);

}  // namespace jp::mutate
