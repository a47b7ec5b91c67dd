#include "seedgen/generate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "seedgen/broken.h"
#include "seedgen/operator.h"
#include "seedgen/table.h"

namespace jp::seedgen {
namespace {

struct Member {
  const Operator* family;
  std::size_t index;
  std::string_view id;
};

// Every operator of every family, in the order of names; built once.
const std::vector<Member>& all_members() {
  static const std::vector<Member> members = [] {
    std::vector<Member> all;
    for (const Operator* family : Registry<Operator>::instance().all()) {
      std::vector<std::string_view> ids = family->members();
      for (std::size_t i = 0; i < ids.size(); ++i) all.push_back({family, i, ids[i]});
    }
    return all;
  }();
  return members;
}

// A form with letters for its arguments, unless the list has it already.
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

Seed seed_of(std::uint64_t seed, int operators) {
  Seed made;
  made.door = Seed::Door::kGenerated;
  made.generator_version = kGeneratorVersion;
  made.seed = seed;
  made.operators = operators;
  return made;
}

}  // namespace

Graph draw_graph(Choices& choices, const GenerateOptions& options) {
  const std::vector<Member>& members = all_members();
  JP_CHECK(!members.empty(), "no operator is registered");
  Draft draft(choices, static_cast<std::uint64_t>(std::lround(options.reuse_rate * 1000)));
  for (int i = 0; i < options.operators; ++i) {
    const Member& member = members[choices.below(members.size())];
    CheckContext context(fmt::format("seed {}, call {}, operator {}", choices.seed(), i, member.id));
    member.family->draw(draft, member.index);
    JP_CHECK(draft.graph().calls.size() == static_cast<std::size_t>(i) + 1, "{} did not draw one call", member.id);
  }
  return draft.finish();
}

Graph generate_graph(std::uint64_t seed, const GenerateOptions& options) {
  Choices choices(seed);
  return draw_graph(choices, options);
}

Result<Program> generate(std::uint64_t seed, const GenerateOptions& options) {
  if (options.operators < 1 || options.operators > kMaxOperators)
    return Error{fmt::format("{} operators were asked for; 1 to {} can be", options.operators, kMaxOperators)};
  if (!(options.reuse_rate >= 0 && options.reuse_rate <= 1))
    return Error{fmt::format("the reuse rate {} is not between 0 and 1", options.reuse_rate)};
  Choices text = Choices(seed).fork("text");
  return Program::make(emit(generate_graph(seed, options), text), Lineage{seed_of(seed, options.operators), {}});
}

Result<Program> regenerate(const Seed& seed) {
  if (seed.door == Seed::Door::kFile) return Error{"this seed is a file, not a number to generate from"};
  if (seed.generator_version != kGeneratorVersion)
    return Error{fmt::format("the seed is of generator version {}, this is version {}: use the release that made it",
                             seed.generator_version, kGeneratorVersion)};
  if (seed.door == Seed::Door::kTable) {
    const Table* table = Registry<Table>::instance().find(seed.table);
    if (!table) return Error{fmt::format("there is no table '{}'", seed.table)};
    return table_program(*table, seed.seed);
  }
  const GenerateOptions options{.operators = seed.operators};
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
    fmt::format_to(out, ", \"requires_grad\": {}, \"low\": {}, \"high\": {}}}", value.requires_grad, value.interval.low,
                   value.interval.high);
  }
  return text + "}";
}

}  // namespace jp::seedgen
