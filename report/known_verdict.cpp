#include "report/known_verdict.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::report {
namespace {

std::string file_of(const std::string& folder, const std::string& id) {
  return fmt::format("{}/findings/{}/known.json", folder, id);
}

}  // namespace

codec::Json to_json(const KnownVerdict& verdict) {
  codec::Json json = {{"of", verdict.of},
                      {"name", verdict.name},
                      {"link", verdict.link},
                      {"by", verdict.by},
                      {"like", codec::Json::array()}};
  if (verdict.first) json["first"] = *verdict.first;
  for (const Resemblance& like : verdict.like)
    json["like"].push_back({{"name", like.name}, {"link", like.link}, {"why", like.why}, {"excluded", like.excluded}});
  return json;
}

KnownVerdict read_known_verdict(const codec::Json& json) {
  KnownVerdict verdict{json.at("of").get<std::string>(),
                       json.at("name").get<std::string>(),
                       json.at("link").get<std::string>(),
                       json.at("by").get<std::string>(),
                       {},
                       std::nullopt};
  if (json.contains("first")) verdict.first = json["first"].get<std::string>();
  for (const codec::Json& like : json.at("like"))
    verdict.like.push_back({like.at("name").get<std::string>(), like.at("link").get<std::string>(),
                            like.at("why").get<std::string>(), like.value("excluded", false)});
  return verdict;
}

std::optional<KnownVerdict> load_known_verdict(const std::string& folder, const std::string& id) {
  const Result<std::string> text = read_file(file_of(folder, id));
  if (!text.ok()) return std::nullopt;
  const Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok()) return std::nullopt;
  try {
    if (json.value().at("version").get<int>() > codec::kVersion) return std::nullopt;
    return read_known_verdict(json.value());
  } catch (const codec::Json::exception&) {
    return std::nullopt;  // a damaged file says nothing
  }
}

Status keep_known_verdict(const std::string& folder, const std::string& id, const KnownVerdict& verdict) {
  codec::Json json = to_json(verdict);
  json["version"] = codec::kVersion;
  if (Status made = make_folder(fmt::format("{}/findings/{}", folder, id)); !made.ok()) return made;
  return write_file(file_of(folder, id), codec::text(json, 1) + "\n");
}

std::string resemblance_text(const KnownVerdict& verdict) {
  std::vector<std::string> parts;
  std::vector<std::string> excluded;
  std::string why;
  for (const Resemblance& like : verdict.like) {
    if (like.excluded) {
      excluded.push_back(like.name);
      why = like.why;
    } else {
      parts.push_back(fmt::format("like {} ({}): {}", like.name, like.link, like.why));
    }
  }
  if (excluded.size() > 1) why = "a divergence stays under the line of each";
  if (!excluded.empty()) parts.push_back(fmt::format("not {}: {}", fmt::join(excluded, ", "), why));
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace jp::report
