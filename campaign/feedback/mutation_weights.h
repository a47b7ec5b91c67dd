// Which mutations, and which pairs of them in sequence, have led to something new; sets their weights in later draws.
//
// A test earns for what it is the first to show: kForFinding for a signature that no test before it had, one for each
// new bucket of the compiler's counters. Each of its mutations, and each pair of neighbours among them, gets all of it:
// which of them were needed is not known yet. Earnings and tests lose an eighth with every epoch, so that old
// discoveries stop counting.
//
// The weight of a mutation is its rate of earning relative to the rate of all (earnings.h), between kFloor and
// kCeiling.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/feedback/earnings.h"
#include "codec/json.h"
#include "mutate/engine/engine.h"

namespace jp::campaign {

/// The least and the greatest weight.
inline constexpr std::uint32_t kFloor = 8;
inline constexpr std::uint32_t kCeiling = 512;

class MutationWeights {
 public:
  static constexpr std::int64_t kForFinding = 8;
  /// What a test earns that is the first to show so many signatures and buckets.
  static std::int64_t earned(std::int64_t findings, std::int64_t buckets) { return kForFinding * findings + buckets; }

  /// Adds a test that had these steps; `findings`, `firsts`: new signatures and new buckets that it was the first to
  /// show.
  void add(const std::vector<std::string>& steps, std::int64_t findings, std::int64_t buckets);
  /// To be called when an epoch has passed.
  void fade();
  /// The weights of what may be drawn after `previous` ("" at first). Mutations of weight 0 keep it.
  mutate::Weights weights(const mutate::Weights& allowed, std::string_view previous) const;

  codec::Json to_json() const;
  /// Throws codec::Json::exception if it is not what to_json gave.
  static MutationWeights read(const codec::Json& json);

 private:
  EarningsByName single_;
  EarningsByName pairs_;  // "first second"
  Earnings all_;          // over tests with steps; a test counts once for each of them
  Earnings all_pairs_;
};

}  // namespace jp::campaign
