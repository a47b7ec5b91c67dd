// Which backends and oracles have shown something new for what their tests cost; sets their shares of later tests.
//
// A test earns as mutations do (mutation_weights.h). What it costs is a class by its backend, from a fixed table: a
// clock would make other tests on another machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/feedback/earnings.h"

namespace jp::campaign {

/// What one test on this backend costs, in quarters of one on aot_eager. Measured: campaigns of one job made 0.89 tests
/// a second on aot_eager and 0.089 on inductor, all that a test costs included (./dev bench campaign, two threads of
/// one Xeon core, torch 2.13.0, 27 November 2026); runs on eager and aot_eager_decomp_partition take 0.8 and 1.0 times
/// those on aot_eager. A backend that isn't torch's counts as aot_eager.
std::int64_t cost_class(const std::string& backend);

class TestShares {
 public:
  /// Adds a test; `earned`: MutationWeights::earned.
  void add(const std::string& backend, const std::string& oracle, std::int64_t earned);
  /// To be called when an epoch has passed.
  void fade();

  /// The weights of these backends; `given` are those without feedback. Each stays between half and twice its own.
  std::vector<std::uint32_t> of_backends(const std::vector<std::string>& backends,
                                         const std::vector<std::uint32_t>& given) const;
  /// The weights of these oracles, even without feedback; each between half and twice that.
  std::vector<std::uint32_t> of_oracles(const std::vector<std::string>& oracles) const;

  codec::Json to_json() const;
  /// Throws codec::Json::exception if it is not what to_json gave.
  static TestShares read(const codec::Json& json);

 private:
  EarningsByName backends_;
  EarningsByName oracles_;
  Earnings all_;
};

}  // namespace jp::campaign
