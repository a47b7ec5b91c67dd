#include "campaign/sources/seed_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/check.h"

namespace jp::campaign {

DoorResult door_of(const std::string& source, const DoorMaker& maker) {
  constexpr std::string_view kTables = "tables:";
  if (source == "generated") return generated_door(maker.operators, maker.with);
  if (source == "tables") return table_door("");
  if (source.starts_with(kTables)) return table_door(source.substr(kTables.size()));
  if (source == "models") return files_door(source, maker.corpus + "/models", {.fault_of = {}, .note = {}});
  std::error_code error;
  if (!std::filesystem::exists(source, error))
    return Error{fmt::format(
        "there is no source '{}': take generated, tables, tables:NAME, models, a program file or a folder of them",
        source)};
  return files_door(source, source, maker);
}

DoorResult open_door(const codec::Json& settings) {
  const auto kind = settings.at("door").get<std::string>();
  if (kind == "generated") return reopen_generated(settings);
  if (kind == "table") return table_door(settings.at("table").get<std::string>());
  if (kind == "files") return reopen_files(settings);
  return Error{fmt::format("the campaign takes its seeds from a source of the kind '{}', which is gone", kind)};
}

Visit visit_of(const Doors& doors, bool draw, std::uint64_t test, const Choices& choices) {
  JP_CHECK(!doors.empty(), "a campaign without a source");
  Visit visit{.door = test % doors.size(), .seed = std::nullopt, .mutated = true};
  const std::optional<std::uint64_t> size = doors[visit.door]->size();
  if (!size) return visit;
  const std::uint64_t turn = test / doors.size();
  visit.seed = draw ? choices.fork("seed").below(*size) : turn % *size;
  visit.mutated = draw || turn >= *size;
  return visit;
}

SeedLog::SeedLog(const Doors& doors) {
  for (const auto& door : doors) {
    counts_.push_back({door->name(), door->size(), 0});
    seen_.emplace_back(door->size().value_or(0));
  }
}

void SeedLog::add(const Visit& visit) {
  SeedCount& count = counts_[visit.door];
  if (visit.seed) {
    if (seen_[visit.door][*visit.seed]) return;
    seen_[visit.door][*visit.seed] = true;
  }
  ++count.run;
}

}  // namespace jp::campaign
