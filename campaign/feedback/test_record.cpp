#include "campaign/feedback/test_record.h"

#include "codec/codec.h"

namespace jp::campaign {

codec::Json to_json(const CorpusProgram& mutant) {
  codec::Json json = {{"seed", codec::to_json(mutant.seed)}};
  for (const Step& step : mutant.steps) json["since"].push_back(codec::to_json(step));
  return json;
}

std::optional<CorpusProgram> read_corpus_program(const codec::Json& json) {
  Result<Program> seed = codec::read<Program>(json.at("seed"));
  if (!seed.ok()) return std::nullopt;
  CorpusProgram mutant{std::move(seed).value(), {}};
  for (const codec::Json& one : json.value("since", codec::Json::array())) {
    Result<Step> step = codec::read<Step>(one);
    if (!step.ok()) return std::nullopt;
    mutant.steps.push_back(std::move(step).value());
  }
  return mutant;
}

codec::Json to_json(const TestRecord& row) {
  codec::Json json = {{"test", row.test},
                      {"source", row.seed_source},
                      {"oracle", row.oracle},
                      {"backend", row.backend},
                      {"steps", row.steps},
                      {"verdict", row.verdict},
                      {"buckets", row.buckets},
                      {"seconds", row.seconds},
                      {"graph_breaks", row.graph_breaks},
                      {"recompiles", row.recompiles}};
  if (row.depth > 0) json["depth"] = row.depth;
  if (!row.signature.empty()) json["signature"] = row.signature;
  if (row.call > 0) json["call"] = row.call;
  if (!row.mutant) return json;
  json["distance"] = row.distance;
  json.update(to_json(*row.mutant));
  return json;
}

std::optional<TestRecord> read_test_record(const codec::Json& json) {
  try {
    TestRecord row;
    row.test = json.at("test").get<std::uint64_t>();
    row.seed_source = json.at(json.contains("source") ? "source" : "door").get<std::string>();
    row.oracle = json.at("oracle").get<std::string>();
    row.backend = json.at("backend").get<std::string>();
    row.steps = json.at("steps").get<std::vector<std::string>>();
    row.depth = json.value("depth", 0);
    row.verdict = json.at("verdict").get<std::string>();
    row.signature = json.value("signature", "");
    row.call = json.value("call", 0);
    row.buckets = json.at("buckets").get<std::vector<std::string>>();
    row.graph_breaks = json.at("graph_breaks").get<std::int64_t>();
    row.recompiles = json.at("recompiles").get<std::int64_t>();
    row.seconds = json.at("seconds").get<double>();
    row.distance = json.value("distance", std::int64_t{0});
    if (json.contains("seed")) row.mutant = read_corpus_program(json);
    return row;
  } catch (const codec::Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace jp::campaign
