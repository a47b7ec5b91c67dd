#include "explore/mutating.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "answers/sites.h"
#include "answers/steps.h"
#include "campaign/common/tools.h"
#include "explore/request.h"

namespace jp::explore {
namespace {

using campaign::Profiled;
using codec::Json;

/// A profile run is short: what takes longer is not waited for (chosen, not measured).
constexpr double kProfileSeconds = 20;
/// Steps that one request draws at most.
constexpr std::uint64_t kMostDrawn = 100;

pyrunner::Limits profile_limits(const Explorer& explorer) {
  pyrunner::Limits limits = explorer.options().runner.limits;
  limits.seconds = kProfileSeconds;
  limits.hang_retry_factor = 0;
  return limits;
}

/// A runner for profile runs. The stream says what for, and ends them when it is cancelled.
Result<Runners::Lease> profile_runner(Explorer& explorer, Stream& stream, const char* purpose) {
  Result<Runners::Lease> lease = explorer.runners().take(stream.cancel(), profile_limits(explorer),
                                                         [&](const std::string& what) { stream.say(what); });
  stream.say(purpose);
  return lease;
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
  std::vector<std::size_t> line_ends;
  for (std::size_t at = 0; at < source.size(); ++at)
    if (source[at] == '\n') line_ends.push_back(at);
  const auto line_at = [&](std::size_t at) {
    return 1 + (std::lower_bound(line_ends.begin(), line_ends.end(), at) - line_ends.begin());
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
      return profile_runner(explorer, stream, "runs it once in eager, to learn where mutations apply");
    });
    if (stream.cancel().asked()) return;
    if (shown.ok())
      json["sites"] = answers::sites_json(made, shown.value().facts);
    else
      json["error"] = shown.error().message;
    stream.emit("sites", json);
  });
}

Reply lineage(const Json& body) {
  Result<std::string> text = read_text(body, "text");
  if (!text.ok()) return refused(400, text.error().message);
  Result<std::vector<std::string>> steps = answers::read_lineage(text.value());
  if (!steps.ok()) return refused(400, steps.error().message);
  return {200, {{"steps", steps.value()}}};
}

namespace {

struct ApplyAsked {
  Asked asked;
  std::string text;
  mutate::WrittenStep written;
  std::uint64_t seed = 0;
};

/// What the step draws from; nothing where it records its draws.
Result<Facts> facts_for(Explorer& explorer, Stream& stream, const ApplyAsked& wanted) {
  if (wanted.written.has_draws) return Facts();
  const auto take = [&] {
    return profile_runner(explorer, stream, "runs it once in eager, to learn what the step may draw");
  };
  Result<Profiled> shown = known_or_profiled(explorer, wanted.asked.made, take);
  if (!shown.ok()) return shown.error();
  Facts facts = std::move(shown.value().facts);
  if (!answers::needs_moved(wanted.written)) return facts;
  Result<Runners::Lease> lease = take();
  if (!lease.ok()) return lease.error();
  facts.moved = campaign::moved_facts(lease.value().runner(), wanted.asked.made);
  return facts;
}

Result<Json> applied(Explorer& explorer, Stream& stream, const ApplyAsked& wanted) {
  Result<Facts> facts = facts_for(explorer, stream, wanted);
  if (!facts.ok()) return facts.error();
  const mutate::Parsed& before = wanted.asked.made;
  Choices live = Choices(wanted.seed).fork("apply", static_cast<std::uint64_t>(wanted.asked.next));
  Result<mutate::Parsed> made =
      answers::apply_written(before, facts.value(), wanted.text, wanted.written, std::move(live));
  if (made.ok()) made = answers::renumbered(before, made.value(), wanted.asked.next);
  if (!made.ok()) return made.error();
  const mutate::Mutation& mutation = *mutate::Mutations::instance().find(wanted.written.step.mutation);
  return Json{{"step", written_last(made.value())},
              {"source", made.value().source()},
              {"exactness", mutate::exactness_name(mutation.exactness())}};
}

struct RandomAsked {
  Asked asked;
  mutate::Weights weights;
  std::uint64_t seed = 0;
  std::uint64_t count = 0;
};

Result<Json> drawn(Explorer& explorer, Stream& stream, const RandomAsked& wanted) {
  Result<Runners::Lease> lease = profile_runner(explorer, stream, "draws mutations, and checks each in eager");
  if (!lease.ok()) return lease.error();
  Result<Profiled> current = profiled(explorer, lease.value().runner(), wanted.asked.made);
  if (!current.ok()) return current.error();
  const Choices choices(wanted.seed);
  Json added = Json::array();
  for (std::uint64_t i = 0; i < wanted.count && !stream.cancel().asked(); ++i) {
    stream.count("added", added.size());
    Choices own = choices.fork("step", i);
    const int number = wanted.asked.next + static_cast<int>(added.size());
    std::optional<Profiled> next = numbered_step(lease.value().runner(), current.value(), own, wanted.weights, number);
    if (!next) continue;
    added.push_back(written_last(next->parsed));
    explorer.facts().keep(next->parsed, shown_of(*next));
    current = std::move(*next);
  }
  return Json{{"steps", added}, {"source", current.value().parsed.source()}};
}

}  // namespace

Result<Stream::Work> apply_work(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return asked.error();
  Result<std::string> text = read_text(body, "step");
  if (!text.ok()) return text.error();
  Result<mutate::WrittenStep> written = answers::read_step(text.value());
  if (!written.ok()) return written.error();
  Result<std::optional<std::uint64_t>> seed = read_number(body, "seed", kLargestSeed);
  if (!seed.ok()) return seed.error();
  auto wanted =
      std::make_shared<const ApplyAsked>(ApplyAsked{std::move(asked).value(), text.value(), std::move(written).value(),
                                                    seed.value().value_or(campaign::fresh_seed())});
  return Stream::Work(
      [&explorer, wanted](Stream& stream) { tell(stream, "applied", applied(explorer, stream, *wanted)); });
}

Result<Stream::Work> random_work(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return asked.error();
  Result<std::vector<std::string>> only = read_texts(body, "only");
  if (!only.ok()) return only.error();
  Result<std::string> exactness = read_text(body, "exactness", "bitwise");
  if (!exactness.ok()) return exactness.error();
  Result<mutate::Weights> weights = answers::weights({only.value(), {}}, exactness.value());
  if (!weights.ok()) return weights.error();
  Result<std::optional<std::uint64_t>> seed = read_number(body, "seed", kLargestSeed);
  if (!seed.ok()) return seed.error();
  Result<std::optional<std::uint64_t>> count = read_number(body, "count", kMostDrawn);
  if (!count.ok()) return count.error();
  auto wanted = std::make_shared<const RandomAsked>(RandomAsked{std::move(asked).value(), std::move(weights).value(),
                                                                seed.value().value_or(campaign::fresh_seed()),
                                                                count.value().value_or(1)});
  return Stream::Work([&explorer, wanted](Stream& stream) { tell(stream, "drawn", drawn(explorer, stream, *wanted)); });
}

}  // namespace jp::explore
