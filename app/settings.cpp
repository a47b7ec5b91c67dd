#include "app/settings.h"

#include <fmt/format.h>

#include "oracle/oracle.h"

namespace jp::app {
namespace {

// Before there were doors, all seeds were generated.
Result<Doors> read_doors(const codec::Json& json) {
  if (!json.contains("doors")) return Doors{generated_door(json.at("operators").get<int>())};
  Doors doors;
  for (const codec::Json& one : json.at("doors")) {
    DoorResult door = open_door(one);
    if (!door.ok()) return door.error();
    doors.push_back(std::move(door).value());
  }
  if (doors.empty()) return Error{"the campaign's settings are damaged: start a new campaign"};
  return doors;
}

}  // namespace

codec::Json settings_json(const MakerOptions& options) {
  codec::Json doors = codec::Json::array();
  for (const auto& door : options.doors) doors.push_back(door->settings());
  return {{"generator_version", seedgen::kGeneratorVersion},
          {"seed", options.seed},
          {"doors", std::move(doors)},
          {"draw_seeds", options.draw_seeds},
          {"mutations", options.mutations},
          {"weights", options.weights},
          {"epoch", options.epochs.size()},
          {"allow_known", options.allow_known},
          {"guide", guidance_name(options.guidance)},
          {"depth", options.depth},
          {"accept", accept_name(options.accept)},
          {"backends", options.backends},
          {"backend_weights", options.backend_weights},
          {"oracles", options.oracles},
          {"gradients", options.plan.gradients},
          {"threads", options.plan.threads},
          {"device", options.plan.device},
          {"report", options.plan.report}};
}

Result<MakerOptions> read_settings(const codec::Json& json) {
  try {
    if (int version = json.at("generator_version").get<int>(); version != seedgen::kGeneratorVersion)
      return Error{fmt::format(
          "the campaign was made by version {} of the generator, this is {}: the same numbers would give other tests; "
          "start a new campaign",
          version, seedgen::kGeneratorVersion)};
    MakerOptions options;
    options.seed = json.at("seed").get<std::uint64_t>();
    Result<Doors> doors = read_doors(json);
    if (!doors.ok()) return doors.error();
    options.doors = std::move(doors).value();
    options.draw_seeds = json.value("draw_seeds", options.draw_seeds);
    options.mutations = json.at("mutations").get<int>();
    options.weights = json.at("weights").get<std::map<std::string, std::uint32_t, std::less<>>>();
    options.backends = json.at("backends").get<std::vector<std::string>>();
    options.backend_weights = json.at("backend_weights").get<std::vector<std::uint32_t>>();
    options.oracles = json.value("oracles", options.oracles);
    const std::uint64_t epoch = json.value("epoch", Epochs::kSize);
    if (epoch == 0) return Error{"the campaign's settings are damaged: start a new campaign"};
    options.epochs = Epochs(epoch);
    options.allow_known = json.value("allow_known", options.allow_known);
    const std::optional<Guidance> guidance = guidance_named(json.value("guide", "none"));
    if (!guidance) return Error{"the campaign's settings are damaged: start a new campaign"};
    options.guidance = *guidance;
    options.depth = json.value("depth", options.depth);
    const std::optional<Accept> accept = accept_named(json.value("accept", "all"));
    if (!accept) return Error{"the campaign's settings are damaged: start a new campaign"};
    options.accept = *accept;
    options.plan.gradients = json.value("gradients", options.plan.gradients);
    options.plan.threads = json.value("threads", options.plan.threads);
    options.plan.device = json.value("device", options.plan.device);
    options.plan.report = json.value("report", options.plan.report);
    for (const std::string& name : options.oracles)
      if (!oracle::find_oracle(name))
        return Error{fmt::format("the campaign uses an oracle '{}', which is gone", name)};
    if (options.oracles.empty()) return Error{"the campaign's settings are damaged: start a new campaign"};
    if (options.backends.empty() || options.backends.size() != options.backend_weights.size())
      return Error{"the campaign's settings are damaged: start a new campaign"};
    return options;
  } catch (const codec::Json::exception&) {
    return Error{"the campaign's settings are damaged: start a new campaign"};
  }
}

}  // namespace jp::app
