#include "seedgen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "seedgen/bases/members.h"
#include "seedgen/bases/schedule.h"
#include "seedgen/bases/table.h"
#include "seedgen/broken.h"
#include "seedgen/draw/policy.h"
#include "seedgen/harvest/harvested_operator.h"
#include "seedgen/measure/coverage.h"
#include "seedgen/text/check_graph.h"

namespace jp::seedgen {
namespace {

// Adds a form with letters for its arguments, unless the list has it already.
void add_form(OperatorInfo& info, const Call& call, std::string_view form) {
  std::string text;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '#')
      text += call.op;
    else if (form[i] == '$' && form[i + 1] != '*')
      text += static_cast<char>('a' + form[++i] - '0');
    else if (form[i] == '$')
      text += fmt::format("*{}", static_cast<char>('a' + form[i += 2] - '0'));
    else
      text += form[i];
  }
  if (std::find(info.forms.begin(), info.forms.end(), text) == info.forms.end()) info.forms.push_back(text);
}

// "seed 7, call 3, operator add", built for every call.
std::string context_of(std::uint64_t seed, std::int64_t drawn, std::string_view id) {
  std::string text;
  text.reserve(64 + id.size());
  const fmt::format_int numbers[] = {fmt::format_int(seed), fmt::format_int(drawn)};
  text.append("seed ").append(numbers[0].data(), numbers[0].size());
  text.append(", call ").append(numbers[1].data(), numbers[1].size());
  return std::move(text.append(", operator ").append(id));
}

// Draws the next call of a graph, of the scheduled member; `drawn` counts rejected calls too.
void draw_call(Draft& draft, const Member& member, const HarvestedOperators* with, std::int64_t drawn) {
  if (with != nullptr && kPolicy.harvested.drawn(draft.choices())) {
    with->draw(draft);
    return;
  }
  const std::size_t calls = draft.graph().calls.size();
  CheckContext context(context_of(draft.choices().seed(), drawn, member.id));
  member.family->draw(draft, member.index);
  JP_CHECK(draft.graph().calls.size() == calls + 1, "{} did not draw one call", member.id);
}

// An operator in place of one whose call was rejected; preferably one that the graph doesn't have yet.
const Member& another(Choices& choices, const std::vector<Member>& members, const Graph& graph) {
  const Member& drawn = choices.pick(members);
  const bool had = std::any_of(graph.calls.begin(), graph.calls.end(),
                               [&](const Call& call) { return std::string_view(call.op) == drawn.id; });
  return had ? choices.pick(members) : drawn;
}

// Draws under a guide; rejected calls are added to `options.refused`.
Graph draw_guided(Choices& choices, GenerateOptions& options, const Guide& guide) {
  JP_CHECK(!options.with, "a guide knows no harvested calls");
  const std::vector<Member> members = members_named(options.only, options.without);
  const std::vector<Member> schedule = draw_schedule(choices, members, options.operators);
  Draft draft = new_draft(choices, options);
  FeatureFinder finder;
  Coverage own;
  std::int64_t drawn = 0;
  for (int retries = 0; draft.graph().calls.size() < static_cast<std::size_t>(options.operators); ++drawn) {
    Draft::State before = draft.state();
    const Member& member =
        retries == 0 ? schedule[draft.graph().calls.size()] : another(choices, members, draft.graph());
    draw_call(draft, member, nullptr, drawn);
    const std::vector<Feature>& found = finder.next(draft.graph());
    const bool adds = std::any_of(found.begin(), found.end(),
                                  [&](Feature feature) { return !own.has(feature) && !guide.known.has(feature); });
    if (adds || retries == guide.retries) {
      for (Feature feature : found) own.add(feature);
      retries = 0;
      continue;
    }
    ++retries;
    finder.put_back();
    draft.restore(std::move(before));
    options.refused.push_back(drawn);
  }
  return draft.finish();
}

std::string unknown_operator(std::string_view id) {
  return fmt::format("there is no operator '{}': see jitprobe list operators", id);
}

Result<Program> printed(const Graph& graph, std::uint64_t seed, const GenerateOptions& options) {
  return Program::make(emit_seed(graph, seed, options.without), Lineage{seed_of(seed, options), {}});
}

}  // namespace

GenerateOptions sized(std::uint64_t seed, GenerateOptions options) {
  if (options.most_operators != 0)
    options.operators = static_cast<int>(Choices(seed).fork("size").between(options.operators, options.most_operators));
  options.most_operators = 0;
  return options;
}

Seed seed_of(std::uint64_t seed, const GenerateOptions& options) {
  Seed made;
  made.origin = Seed::Origin::kGenerated;
  made.generator_version = kGeneratorVersion;
  made.seed = seed;
  made.operators = options.operators;
  made.refused = options.refused;
  made.without = options.without;
  if (options.with) {
    made.path = options.with->folder();
    made.sha256 = options.with->sha256();
  }
  return made;
}

Draft new_draft(Choices& choices, const GenerateOptions& options) {
  return {choices, static_cast<std::uint64_t>(std::lround(options.reuse_rate * 1000)), options.bounds};
}

void draw_calls(Draft& draft, const std::vector<Member>& schedule, const GenerateOptions& options) {
  const std::vector<Member> members = members_named(options.only, options.without);
  auto refused = options.refused.begin();
  bool again = false;
  for (std::int64_t drawn = 0; draft.graph().calls.size() < schedule.size(); ++drawn) {
    const Member& member =
        again ? another(draft.choices(), members, draft.graph()) : schedule[draft.graph().calls.size()];
    again = refused != options.refused.end() && *refused == drawn;
    if (!again) {
      draw_call(draft, member, options.with.get(), drawn);
      continue;
    }
    Draft::State before = draft.state();
    draw_call(draft, member, options.with.get(), drawn);
    draft.restore(std::move(before));
    ++refused;
  }
}

