#include "campaign/sources/harvest.h"

#include <fmt/format.h>

#include <filesystem>

#include "codec/codec.h"
#include "core/files.h"

namespace jp::campaign {
namespace {

using seedgen::ParameterValue;
using Kind = seedgen::ParameterValue::Kind;

constexpr int kHarvestVersion = 2;  // of instances.json

ParameterValue value_of(const codec::Json& json);

ParameterValue object_value(const codec::Json& json) {
  if (json.contains("tensor")) {
    return {.kind = Kind::kTensor,
            .word = json.at("tensor").get<std::string>(),
            .shape = json.at("shape").get<std::vector<std::int64_t>>()};
  }
  if (json.contains("float")) return {.kind = Kind::kFloat, .number = std::stod(json.at("float").get<std::string>())};
  ParameterValue parts{.kind = Kind::kList};
  for (const codec::Json& part : json.at("complex"))
    parts.items.push_back({.kind = Kind::kFloat, .number = std::stod(part.get<std::string>())});
  return parts;
}

// Integers that don't fit into 64 bits count as the largest.
ParameterValue integer_value(const codec::Json& json) {
  const bool huge = json.is_number_unsigned() && json.get<std::uint64_t>() > INT64_MAX;
  return {.kind = Kind::kInteger, .integer = huge ? INT64_MAX : json.get<std::int64_t>()};
}

ParameterValue value_of(const codec::Json& json) {
  if (json.is_null()) return {};
  if (json.is_boolean()) return {.kind = Kind::kWord, .word = json.get<bool>() ? "True" : "False"};
  if (json.is_number_integer()) return integer_value(json);
  if (json.is_number()) return {.kind = Kind::kFloat, .number = json.get<double>()};
  if (json.is_string()) return {.kind = Kind::kWord, .word = json.get<std::string>()};
  if (json.is_object()) return object_value(json);
  ParameterValue list{.kind = Kind::kList};
  for (const codec::Json& item : json) list.items.push_back(value_of(item));
  return list;
}

std::vector<seedgen::Parameter> parameters_of(const codec::Json& row) {
  std::vector<seedgen::Parameter> parameters;
  for (const codec::Json& parameter : row.at("parameters"))
    parameters.push_back({parameter.at("name").get<std::string>(), value_of(parameter.at("value"))});
  return parameters;
}

seedgen::Instance instance_of(const codec::Json& row, std::size_t dispatched) {
  seedgen::Instance instance{.file = row.at("file").get<std::string>(),
                             .op = row.at("operator").get<std::string>(),
                             .parameters = parameters_of(row),
                             .dispatched = row.at("dispatched").get<std::vector<std::size_t>>()};
  for (const std::size_t call : instance.dispatched)
    if (call >= dispatched) throw std::out_of_range("no such call");
  return instance;
}

Result<seedgen::CallCounts> call_counts(const std::string& path) {
  Result<std::string> text = read_file(path);
  if (!text.ok()) return text.error();
  try {
    return codec::Json::parse(text.value()).at("counts").get<seedgen::CallCounts>();
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("{} is damaged: {}", path, error.what())};
  }
}

std::string manifest(const std::string& folder) { return folder + "/instances.json"; }

// The instances alone, and the calls that were counted while harvesting.
Result<seedgen::OrderInput> load_instances(const std::string& folder) {
  Result<std::string> text = read_file(manifest(folder));
  if (!text.ok())
    return Error{fmt::format("{} holds no harvest (instances.json): make one with jitprobe harvest", folder)};
  try {
    const codec::Json json = codec::Json::parse(text.value());
    if (json.at("version") != kHarvestVersion)
      return Error{fmt::format("the harvest in {} was written by another version of jitprobe: harvest again", folder)};
    seedgen::OrderInput input;
    for (const codec::Json& row : json.at("dispatched"))
      input.dispatched.push_back({row.at("operator").get<std::string>(), parameters_of(row)});
    for (const codec::Json& row : json.at("instances"))
      input.instances.push_back(instance_of(row, input.dispatched.size()));
    if (input.instances.empty()) return Error{fmt::format("the harvest in {} holds no program", folder)};
    if (json.at("source") != "opinfo") input.library = json.at("counts").get<seedgen::CallCounts>();
    return input;
  } catch (const std::exception&) {
    return Error{fmt::format("{} is damaged: harvest again", manifest(folder))};
  }
}

}  // namespace

bool is_harvest(const std::string& folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(manifest(folder), error);
}

Result<seedgen::OrderInput> load_harvest(const std::string& folder, const std::string& corpus) {
  Result<seedgen::OrderInput> input = load_instances(folder);
  if (!input.ok()) return input;
  Result<seedgen::CallCounts> library = call_counts(corpus + "/harvest/library_calls.json");
  if (!library.ok()) return library.error();
  for (const auto& [op, count] : library.value()) input.value().library[op] += count;
  Result<seedgen::CallCounts> compiler = call_counts(corpus + "/harvest/compiler_calls.json");
  if (!compiler.ok()) return compiler.error();
  input.value().compiler = std::move(compiler).value();
  return input;
}

Result<std::vector<seedgen::Instance>> ordered_harvest(const std::string& folder, const std::string& corpus,
                                                       seedgen::OrderBy by, std::uint64_t seed) {
  Result<seedgen::OrderInput> input = load_harvest(folder, corpus);
  if (!input.ok()) return input.error();
  Choices choices = Choices(seed).fork("harvest order");
  std::vector<seedgen::Instance> ordered;
  for (const std::size_t place : seedgen::order(input.value(), by, choices))
    ordered.push_back(input.value().instances[place]);
  return ordered;
}

}  // namespace jp::campaign
