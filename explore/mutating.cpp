#include "explore/mutating.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "answers/sites.h"
#include "answers/steps.h"
#include "campaign/common/tools.h"
#include "explore/request.h"

namespace jp::explore {
namespace {

using campaign::Profiled;
using codec::Json;

/// A profile run is short. One for a step can't be cancelled, so that each may take this long and no more (chosen, not
/// measured).
constexpr double kProfileSeconds = 20;
constexpr double kWaitSeconds = 60;
/// Steps that one request draws at most, and the largest seed that JSON's readers keep.
constexpr std::uint64_t kMostDrawn = 100;
constexpr std::uint64_t kLargestSeed = (std::uint64_t{1} << 53) - 1;

pyrunner::Limits profile_limits(const Explorer& explorer) {
  pyrunner::Limits limits = explorer.options().runner.limits;
  limits.seconds = kProfileSeconds;
  limits.hang_retry_factor = 0;
  return limits;
}

std::shared_ptr<const Shown> shown_of(const Profiled& made) {
  return std::make_shared<const Shown>(Shown{made.facts, made.observation});
}

/// Facts without a runner where they are known. The runner is given back when this returns.
template <typename Take>
Result<Profiled> known_or_profiled(Explorer& explorer, const mutate::Parsed& parsed, const Take& take) {
  if (const auto known = explorer.facts().find(parsed)) return Profiled{parsed, known->facts, known->observation};
  Result<Runners::Lease> lease = take();
  if (!lease.ok()) return lease.error();
  return profiled(explorer, lease.value().runner(), parsed);
}

Json statements_json(const mutate::Parsed& parsed) {
  const std::string& source = parsed.source();
  const auto line_at = [&](std::size_t at) {
    return 1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  Json rows = Json::array();
  for (const mutate::Statement& statement : parsed.statements())
    rows.push_back({{"id", statement.id}, {"line", line_at(statement.begin)}, {"end_line", line_at(statement.end)}});
  return rows;
}

std::string lineage_text(const std::vector<answers::ReplayedStep>& steps) {
  std::string text;
  for (const answers::ReplayedStep& step : steps) text += (step.error.empty() ? step.text : "") + "\n";
  return text;
}

std::string written_last(const mutate::Parsed& made) {
  return mutate::print_step(made.program().lineage().steps.back());
}

}  // namespace

Result<Profiled> profiled(Explorer& explorer, pyrunner::Runner& runner, const mutate::Parsed& parsed) {
  if (const auto known = explorer.facts().find(parsed)) return Profiled{parsed, known->facts, known->observation};
  Result<Profiled> made = campaign::profile(runner, parsed);
  if (made.ok()) explorer.facts().keep(parsed, shown_of(made.value()));
  return made;
}

std::optional<Profiled> numbered_step(pyrunner::Runner& runner, const Profiled& current, Choices& choices,
                                      const mutate::Weights& weights, int number) {
  std::optional<Profiled> next = campaign::checked_step(runner, current, choices, weights);
  if (!next || next->parsed.program().lineage().steps.back().number == number) return next;
  Result<mutate::Parsed> again = answers::renumbered(current.parsed, next->parsed, number);
  if (!again.ok()) return std::nullopt;
  Result<Profiled> shown = campaign::profile(runner, std::move(again).value());
  return shown.ok() ? std::optional(std::move(shown).value()) : std::nullopt;
}

Reply replay(Explorer& explorer, const Json& body) {
  Result<mutate::Parsed> base = read_parsed(body, explorer);
  if (!base.ok()) return refused(400, base.error().message);
  Result<std::vector<std::string>> steps = read_steps(body);
  if (!steps.ok()) return refused(400, steps.error().message);
  const answers::Replayed replayed = answers::replay_written(base.value(), steps.value());
  Json rows = Json::array();
  for (const answers::ReplayedStep& step : replayed.steps)
    rows.push_back(
        {{"text", step.text}, {"source", step.source}, {"error", step.error}, {"exactness", step.exactness}});
  return {200, {{"steps", rows}, {"source", replayed.made.source()}, {"lineage", lineage_text(replayed.steps)}}};
}

Result<Stream::Work> sites_work(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return asked.error();
  return Stream::Work([&explorer, made = std::move(asked.value().made)](Stream& stream) {
    Json json = {{"statements", statements_json(made)}, {"sites", Json::array()}};
    Result<Profiled> shown = known_or_profiled(explorer, made, [&] {
      stream.say("runs it once in eager, to learn where mutations apply");
      return explorer.runners().take(stream.cancel(), profile_limits(explorer),
                                     [&](const std::string& what) { stream.say(what); });
    });
    if (stream.cancel().asked()) return;
    if (shown.ok())
      json["sites"] = answers::sites_json(made, shown.value().facts);
    else
      json["error"] = shown.error().message;
    stream.emit("sites", json);
  });
}

Reply apply(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return refused(400, asked.error().message);
  Result<std::string> text = read_text(body, "step");
  if (!text.ok()) return refused(400, text.error().message);
  Result<mutate::WrittenStep> written = answers::read_step(text.value());
  if (!written.ok()) return refused(400, written.error().message);
  Result<std::optional<std::uint64_t>> seed = read_number(body, "seed", kLargestSeed);
  if (!seed.ok()) return refused(400, seed.error().message);
  Facts facts;
  if (!written.value().has_draws) {
    Result<Profiled> shown = known_or_profiled(explorer, asked.value().made, [&] {
      return explorer.runners().take_within(kWaitSeconds, profile_limits(explorer));
    });
    if (!shown.ok()) return refused(400, shown.error().message);
    facts = std::move(shown.value().facts);
    if (answers::needs_moved(written.value())) {
      Result<Runners::Lease> lease = explorer.runners().take_within(kWaitSeconds, profile_limits(explorer));
      if (!lease.ok()) return refused(400, lease.error().message);
      facts.moved = campaign::moved_facts(lease.value().runner(), asked.value().made);
    }
  }
  const Choices choices(seed.value().value_or(campaign::fresh_seed()));
  Choices live = choices.fork("apply", static_cast<std::uint64_t>(asked.value().next));
  const mutate::Parsed& before = asked.value().made;
  Result<mutate::Parsed> made = answers::apply_written(before, facts, text.value(), written.value(), std::move(live));
  if (made.ok()) made = answers::renumbered(before, made.value(), asked.value().next);
  if (!made.ok()) return refused(400, made.error().message);
  const mutate::Mutation& mutation = *mutate::Mutations::instance().find(written.value().step.mutation);
  return {200,
          {{"step", written_last(made.value())},
           {"source", made.value().source()},
           {"exactness", mutate::exactness_name(mutation.exactness())}}};
}

Reply random_steps(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return refused(400, asked.error().message);
  Result<std::vector<std::string>> only = read_texts(body, "only");
  if (!only.ok()) return refused(400, only.error().message);
  Result<std::string> exactness = read_text(body, "exactness", "bitwise");
  if (!exactness.ok()) return refused(400, exactness.error().message);
  Result<mutate::Weights> weights = answers::weights({only.value(), {}}, exactness.value());
  if (!weights.ok()) return refused(400, weights.error().message);
  Result<std::optional<std::uint64_t>> seed = read_number(body, "seed", kLargestSeed);
  if (!seed.ok()) return refused(400, seed.error().message);
  Result<std::optional<std::uint64_t>> count = read_number(body, "count", kMostDrawn);
  if (!count.ok()) return refused(400, count.error().message);

  Result<Runners::Lease> lease = explorer.runners().take_within(kWaitSeconds, profile_limits(explorer));
  if (!lease.ok()) return refused(503, lease.error().message);
  Result<Profiled> current = profiled(explorer, lease.value().runner(), asked.value().made);
  if (!current.ok()) return refused(400, current.error().message);
  const Choices choices(seed.value().value_or(campaign::fresh_seed()));
  Json added = Json::array();
  for (std::uint64_t i = 0; i < count.value().value_or(1); ++i) {
    Choices own = choices.fork("step", i);
    const int number = asked.value().next + static_cast<int>(added.size());
    std::optional<Profiled> next = numbered_step(lease.value().runner(), current.value(), own, weights.value(), number);
    if (!next) continue;
    added.push_back(written_last(next->parsed));
    explorer.facts().keep(next->parsed, shown_of(*next));
    current = std::move(*next);
  }
  return {200, {{"steps", added}, {"source", current.value().parsed.source()}}};
}

}  // namespace jp::explore
