// What choices have earned for what they cost, and how much of one's weight follows from that.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "codec/json.h"

namespace jp::campaign {

/// The weight of a choice that earns what all do on average.
inline constexpr std::uint32_t kEven = 64;

/// Sums over tests, in 1024ths, so that fading is exact enough.
struct Earnings {
  std::int64_t spent = 0;
  std::int64_t earned = 0;

  /// Adds whole units.
  void add(std::int64_t spent_units, std::int64_t earned_units);
  /// Takes an eighth away, so that old discoveries stop counting. To be called when an epoch has passed.
  void fade();
};

/// By the name of the choice.
using EarningsByName = std::map<std::string, Earnings, std::less<>>;

/// The rate of one choice relative to the rate of all, both in the same units:
///     (earned + prior * rate) / (spent + prior) / rate,   rate = all.earned / all.spent,
/// times kEven, between `least` and `most`; kEven if nothing was earned yet. `prior`: how many units must be spent on a
/// choice until its own rate counts as much as that of all. In integers: every machine draws alike.
std::uint32_t relative_rate(const Earnings& own, const Earnings& all, std::int64_t prior, std::uint32_t least,
                            std::uint32_t most);

codec::Json to_json(const Earnings& earnings);
codec::Json to_json(const EarningsByName& by_name);
/// Both throw codec::Json::exception if it is not what to_json gave.
Earnings read_earnings(const codec::Json& json);
EarningsByName read_earnings_by_name(const codec::Json& json);

}  // namespace jp::campaign
