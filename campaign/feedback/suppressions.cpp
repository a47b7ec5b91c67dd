#include "campaign/feedback/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "codec/codec.h"
#include "core/among.h"
#include "core/files.h"
#include "mutate/syntax/queries.h"
#include "mutate/syntax/syntax.h"
#include "oracle/signature/signature.h"
#include "report/evidence.h"
#include "report/files.h"
#include "report/inputs.h"
#include "report/store.h"

namespace jp::campaign {
namespace {

// Kinds that every program has, or that say nothing.
constexpr std::string_view kPlainKinds[] = {"expression_statement", "return_statement", "pass_statement",
                                            "import_statement", "import_from_statement"};
constexpr std::string_view kExpressionKinds[] = {
    "lambda", "list_comprehension",    "dictionary_comprehension", "generator_expression",
    "yield",  "conditional_expression"};

void add_syntax(const mutate::Parsed& parsed, Features& features) {
  for (const mutate::Statement& statement : parsed.statements()) {
    // Functions at the top level are the program itself.
    if (statement.parent < 0 && mutate::defines_function(statement)) continue;
    if (!among(kPlainKinds, statement.kind())) features.insert(fmt::format("syntax:{}", statement.kind()));
  }
  for (int i = 0; i < parsed.tree().size(); ++i)
    if (const mutate::Node node = parsed.tree().node(i); among(kExpressionKinds, node.kind()) && node.named())
      features.insert(fmt::format("syntax:{}", node.kind()));
}

// The program without the function that makes its arguments.
std::string without_inputs(const Program& program) {
  std::string source = program.source();
  if (const report::Lines lines = report::top_definition(source, program.inputs()); lines.begin != std::string::npos)
    source.erase(lines.begin, lines.end - lines.begin);
  return source;
}

// The weight of a suppression `age` epochs after it was made.
std::uint32_t recovered(std::uint64_t age) {
  std::uint32_t weight = kNewWeight;
  for (std::uint64_t i = 0; i < age && weight < kFullWeight; ++i) weight += std::max(weight / 32, 1u);
  return std::min(weight, kFullWeight);
}

std::vector<std::pair<std::string, std::string>> pairs_of(const Features& features) {
  std::vector<std::pair<std::string, std::string>> pairs;
  if (features.size() == 1) pairs.emplace_back(*features.begin(), *features.begin());
  for (auto one = features.begin(); one != features.end(); ++one)
    for (auto other = std::next(one); other != features.end(); ++other) pairs.emplace_back(*one, *other);
  return pairs;
}

std::string file_of(const std::string& folder) {
  return report::campaign_file(folder, "suppressions.json", "masks.json");
}

std::string known_triggers_file(const std::string& folder) { return folder + "/known_triggers.json"; }

}  // namespace

Features features_of(const Program& program) {
  Features features;
  const std::string source = without_inputs(program);
  for (const std::string& name : oracle::called_names(source))
    if (name != program.entry()) features.insert("op:" + name);
  for (const Step& step : program.lineage().steps) features.insert("mutation:" + step.mutation);
  Result<Program> bare = Program::make(source, {}, "", program.entry(), program.inputs());
  if (!bare.ok()) return features;
  Result<mutate::Parsed> parsed = mutate::parse(bare.value());
  if (parsed.ok()) add_syntax(parsed.value(), features);
  return features;
}

Features kept_by(const Program& reduced, const std::vector<std::string>& mutations) {
  const std::vector<std::string> traits = oracle::traits_of(reduced.source(), reduced.inputs());
  Features features = features_of(reduced);
  std::erase_if(features,
                [&](const std::string& name) { return name.starts_with("op:") && !among(traits, name.substr(3)); });
  for (const std::string& mutation : mutations) features.insert("mutation:" + mutation);
  return features;
}

Features trigger_of(const Program& reduced, const std::vector<std::string>& mutations) {
  Features features = kept_by(reduced, mutations);
  return features.size() > kMostFeatures ? Features{} : features;
}

Suppressions suppressions_of(const std::vector<Trigger>& triggers, std::uint64_t epoch,
                             const std::vector<Features>& known, std::uint64_t lag) {
  Suppressions suppressions;
  const auto suppress = [&](const Features& features, std::uint64_t age) {
    const std::uint32_t weight = recovered(age);
    if (weight == kFullWeight) return;
    for (const auto& pair : pairs_of(features)) {
      std::uint32_t& mask = suppressions.try_emplace(pair, weight).first->second;
      mask = std::min(mask, weight);
    }
  };
  for (const Features& features : known) suppress(features, epoch);
  for (const Trigger& trigger : triggers)
    if (trigger.epoch + lag <= epoch) suppress(trigger.features, epoch - trigger.epoch - lag);
  return suppressions;
}

bool passes(std::uint32_t weight, Choices choices) {
  return weight == kFullWeight || choices.chance(weight, kFullWeight);
}

std::uint32_t weight_of(const Suppressions& suppressions, const Features& features, const Features& but) {
  std::uint64_t weight = kFullWeight;
  for (const auto& [pair, mask] : suppressions) {
    const auto& [one, other] = pair;
    if (!features.contains(one) || !features.contains(other)) continue;
    if (but.contains(one) && but.contains(other)) continue;
    weight = std::max<std::uint64_t>(weight * mask / kFullWeight, 1);
  }
  return static_cast<std::uint32_t>(weight);
}

Program draw_unsuppressed(const Suppressions& suppressions, const Choices& choices,
                          const std::function<Program(std::uint64_t)>& draw, std::int64_t& refused) {
  std::optional<Program> best;
  std::uint32_t best_weight = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    Program program = draw(i);
    const std::uint32_t weight = suppressions.empty() ? kFullWeight : weight_of(suppressions, features_of(program));
    if (passes(weight, choices.fork("mask", i))) return program;
    ++refused;
    if (weight > best_weight) best = std::move(program);
    best_weight = std::max(weight, best_weight);
  }
  return *best;
}

