#include "report/evidence.h"

#include <fmt/format.h>

#include <sstream>

#include "codec/codec.h"
#include "report/object_file.h"

namespace jp::report {
namespace {

codec::Json row_json(const Ablation& row) {
  return {
      {"name", row.name}, {"verdict", row.verdict}, {"kind", row.kind}, {"reason", row.reason}, {"alike", row.alike}};
}

Ablation read_row(const codec::Json& json) {
  return {json.at("name").get<std::string>(), json.at("verdict").get<std::string>(), json.value("kind", ""),
          json.value("reason", ""), json.value("alike", false)};
}

}  // namespace

codec::Json to_json(const Intermediate& seen) {
  return {{"name", seen.name},           {"statement", seen.statement}, {"line", seen.line},
          {"reference", seen.reference}, {"observed", seen.observed},   {"bisected", seen.bisected},
          {"form", seen.form},           {"words", seen.words}};
}

Intermediate read_intermediate(const codec::Json& json) {
  return {json.at("name").get<std::string>(),
          json.value("statement", ""),
          json.value("line", 0),
          json.value("reference", ""),
          json.value("observed", ""),
          json.value("bisected", false),
          json.value("form", ""),
          json.value("words", "")};
}

codec::Json to_json(const Cause& cause) {
  codec::Json json = {{"bisection", cause.bisection}};
  if (cause.intermediate) json["intermediate"] = to_json(*cause.intermediate);
  return json;
}

Cause read_cause(const codec::Json& json) {
  Cause cause{.intermediate = std::nullopt, .bisection = json.value("bisection", "")};
  if (json.contains("intermediate")) cause.intermediate = read_intermediate(json["intermediate"]);
  return cause;
}

codec::Json to_json(const Evidence& evidence) {
  codec::Json json = {{"of", evidence.of},
                      {"torch", evidence.torch},
                      {"python", evidence.python},
                      {"environment", evidence.environment},
                      {"bisection", evidence.bisection},
                      {"ablation", codec::Json::array()}};
  for (const Ablation& row : evidence.ablation) json["ablation"].push_back(row_json(row));
  if (evidence.intermediate) json["intermediate"] = to_json(*evidence.intermediate);
  if (evidence.plain) json["plain"] = codec::to_json(*evidence.plain);
  return json;
}

Result<Evidence> read_evidence(const codec::Json& json) {
  try {
    Evidence evidence;
    evidence.of = json.at("of").get<std::string>();
    evidence.torch = json.value("torch", "");
    evidence.python = json.value("python", "");
    evidence.environment = json.value("environment", "");
    evidence.bisection = json.value("bisection", "");
    for (const codec::Json& row : json.at("ablation")) evidence.ablation.push_back(read_row(row));
    if (json.contains("intermediate")) evidence.intermediate = read_intermediate(json["intermediate"]);
    if (!json.contains("plain")) return evidence;
    Result<Finding> plain = codec::read<Finding>(json["plain"]);
    if (!plain.ok()) return plain.error();
    evidence.plain = plain.value();
    return evidence;
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("the evidence is damaged: {}", error.what())};
  }
}

std::optional<Evidence> load_evidence(const std::string& folder, const std::string& id, const std::string& sha256) {
  std::optional<codec::Json> json = read_object(folder, id, "evidence.json");
  if (!json || !json->contains("evidence")) return std::nullopt;
  Result<Evidence> evidence = read_evidence((*json)["evidence"]);
  if (!evidence.ok() || evidence.value().of != sha256) return std::nullopt;
  return evidence.value();
}

Status keep_evidence(const std::string& folder, const std::string& id, const Evidence& evidence) {
  return write_object(folder, id, "evidence.json", {{"version", codec::kVersion}, {"evidence", to_json(evidence)}});
}

Cause load_cause(const std::string& folder, const std::string& id) {
  const std::optional<codec::Json> json = read_object(folder, id, "cause.json");
  if (!json) return {};
  try {
    return read_cause(*json);
  } catch (const codec::Json::exception&) {  // damaged: as if nothing had been measured
    return {};
  }
}

Status keep_cause(const std::string& folder, const std::string& id, const Cause& cause) {
  codec::Json json = to_json(cause);
  json["version"] = codec::kVersion;
  return write_object(folder, id, "cause.json", json);
}

std::string bisected_part(const std::string& bisection) {
  std::istringstream stream(bisection);
  std::string part;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    const std::string key = colon == std::string::npos ? "" : line.substr(0, colon);
    if (key == "subsystem") part = line.substr(colon + 2);
    if (key == "backend" || key == "subsystem" || key == "number" || line.empty() || part.empty()) continue;
    // Nodes of a graph are numbered: "add_2".
    const std::size_t end = line.find_last_not_of("0123456789");
    const bool numbered = end != std::string::npos && end + 1 < line.size() && line[end] == '_' && end > 0;
    return fmt::format("{}, {}", part, numbered ? line.substr(0, end) : line);
  }
  return part;
}

Label load_label(const std::string& folder, const std::string& id) {
  std::optional<codec::Json> json = read_object(folder, id, "label.json");
  if (!json) return {};
  const auto text = [&](const char* name) {
    const bool there = json->contains(name) && json->at(name).is_string();  // else it is damaged
    return there ? json->at(name).get<std::string>() : "";
  };
  return {text("label"), text("note")};
}

Status keep_label(const std::string& folder, const std::string& id, const Label& label) {
  return write_object(folder, id, "label.json",
                      {{"version", codec::kVersion}, {"label", label.label}, {"note", label.note}});
}

}  // namespace jp::report
