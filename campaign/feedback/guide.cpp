#include "campaign/feedback/guide.h"

#include <fmt/format.h>

#include <array>

#include "campaign/common/row_file.h"
#include "codec/codec.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::campaign {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"none", "coverage", "paths", "counters"};

// A program that covers nothing new is kept with a chance of one in so many, and after as many draws.
constexpr std::uint64_t kKeptOldOnes = 8;
constexpr std::uint64_t kDraws = 8;

// Reasons are long, and end in text that differs from program to program.
constexpr std::size_t kReasonLength = 60;

std::vector<seedgen::Feature> coverage_of(const Seed& seed, bool paths) {
  seedgen::GenerateOptions options{.operators = seed.operators};
  options.without = seed.without;
  if (seed.broken) {
    const std::optional<seedgen::Feature> feature = seedgen::broken_feature(seed.seed, options);
    return feature ? std::vector{*feature} : std::vector<seedgen::Feature>();
  }
  options.refused = seed.refused;
  return seedgen::coverage_of(seedgen::generate_graph(seed.seed, options), paths);
}

std::string bucket_of(std::int64_t count) {
  if (count < 4) return fmt::format("{}", count);
  std::int64_t low = 4;
  while (low * 2 <= count) low *= 2;
  return fmt::format("{}+", low);
}

// The first line of a reason, without numbers.
std::string plain(std::string_view reason) {
  std::string text;
  for (char letter : reason.substr(0, reason.find('\n')))
    if (letter < '0' || letter > '9') text += letter;
  return text.substr(0, kReasonLength);
}

void add_buckets(const Counters& counters, std::set<std::string>& buckets) {
  auto count = [&](std::string_view name, std::int64_t number) {
    if (number > 0) buckets.insert(fmt::format("{} {}", name, bucket_of(number)));
  };
  count("frames", counters.frames_compiled);
  count("graphs", counters.graphs);
  count("recompile_limit", counters.recompile_limit_hits);
  for (const auto& [name, number] : counters.others) count(name, number);
  for (const auto& [reason, number] : counters.graph_breaks)
    if (number > 0) buckets.insert("graph_break: " + plain(reason));
}

codec::Json to_json(const GuideRow& row) {
  return {{"test", row.test},           {"version", row.seed.generator_version},
          {"seed", row.seed.seed},      {"operators", row.seed.operators},
          {"broken", row.seed.broken},  {"refused", row.seed.refused},
          {"buckets", row.buckets},     {"touched", row.step_features},
          {"without", row.seed.without}};
}

std::optional<GuideRow> read_row(const codec::Json& from) {
  try {
    GuideRow row;
    row.test = from.at("test").get<std::uint64_t>();
    row.seed.origin = Seed::Origin::kGenerated;
    row.seed.generator_version = from.at("version").get<int>();
    row.seed.seed = from.at("seed").get<std::uint64_t>();
    row.seed.operators = from.at("operators").get<int>();
    row.seed.broken = from.value("broken", false);
    row.seed.refused = from.at("refused").get<std::vector<std::int64_t>>();
    row.seed.without = from.value("without", std::vector<std::string>());
    row.buckets = from.at("buckets").get<std::vector<std::string>>();
    row.step_features = from.value("touched", std::vector<std::string>());
    return row;
  } catch (const codec::Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace

std::string_view guidance_name(Guidance guidance) { return kNames[static_cast<std::size_t>(guidance)]; }

std::optional<Guidance> guidance_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (kNames[i] == name) return static_cast<Guidance>(i);
  return std::nullopt;
}

std::vector<std::string> counter_buckets(const std::vector<Outcome>& outcomes) {
  std::set<std::string> buckets;
  for (const Outcome& outcome : outcomes)
    if (const auto* finished = std::get_if<Finished>(&outcome.ending); finished && finished->counters.known)
      add_buckets(finished->counters, buckets);
  return {buckets.begin(), buckets.end()};
}

void GuideTable::learn(const std::map<std::uint64_t, GuideRow>& rows, std::uint64_t begin, std::uint64_t end) {
  for (auto row = rows.lower_bound(begin); row != rows.end() && row->first < end; ++row) {
    const Seed& seed = row->second.seed;
    if (seed.origin != Seed::Origin::kGenerated || seed.generator_version != seedgen::kGeneratorVersion) continue;
    bool first = false;
    for (const std::string& bucket : row->second.buckets) first = buckets.insert(bucket).second || first;
    const bool repeats = first && guidance == Guidance::kCounters;
    if (!repeats) step_features.insert(row->second.step_features.begin(), row->second.step_features.end());
    for (seedgen::Feature feature : coverage_of(seed, paths())) {
      known.add(feature);
      if (repeats) worth.add(feature);
    }
  }
}

std::uint64_t drawn_number(const Choices& choices, std::uint64_t number) {
  return choices.fork("seed", number).below(std::uint64_t{1} << 62);
}

std::optional<Program> draw_guided_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable& table, std::int64_t& dropped) {
  for (std::uint64_t draw = 0;; ++draw) {
    const std::uint64_t turn = number + (draw << 32);
    std::optional<Program> guided = seed_source.guided_seed(drawn_number(choices, turn), table.guide());
    if (!guided || draw + 1 == kDraws) return guided;
    if (seedgen::gain(coverage_of(guided->lineage().seed, table.paths()), table.guide()) > 0) return guided;
    if (choices.fork("nothing new", turn).chance(1, kKeptOldOnes)) return guided;
    ++dropped;
  }
}

std::optional<Program> draw_broken_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number,
                                        const GuideTable* table, std::int64_t& dropped) {
  if (!table)
    return seed_source.broken_seed(drawn_number(choices, number), choices.fork("single", number).chance(1, 2));
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    std::optional<Program> single = seed_source.broken_seed(drawn_number(choices, number + (draw << 32)), true);
    if (!single || seedgen::gain(coverage_of(single->lineage().seed, table->paths()), table->guide()) > 0)
      return single;
    ++dropped;
  }
  return seed_source.broken_seed(drawn_number(choices, number), false);
}

Result<GuideLog> GuideLog::open(const std::string& folder, Guidance guidance, const Epochs& epochs,
                                const std::function<bool(std::uint64_t)>& ended) {
  GuideLog log(folder + "/guide.jsonl", guidance, epochs);
  read_rows(log.path_, [&](const codec::Json& json) {
    if (std::optional<GuideRow> row = read_row(json); row && ended(row->test))
      log.rows_.insert_or_assign(row->test, std::move(*row));
  });
  if (Status ready = end_last_row(log.path_); !ready.ok()) return ready.error();
  return log;
}

Status GuideLog::add(const GuideRow& row) {
  rows_.insert_or_assign(row.test, row);
  return append_row(path_, to_json(row));
}

std::shared_ptr<const GuideTable> GuideLog::table(std::uint64_t epoch) {
  if (auto made = tables_.find(epoch); made != tables_.end()) return made->second;
  if (epoch < 2) return tables_[epoch] = std::make_shared<GuideTable>(guidance_);
  const auto last = tables_.lower_bound(epoch);
  auto table = last == tables_.begin() ? std::make_shared<GuideTable>(guidance_)
                                       : std::make_shared<GuideTable>(*std::prev(last)->second);
  const std::uint64_t known = last == tables_.begin() ? 0 : std::prev(last)->first;
  table->learn(rows_, known < 2 ? 0 : epochs_.begin(known - 1), epochs_.begin(epoch - 1));
  tables_[epoch] = table;
  // Jobs lag behind by an epoch at most.
  while (tables_.size() > 4) tables_.erase(tables_.begin());
  return table;
}

}  // namespace jp::campaign
