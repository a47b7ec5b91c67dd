#include "report/object_file.h"

#include <fmt/format.h>

#include <filesystem>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::report {

std::string finding_file(const std::string& folder, const std::string& id, const char* name) {
  return fmt::format("{}/findings/{}/{}", folder, id, name);
}

std::optional<codec::Json> read_object(const std::string& folder, const std::string& id, const char* name) {
  const std::string path = finding_file(folder, id, name);
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return std::nullopt;
  Result<std::string> text = read_file(path);
  if (!text.ok()) return std::nullopt;
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok() || !json.value().is_object()) return std::nullopt;
  const codec::Json version = json.value().value("version", codec::Json(0));
  if (!version.is_number() || version > codec::kVersion) return std::nullopt;
  return json.value();
}

Status write_object(const std::string& folder, const std::string& id, const char* name, const codec::Json& json) {
  if (Status made = make_folder(fmt::format("{}/findings/{}", folder, id)); !made.ok()) return made;
  return write_file(finding_file(folder, id, name), codec::text(json, 1) + "\n");
}

}  // namespace jp::report