Graph draw_graph(Choices& choices, const GenerateOptions& options) {
  const std::vector<Member> schedule =
      draw_schedule(choices, members_named(options.only, options.without), options.operators);
  Draft draft = new_draft(choices, options);
  draw_calls(draft, schedule, options);
  return draft.finish();
}

Graph generate_graph(std::uint64_t seed, const GenerateOptions& options) {
  Choices choices(seed);
  return draw_graph(choices, sized(seed, options));
}

Status check_options(const GenerateOptions& options) {
  for (int operators : {options.operators, std::max(options.operators, options.most_operators)})
    if (operators < 1 || operators > kMaxOperators)
      return Error{fmt::format("{} operators were asked for (--ops); 1 to {} can be", operators, kMaxOperators)};
  if (options.most_operators != 0 && options.most_operators < options.operators)
    return Error{fmt::format("from {} to {} operators were asked for", options.operators, options.most_operators)};
  if (!(options.reuse_rate >= 0 && options.reuse_rate <= 1))
    return Error{fmt::format("the reuse rate {} is not between 0 and 1", options.reuse_rate)};
  const Bounds& bounds = options.bounds;
  if (bounds.max_rank < 0 || bounds.max_rank > kMaxRank)
    return Error{fmt::format("the largest rank is 0 to {}, not {}", kMaxRank, bounds.max_rank)};
  if (bounds.min_size < 0 || bounds.min_size > bounds.max_size)
    return Error{fmt::format("sizes can't go from {} to {}", bounds.min_size, bounds.max_size)};
  for (const std::string& id : options.only)
    if (member_number(id) < 0) return Error{unknown_operator(id)};
  for (const std::string& name : options.without)
    if (name.find('.') == std::string::npos && member_number(name) < 0) return Error{unknown_operator(name)};
  if (members_named(options.only, options.without).empty())
    return Error{"no operator is left to draw: all that may be drawn are among those left out"};
  return Done{};
}

Result<Program> generate(std::uint64_t seed, const GenerateOptions& options) {
  if (Status fine = check_options(options); !fine.ok()) return fine.error();
  const GenerateOptions drawn = sized(seed, options);
  return printed(generate_graph(seed, drawn), seed, drawn);
}

Result<Program> generate_guided(std::uint64_t seed, const GenerateOptions& options, const Guide& guide) {
  if (Status fine = check_options(options); !fine.ok()) return fine.error();
  GenerateOptions drawn = sized(seed, options);
  Choices choices(seed);
  const Graph graph = draw_guided(choices, drawn, guide);
  return printed(graph, seed, drawn);
}

Graph guided_graph(std::uint64_t seed, const GenerateOptions& options, const Guide& guide) {
  GenerateOptions drawn = sized(seed, options);
  Choices choices(seed);
  return draw_guided(choices, drawn, guide);
}

Result<Program> regenerate(const Seed& seed) {
  if (seed.origin == Seed::Origin::kFile) return Error{"this seed is a file, not a number to generate from"};
  if (seed.generator_version != kGeneratorVersion)
    return Error{fmt::format("the seed is of generator version {}, this is version {}: use the release that made it",
                             seed.generator_version, kGeneratorVersion)};
  if (seed.origin == Seed::Origin::kTable) {
    const Table* table = Registry<Table>::instance().find(seed.table);
    if (!table) return Error{fmt::format("there is no table '{}'", seed.table)};
    return table_program(*table, seed.seed);
  }
  if (!seed.sha256.empty())
    return Error{fmt::format("the seed has calls of the harvest in {} as well as its number", seed.path)};
  GenerateOptions options{.operators = seed.operators};
  options.refused = seed.refused;
  options.without = seed.without;
  return seed.broken ? generate_broken(seed.seed, options) : generate(seed.seed, options);
}

std::vector<OperatorInfo> list_operators() {
  constexpr std::uint64_t kDraws = 32;
  std::vector<OperatorInfo> infos;
  for (const Member& member : all_members()) {
    OperatorInfo info{std::string(member.id), std::string(member.family->name()), {}};
    for (std::uint64_t seed = 0; seed < kDraws; ++seed) {
      Choices choices(seed);
      Draft draft(choices, 0);
      member.family->draw(draft, member.index);
      const Call& call = draft.graph().calls[0];
      for (std::string_view form : call.forms) add_form(info, call, form);
      if (!call.infix.empty()) add_form(info, call, call.infix);
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

std::string describe_values(const Graph& graph) {
  std::string text = "{";
  auto out = std::back_inserter(text);
  for (const Value& value : graph.values) {
    fmt::format_to(out, "{}\"v{}\": {{\"dtype\": \"{}\", \"shape\": [{}], \"strides\": ", value.id == 0 ? "" : ", ",
                   value.id, dtype_name(value.dtype), fmt::join(value.shape, ", "));
    if (value.strides_known)
      fmt::format_to(out, "[{}]", fmt::join(value.strides, ", "));
    else
      text += "null";
    fmt::format_to(out, ", \"requires_grad\": {}, \"storage\": {}, \"lazy\": {}, \"low\": {}, \"high\": {}}}",
                   value.requires_grad, value.storage, value.lazy, value.interval.low, value.interval.high);
  }
  return text + "}";
}

}  // namespace jp::seedgen
