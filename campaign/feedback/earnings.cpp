#include "campaign/feedback/earnings.h"

#include <algorithm>

#include "codec/codec.h"

namespace jp::campaign {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kUnit = 1024;

}  // namespace

void Earnings::add(std::int64_t spent_units, std::int64_t earned_units) {
  spent += spent_units * kUnit;
  earned += earned_units * kUnit;
}

void Earnings::fade() {
  spent -= spent / 8;
  earned -= earned / 8;
}

// Products of three sums in a campaign with the largest epochs don't fit into 64 bits.
std::uint32_t relative_rate(const Earnings& own, const Earnings& all, std::int64_t prior, std::uint32_t least,
                            std::uint32_t most) {
  if (all.earned <= 0 || all.spent <= 0) return kEven;
  const Wide prior_spent = static_cast<Wide>(prior) * kUnit;
  const Wide earned = static_cast<Wide>(own.earned) * all.spent + prior_spent * all.earned;
  const Wide expected = (own.spent + prior_spent) * all.earned;
  return static_cast<std::uint32_t>(std::clamp<Wide>(earned * kEven / expected, least, most));
}

codec::Json to_json(const Earnings& earnings) { return codec::Json::array({earnings.spent, earnings.earned}); }

codec::Json to_json(const EarningsByName& by_name) {
  codec::Json json = codec::Json::object();
  for (const auto& [name, earnings] : by_name) json[name] = to_json(earnings);
  return json;
}

Earnings read_earnings(const codec::Json& json) {
  return {json.at(0).get<std::int64_t>(), json.at(1).get<std::int64_t>()};
}

EarningsByName read_earnings_by_name(const codec::Json& json) {
  EarningsByName by_name;
  for (const auto& [name, one] : json.items()) by_name[name] = read_earnings(one);
  return by_name;
}

}  // namespace jp::campaign