codec::Json to_json(const Suppressions& suppressions) {
  codec::Json rows = codec::Json::array();
  for (const auto& [pair, weight] : suppressions)
    rows.push_back({{"one", pair.first}, {"other", pair.second}, {"weight", weight}});
  return rows;
}

Result<Suppressions> read_suppressions(const codec::Json& json) {
  try {
    Suppressions suppressions;
    for (const codec::Json& row : json)
      suppressions[{row.at("one").get<std::string>(), row.at("other").get<std::string>()}] =
          row.at("weight").get<std::uint32_t>();
    return suppressions;
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("the campaign's suppressions (suppressions.json) are damaged: {}", error.what())};
  }
}

Result<std::map<std::uint64_t, Suppressions>> load_suppressions(const std::string& folder) {
  std::map<std::uint64_t, Suppressions> tables;
  std::error_code error;
  if (!std::filesystem::exists(file_of(folder), error)) return tables;
  Result<std::string> text = read_file(file_of(folder));
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok() || !json.value().is_object() || !json.value().contains("epochs"))
    return Error{fmt::format("{} is damaged: take it from a copy, or start another campaign", file_of(folder))};
  for (const auto& [epoch, rows] : json.value()["epochs"].items()) {
    Result<Suppressions> suppressions = read_suppressions(rows);
    if (!suppressions.ok()) return suppressions.error();
    tables[std::strtoull(epoch.c_str(), nullptr, 10)] = suppressions.value();
  }
  return tables;
}

Status keep_suppressions(const std::string& folder, const std::map<std::uint64_t, Suppressions>& tables) {
  codec::Json epochs = codec::Json::object();
  for (const auto& [epoch, suppressions] : tables) epochs[fmt::format("{}", epoch)] = to_json(suppressions);
  const codec::Json json = {{"version", codec::kVersion}, {"epochs", epochs}};
  return write_file(file_of(folder), codec::text(json, 1) + "\n");
}

Result<std::optional<std::vector<Features>>> load_known_triggers(const std::string& folder) {
  const std::string path = known_triggers_file(folder);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::optional<std::vector<Features>>();
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  try {
    return std::optional(codec::Json::parse(text.value()).at("triggers").get<std::vector<Features>>());
  } catch (const codec::Json::exception& damage) {
    return Error{fmt::format("{} is damaged: {}", path, damage.what())};
  }
}

Status keep_known_triggers(const std::string& folder, const std::vector<Features>& triggers) {
  const codec::Json json = {{"version", codec::kVersion}, {"triggers", triggers}};
  return write_file(known_triggers_file(folder), codec::text(json, 1) + "\n");
}

Result<std::vector<Trigger>> triggers_of(const std::string& folder, const Epochs& epochs, std::uint64_t border) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder);
  if (!rows.ok()) return rows.error();
  std::vector<Trigger> triggers;
  for (const report::FindingRow& row : rows.value()) {
    if (row.status != status_name(Finding::Status::kConfirmed) || row.first_test == report::kNoTest) continue;
    for (const report::ReducedProgram& form : report::load_reduced_programs(folder, row.id)) {
      const std::uint64_t test = form.test.value_or(row.first_test);
      if (test >= border) continue;
      if (Features features = trigger_of(form.program, form.mutations); !features.empty())
        triggers.push_back({std::move(features), epochs.of(test)});
    }
  }
  return triggers;
}

}  // namespace jp::campaign
