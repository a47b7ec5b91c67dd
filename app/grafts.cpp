// Harvested calls for the generator: reads operators.json, and makes the programs of seeds again that were drawn with
// it.
#include <fmt/format.h>

#include <filesystem>

#include "app/harvest.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "core/hash.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::app {
namespace {

// Numbers beyond what Ints hold are none of a tensor that a graph can hold.
Ints ints_of(const codec::Json& json) {
  if (json.size() > static_cast<std::size_t>(Ints::kCapacity)) return Ints::filled(Ints::kCapacity, -1);
  Ints ints;
  for (const codec::Json& item : json) ints.push_back(item.get<std::int64_t>());
  return ints;
}

seedgen::GraftTensor tensor_of(const codec::Json& json) {
  const std::optional<Dtype> dtype = parse_dtype(json.at("dtype").get<std::string>());
  if (!dtype) throw std::runtime_error("no such dtype");
  seedgen::GraftTensor tensor;
  tensor.dtype = *dtype;
  tensor.shape = ints_of(json.at("shape"));
  tensor.strides = ints_of(json.at("strides"));
  tensor.strides_known = true;
  tensor.interval = {json.at("low").get<double>(), json.at("high").get<double>()};
  tensor.overlaps_itself = json.at("overlaps").get<bool>();
  return tensor;
}

seedgen::Graft graft_of(const codec::Json& json) {
  seedgen::Graft graft;
  graft.op = json.at("operator").get<std::string>();
  graft.text = json.at("text").get<std::string>();
  graft.several = json.at("several").get<bool>();
  graft.bound = json.at("bound").get<double>();
  graft.gradients = json.at("gradients").get<bool>();
  for (const codec::Json& argument : json.at("arguments"))
    graft.arguments.push_back(
        {tensor_of(argument), argument.at("text").get<std::string>(), argument.at("free").get<bool>()});
  for (const codec::Json& result : json.at("results"))
    graft.results.push_back({tensor_of(result), result.at("of").get<int>()});
  return graft;
}

}  // namespace

Result<std::shared_ptr<const seedgen::Grafts>> load_grafts(const std::string& folder) {
  Result<std::string> text = read_file(folder + "/operators.json");
  if (!text.ok())
    return Error{fmt::format("{} holds no harvested calls (operators.json): make them with jitprobe harvest", folder)};
  try {
    std::vector<seedgen::Graft> grafts;
    const codec::Json json = codec::Json::parse(text.value());
    for (const codec::Json& row : json.at("calls")) {
      seedgen::Graft graft = graft_of(row);
      if (seedgen::fault_of(graft).empty()) grafts.push_back(std::move(graft));
    }
    if (grafts.empty()) return Error{fmt::format("the harvest in {} holds no call that a graph can take", folder)};
    const std::string path = std::filesystem::absolute(folder).lexically_normal().string();
    return std::shared_ptr<const seedgen::Grafts>(
        std::make_shared<seedgen::Grafts>(std::move(grafts), path, sha256_hex(text.value())));
  } catch (const std::exception&) {
    return Error{fmt::format("{}/operators.json is damaged: harvest again", folder)};
  }
}

Result<Program> regenerate_any(const Seed& seed) {
  if (seed.door != Seed::Door::kGenerated || seed.sha256.empty() ||
      seed.generator_version != seedgen::kGeneratorVersion)
    return seedgen::regenerate(seed);
  auto with = load_grafts(seed.path);
  if (!with.ok()) return with.error();
  if (with.value()->sha256() != seed.sha256) return Error{fmt::format("the harvest in {} is another one", seed.path)};
  seedgen::GenerateOptions options{.operators = seed.operators};
  options.with = with.value();
  return seed.broken ? seedgen::generate_broken(seed.seed, options) : seedgen::generate(seed.seed, options);
}

}  // namespace jp::app
