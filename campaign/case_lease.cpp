#include "campaign/case_lease.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "campaign/common/internal_errors.h"
#include "codec/codec.h"
#include "core/check.h"
#include "core/files.h"

namespace jp::campaign {
namespace {

namespace fs = std::filesystem;

fs::path reducing(const std::string& folder) { return fs::path(folder) / "reducing"; }

codec::Json files_in(const std::string& folder) {
  codec::Json files = codec::Json::object();
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(reducing(folder), error))
    if (const Result<std::string> text = read_file(entry.path().string()); text.ok())
      files[entry.path().filename().string()] = text.value();
  return files;
}

}  // namespace

std::string asked_of(const OpenCases::Taken& taken) {
  return fmt::format("{{\"case\":{},\"place\":{},\"rest\":{}}}",
                     taken.text ? *taken.text : codec::text(to_json(taken.one)), taken.parts.place, taken.parts.rest);
}

Result<codec::Json> study_case(pyrunner::Runner& runner, const CaseRuns& runs, const std::string& folder,
                               const codec::Json& asked) {
  try {
    const Result<Case> one = read_case(asked.at("case"));
    if (!one.ok()) return one.error();
    const StudyParts parts{.place = asked.at("place").get<bool>(), .rest = asked.at("rest").get<bool>()};
    CaseMemory memory;
    Status studied = Done{};
    const std::optional<std::string> broken = broken_in([&] {
      const CheckContext context(fmt::format("test {}", one.value().test));
      studied = runs.study(runner, one.value(), parts, memory);
    });
    if (!studied.ok()) return studied.error();
    codec::Json json = {{"test", one.value().test}};
    if (broken) return json;
    json["answers"] = memory.to_json();
    json["files"] = files_in(folder);
    return json;
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("what is asked of a case is damaged: {}", error.what())};
  }
}

Status take_study(const std::string& folder, codec::Json studied, CaseMemory& memory) {
  if (!studied.contains("answers")) return Done{};
  const codec::Json files = studied.value("files", codec::Json::object());
  for (const auto& [name, text] : files.items()) {
    const fs::path path = reducing(folder) / fs::path(name).filename();
    std::error_code error;
    if (!text.is_string() || path.extension() != ".jsonl" || fs::exists(path, error)) continue;
    if (Status made = make_folder(path.parent_path().string()); !made.ok()) return made;
    if (Status put = write_file(path.string(), text.get<std::string>()); !put.ok()) return put;
  }
  memory.tell(std::move(studied["answers"]));
  return Done{};
}

}  // namespace jp::campaign
