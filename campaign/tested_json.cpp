// The result of a test as JSON: what one process hands to another.
#include <fmt/format.h>

#include <utility>

#include "campaign/tested.h"
#include "codec/codec.h"

namespace jp::campaign {
namespace {

template <typename T>
void read_into(const codec::Json& json, T& value) {
  Result<T> read = codec::read<T>(json);
  if (!read.ok()) throw std::invalid_argument(read.error().message);
  value = std::move(read).value();
}

Program program_in(const codec::Json& json) {
  Result<Program> program = codec::read<Program>(json);
  if (!program.ok()) throw std::invalid_argument(program.error().message);
  return std::move(program).value();
}

Finding finding_in(const codec::Json& json) {
  Result<Finding> finding = codec::read<Finding>(json);
  if (!finding.ok()) throw std::invalid_argument(finding.error().message);
  return std::move(finding).value();
}

Tested read(const codec::Json& json) {
  Tested tested{.number = json.at("test").get<std::uint64_t>(), .broken = json.value("broken", "")};
  if (json.contains("program")) {
    tested.program = program_in(json["program"]);
    read_into(json.at("plan"), tested.plan);
  }
  if (!tested.broken.empty()) return tested;
  tested.counts = json.at("counts").get<report::Counts>();
  for (const codec::Json& one : json.at("promises"))
    tested.promises.push_back({one.at("reason").get<std::string>(), program_in(one.at("program"))});
  tested.valid = tested.program.has_value();
  if (!tested.valid) return tested;
  read_into(json.at("verdict"), tested.verdict);
  tested.only_in_batch = json.value("only_in_batch", false);
  std::optional<TestRecord> row = read_test_record(json.at("row"));
  if (!row) throw std::invalid_argument("its row of the test log");
  tested.row = *std::move(row);
  for (const codec::Json& one : json.at("known"))
    tested.known.push_back(
        {finding_in(one.at("finding")), one.at("name").get<std::string>(), one.at("link").get<std::string>()});
  if (!json.contains("case")) return tested;
  Result<Case> open = read_case(json["case"]);
  if (!open.ok()) throw std::invalid_argument(open.error().message);
  tested.open = std::move(open).value();
  return tested;
}

}  // namespace

codec::Json to_json(const Tested& tested) {
  codec::Json json = {{"test", tested.number}};
  if (tested.program) {
    json["program"] = codec::to_json(*tested.program);
    json["plan"] = codec::to_json(tested.plan);
  }
  if (!tested.broken.empty()) {
    json["broken"] = tested.broken;
    return json;
  }
  json["counts"] = tested.counts;
  json["promises"] = codec::Json::array();
  for (const BrokenPromise& one : tested.promises)
    json["promises"].push_back({{"reason", one.reason}, {"program", codec::to_json(one.program)}});
  if (!tested.valid) return json;
  json["verdict"] = codec::to_json(tested.verdict);
  if (tested.only_in_batch) json["only_in_batch"] = true;
  json["row"] = to_json(tested.row);
  json["known"] = codec::Json::array();
  for (const KnownSighting& one : tested.known)
    json["known"].push_back({{"finding", codec::to_json(one.finding)}, {"name", one.name}, {"link", one.link}});
  if (tested.open) json["case"] = to_json(*tested.open);
  return json;
}

Result<Tested> read_tested(const codec::Json& json) {
  try {
    return read(json);
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("the result of a test is damaged: {}", error.what())};
  } catch (const std::invalid_argument& error) {
    return Error{fmt::format("the result of a test is damaged: {}", error.what())};
  }
}

}  // namespace jp::campaign
