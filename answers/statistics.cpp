#include "answers/statistics.h"

#include "codec/codec.h"

namespace jp::answers {
namespace {

codec::Json json_of(const campaign::RuleCount& share) {
  return {{"name", share.name},
          {"tests", share.tests},
          {"diverging", share.diverging},
          {"findings", share.findings},
          {"alone", share.alone},
          {"graph_breaks", share.graph_breaks},
          {"recompiles", share.recompiles},
          {"seconds", share.seconds}};
}

}  // namespace

codec::Json statistics_json(const std::vector<campaign::RuleStatistics>& all, Counts& counts) {
  codec::Json json = codec::Json::object();
  for (const campaign::RuleStatistics& shares : all) {
    codec::Json& rows = json[std::string(shares.kind)] = codec::Json::array();
    for (const campaign::RuleCount& share : shares.rows) {
      rows.push_back(json_of(share));
      if (shares.kind != "mutation") continue;
      for (const char* name : {"tried", "applied", "undone"})
        rows.back()[name] = counts["mutation:" + share.name][name];
    }
  }
  return json;
}

}  // namespace jp::answers
