#include "campaign/sources/seed_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "codec/codec.h"
#include "core/check.h"

namespace jp::campaign {
namespace {

std::uint64_t drawn_number(const Choices& choices, std::uint64_t number) {
  return choices.fork("seed", number).below(std::uint64_t{1} << 62);
}

}  // namespace

SeedSourceResult seed_source_of(const std::string& source, const SeedSourceMaker& maker) {
  constexpr std::string_view kTables = "tables:";
  if (source == "generated") return generated_source(maker.calls, maker.with);
  if (source == "tables") return table_source("");
  if (source.starts_with(kTables)) return table_source(source.substr(kTables.size()));
  if (source == "models") return file_source(source, maker.corpus + "/models", {.fault_of = {}, .note = {}});
  std::error_code error;
  if (!std::filesystem::exists(source, error))
    return Error{fmt::format(
        "there is no source '{}': take generated, tables, tables:NAME, models, a program file or a folder of them",
        source)};
  return file_source(source, source, maker);
}

SeedSourceResult open_source(const codec::Json& settings) {
  const auto kind = settings.at(settings.contains("source") ? "source" : "door").get<std::string>();
  if (kind == "generated") return reopen_generated(settings);
  if (kind == "table") return table_source(settings.at("table").get<std::string>());
  if (kind == "files") return reopen_files(settings);
  return Error{fmt::format("the campaign takes its seeds from a source of the kind '{}', which is gone", kind)};
}

SeedSelection selection_of(const SeedSources& seed_sources, bool draw, std::uint64_t test, const Choices& choices) {
  JP_CHECK(!seed_sources.empty(), "a campaign without a source");
  SeedSelection selection{.seed_source = test % seed_sources.size(), .seed = std::nullopt, .mutated = true};
  const std::optional<std::uint64_t> size = seed_sources[selection.seed_source]->size();
  if (!size) return selection;
  const std::uint64_t turn = test / seed_sources.size();
  selection.seed = draw ? choices.fork("seed").below(*size) : turn % *size;
  selection.mutated = draw || turn >= *size;
  return selection;
}

Program drawn_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number) {
  return seed_source.seed(drawn_number(choices, number));
}

std::optional<Program> drawn_broken_seed(const SeedSource& seed_source, const Choices& choices, std::uint64_t number) {
  const bool single = choices.fork("single", number).chance(1, 2);
  return seed_source.broken_seed(drawn_number(choices, number), single);
}

SeedLog::SeedLog(const SeedSources& seed_sources) {
  for (const auto& seed_source : seed_sources) {
    counts_.push_back({seed_source->name(), seed_source->size(), 0});
    seen_.emplace_back(seed_source->size().value_or(0));
  }
}

void SeedLog::add(const SeedSelection& selection) {
  SeedCount& count = counts_[selection.seed_source];
  if (selection.seed) {
    if (seen_[selection.seed_source][*selection.seed]) return;
    seen_[selection.seed_source][*selection.seed] = true;
  }
  ++count.run;
}

}  // namespace jp::campaign
