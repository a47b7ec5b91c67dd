#include "campaign/triage/case.h"

#include <fmt/format.h>

#include <utility>

#include "codec/codec.h"

namespace jp::campaign {

codec::Json to_json(const Case& one) {
  codec::Json json = {{"version", codec::kVersion}, {"test", one.test}, {"finding", codec::to_json(one.found)}};
  if (one.slip.depth > 0) json["slip"] = {{"of", one.slip.of}, {"depth", one.slip.depth}};
  return json;
}

Result<Case> read_case(const codec::Json& json) {
  try {
    Result<Finding> found = codec::read<Finding>(json.at("finding"));
    if (!found.ok()) return found.error();
    Case one{.test = json.at("test").get<std::uint64_t>(), .found = std::move(found).value()};
    if (json.contains("slip"))
      one.slip = {json["slip"].at("of").get<std::string>(), json["slip"].at("depth").get<int>()};
    return one;
  } catch (const codec::Json::exception& error) {
    return Error{fmt::format("a divergence that waits for its turn is damaged: {}", error.what())};
  }
}

}  // namespace jp::campaign
