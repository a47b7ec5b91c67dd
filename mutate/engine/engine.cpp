#include "mutate/engine/engine.h"

#include <fmt/format.h>

#include <utility>

namespace jp::mutate {
namespace {

// Candidates that are drawn for one step before it is given up (chosen, not measured).
constexpr int kTries = 8;

std::optional<Parsed> apply_as(const Parsed& parsed, const Facts& facts, const Mutation& mutation, const Site& site,
                               Choices& choices, int number, Counts* counts, const MissingFunctions& missing = {}) {
  Count ignored;
  Count& count = counts ? (*counts)[std::string(mutation.name())] : ignored;
  ++count.tried;
  EditSet edits;
  if (parsed.find(site.statement)) edits = mutation.rewrite(parsed, facts, site, choices, number);
  std::string text = edits.empty() ? "" : edits.apply(parsed.source());
  if (edits.empty() || missing.new_in(text, parsed.source())) {
    ++count.not_applicable;
    return std::nullopt;
  }
  const Program& from = parsed.program();
  Lineage lineage = from.lineage();
  lineage.steps.push_back({number, std::string(mutation.name()), site, choices.draws()});
  auto program = Program::make(std::move(text), std::move(lineage), from.path(), from.entry(), from.inputs());
  if (program)
    if (auto made = parsed.after(edits, std::move(program).value(), number)) {
      ++count.applied;
      return std::move(made).value();
    }
  ++count.unparsable;
  return std::nullopt;
}

}  // namespace

std::string_view exactness_name(Exactness exactness) {
  switch (exactness) {
    case Exactness::kBitwise:
      return "bitwise";
    case Exactness::kRounding:
      return "rounding";
    case Exactness::kVariation:
      return "variation";
    case Exactness::kBroken:
      return "broken";
  }
  JP_CHECK(false, "an unknown exactness");
  return "";
}

std::vector<Candidate> candidates(const Parsed& parsed, const Facts& facts) {
  std::vector<Candidate> found;
  for (const Mutation* mutation : Mutations::instance().all())
    for (Site& site : mutation->sites(parsed, facts)) found.push_back({mutation, std::move(site)});
  return found;
}

std::optional<Parsed> apply(const Parsed& parsed, const Facts& facts, const Mutation& mutation, const Site& site,
                            Choices& choices, Counts* counts) {
  return apply_as(parsed, facts, mutation, site, choices, parsed.program().lineage().next_number(), counts);
}

std::uint32_t unnamed_weight(const Mutation& mutation) { return mutation.exactness() == Exactness::kBroken ? 0 : 1; }

// Sites are listed only for the mutation that was drawn, since listing them for all mutations costs more than the
// rewrite. A mutation without sites gets the weight 0; the relative weights of the others stay the same.
std::optional<Parsed> random_step(const Parsed& parsed, const Facts& facts, Choices& choices, const Weights& weights,
                                  Counts* counts, const MoveRoundings& move, const MissingFunctions& missing) {
  const auto& all = Mutations::instance().all();
  std::vector<std::uint32_t> shares;
  std::uint64_t left = 0;
  for (const Mutation* mutation : all) {
    auto weight = weights.find(mutation->name());
    shares.push_back(weight == weights.end() ? unnamed_weight(*mutation) : weight->second);
    left += shares.back();
  }
  int number = parsed.program().lineage().next_number();
  std::optional<Facts> with_moved;
  for (int tries = 0; tries < kTries && left > 0;) {
    const std::size_t at = choices.weighted(shares);
    const std::optional<Site> site = all[at]->draw_site(parsed, facts, choices);
    if (!site) {
      left -= shares[at];
      shares[at] = 0;
      continue;
    }
    Choices inner = choices.fork("rewrite", static_cast<std::uint64_t>(number));
    if (all[at]->needs_moved() && facts.moved.empty() && move && !with_moved) {
      with_moved = facts;
      with_moved->moved = move();
    }
    const Facts& known = with_moved ? *with_moved : facts;
    if (auto made = apply_as(parsed, known, *all[at], *site, inner, number, counts, missing)) return made;
    ++tries;
  }
  return std::nullopt;
}

Parsed replay(const Parsed& base, const std::vector<Step>& steps) {
  Parsed now = base;
  for (const Step& step : steps) {
    const Mutation* mutation = Mutations::instance().find(step.mutation);
    if (!mutation) continue;
    Choices choices = Choices::replay(step.draws);
    if (auto made = apply_as(now, Facts(), *mutation, step.site, choices, step.number, nullptr)) now = *std::move(made);
  }
  return now;
}

}  // namespace jp::mutate
