// Which mutations, and which pairs of them in sequence, have led to something new: how they are drawn later.
//
// A test earns for what it is the first to show: kForFinding for a signature that no test before it had, one for each
// new bucket of the compiler's counters. Each of its mutations, and each pair of neighbours among them, gets all of it:
// who of them was needed is not known yet. Earnings and tests lose an eighth with every epoch, so that what has been
// found stops to count.
//
// The share of a mutation is its rate of earning against that of all, both in the same units:
//     (earned + kPrior * rate) / (tests + kPrior) / rate,   rate = all earnings / all tests,
// times kEven, between kFloor and kCeiling. It is computed in integers, from counts alone: every machine draws alike.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "mutate/engine/engine.h"

namespace jp::campaign {

/// The share of a mutation that earns what all do, the least and the greatest.
inline constexpr std::uint32_t kEven = 64;
inline constexpr std::uint32_t kFloor = 8;
inline constexpr std::uint32_t kCeiling = 512;

class MutationWeights {
 public:
  static constexpr std::int64_t kForFinding = 8;

  /// A test that had these steps; `firsts`: new signatures and new buckets that it was the first to show.
  void add(const std::vector<std::string>& steps, std::int64_t findings, std::int64_t buckets);
  /// An epoch has passed.
  void fade();
  /// The shares of what may be drawn after `previous` ("" at first). Mutations of the weight 0 keep it.
  mutate::Weights weights(const mutate::Weights& allowed, std::string_view previous) const;

 private:
  /// In 1024ths, so that fading is exact enough.
  struct Sum {
    std::int64_t tests = 0;
    std::int64_t earned = 0;
  };
  using Sums = std::map<std::string, Sum, std::less<>>;

  static std::uint32_t share(const Sum& own, const Sum& all, std::int64_t prior);

  Sums single_;
  Sums pairs_;  // "first second"
  Sum all_;     // over tests with steps; a test counts once for each of them
  Sum all_pairs_;
};

}  // namespace jp::campaign
