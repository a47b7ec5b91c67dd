// Harvested calls for the generator: reads operators.json, and regenerates the programs of seeds that were drawn with
// it.
#include <fmt/format.h>

#include <filesystem>

#include "campaign/sources/harvest.h"
#include "codec/codec.h"
#include "core/files.h"
#include "core/hash.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::campaign {
namespace {

// Numbers that don't fit into Ints belong to no tensor that a graph can hold.
Ints ints_of(const codec::Json& json) {
  if (json.size() > static_cast<std::size_t>(Ints::kCapacity)) return Ints::filled(Ints::kCapacity, -1);
  Ints ints;
  for (const codec::Json& item : json) ints.push_back(item.get<std::int64_t>());
  return ints;
}

seedgen::HarvestedTensor tensor_of(const codec::Json& json) {
  const std::optional<Dtype> dtype = parse_dtype(json.at("dtype").get<std::string>());
  if (!dtype) throw std::runtime_error("no such dtype");
  seedgen::HarvestedTensor tensor;
  tensor.dtype = *dtype;
  tensor.shape = ints_of(json.at("shape"));
  tensor.strides = ints_of(json.at("strides"));
  tensor.strides_known = true;
  tensor.interval = {json.at("low").get<double>(), json.at("high").get<double>()};
  tensor.overlaps_itself = json.at("overlaps").get<bool>();
  return tensor;
}

Interval interval_of(const codec::Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

// Arguments that are not free have no interval there: theirs is that of the recorded elements.
seedgen::HarvestedLevel level_of(const codec::Json& json, const seedgen::HarvestedOperator& harvested) {
  seedgen::HarvestedLevel level;
  for (const codec::Json& argument : json.at("arguments")) {
    const std::size_t number = level.arguments.size();
    level.arguments.push_back(argument.is_null() ? harvested.arguments.at(number).tensor.interval
                                                 : interval_of(argument));
  }
  for (const codec::Json& result : json.at("results")) level.results.push_back(interval_of(result));
  return level;
}

seedgen::HarvestedOperator harvested_of(const codec::Json& json) {
  seedgen::HarvestedOperator harvested;
  harvested.op = json.at("operator").get<std::string>();
  harvested.text = json.at("text").get<std::string>();
  harvested.several = json.at("several").get<bool>();
  harvested.bound = json.at("bound").get<double>();
  harvested.gradients = json.at("gradients").get<bool>();
  for (const codec::Json& argument : json.at("arguments"))
    harvested.arguments.push_back(
        {tensor_of(argument), argument.at("text").get<std::string>(), argument.at("free").get<bool>()});
  for (const codec::Json& result : json.at("results"))
    harvested.results.push_back({tensor_of(result), result.at("of").get<int>()});
  for (const codec::Json& level : json.at("levels")) harvested.levels.push_back(level_of(level, harvested));
  harvested.exact = json.at("exact").get<bool>();
  return harvested;
}

}  // namespace

Result<std::shared_ptr<const seedgen::HarvestedOperators>> load_harvested(const std::string& folder) {
  Result<std::string> text = read_file(folder + "/operators.json");
  if (!text.ok())
    return Error{fmt::format("{} holds no harvested calls (operators.json): make them with jitprobe harvest", folder)};
  try {
    std::vector<seedgen::HarvestedOperator> harvested;
    const codec::Json json = codec::Json::parse(text.value());
    for (const codec::Json& row : json.at("calls")) {
      seedgen::HarvestedOperator one = harvested_of(row);
      if (seedgen::fault_of(one).empty()) harvested.push_back(std::move(one));
    }
    if (harvested.empty()) return Error{fmt::format("the harvest in {} holds no call that a graph can take", folder)};
    const std::string path = std::filesystem::absolute(folder).lexically_normal().string();
    return std::shared_ptr<const seedgen::HarvestedOperators>(
        std::make_shared<seedgen::HarvestedOperators>(std::move(harvested), path, sha256_hex(text.value())));
  } catch (const std::exception&) {
    return Error{fmt::format("{}/operators.json is damaged: harvest again", folder)};
  }
}

Result<Program> regenerate_any(const Seed& seed) {
  if (seed.origin != Seed::Origin::kGenerated || seed.sha256.empty() ||
      seed.generator_version != seedgen::kGeneratorVersion)
    return seedgen::regenerate(seed);
  auto with = load_harvested(seed.path);
  if (!with.ok()) return with.error();
  if (with.value()->sha256() != seed.sha256) return Error{fmt::format("the harvest in {} is another one", seed.path)};
  seedgen::GenerateOptions options{.operators = seed.operators};
  options.without = seed.without;
  options.with = with.value()->without(MissingFunctions(seed.without));
  if (!options.with) return Error{fmt::format("nothing of the harvest in {} is left for this torch", seed.path)};
  return seed.broken ? seedgen::generate_broken(seed.seed, options) : seedgen::generate(seed.seed, options);
}

}  // namespace jp::campaign
