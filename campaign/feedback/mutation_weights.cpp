#include "campaign/feedback/mutation_weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/codec.h"

namespace jp::campaign {
namespace {

// The weight of the prior: how many tests it takes to believe in a rate (chosen, not measured).
constexpr std::int64_t kPrior = 48;
constexpr std::int64_t kPairPrior = 24;

std::string pair_name(std::string_view first, std::string_view second) { return fmt::format("{} {}", first, second); }

}  // namespace

void MutationWeights::add(const std::vector<std::string>& steps, std::int64_t findings, std::int64_t buckets) {
  const std::int64_t worth = earned(findings, buckets);
  const auto give = [&](EarningsByName& sums, Earnings& all, const std::string& name) {
    for (Earnings* sum : {&sums[name], &all}) sum->add(1, worth);
  };
  std::vector<std::string> names = steps;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) give(single_, all_, name);
  for (std::size_t i = 1; i < steps.size(); ++i) give(pairs_, all_pairs_, pair_name(steps[i - 1], steps[i]));
}

void MutationWeights::fade() {
  for (auto* sums : {&single_, &pairs_})
    for (auto& [name, sum] : *sums) sum.fade();
  all_.fade();
  all_pairs_.fade();
}

codec::Json MutationWeights::to_json() const {
  return {{"single", campaign::to_json(single_)},
          {"pairs", campaign::to_json(pairs_)},
          {"all", campaign::to_json(all_)},
          {"all_pairs", campaign::to_json(all_pairs_)}};
}

MutationWeights MutationWeights::read(const codec::Json& json) {
  MutationWeights weights;
  weights.single_ = read_earnings_by_name(json.at("single"));
  weights.pairs_ = read_earnings_by_name(json.at("pairs"));
  weights.all_ = read_earnings(json.at("all"));
  weights.all_pairs_ = read_earnings(json.at("all_pairs"));
  return weights;
}

mutate::Weights MutationWeights::weights(const mutate::Weights& allowed, std::string_view previous) const {
  mutate::Weights weights;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    const auto given = allowed.find(mutation->name());
    const std::uint32_t at_first = given == allowed.end() ? mutate::unnamed_weight(*mutation) : given->second;
    std::uint64_t weight = at_first;
    const auto times = [&](const EarningsByName& sums, const Earnings& all, std::string_view name, std::int64_t prior) {
      const auto sum = sums.find(name);
      weight = weight * relative_rate(sum == sums.end() ? Earnings{} : sum->second, all, prior, kFloor, kCeiling);
    };
    times(single_, all_, mutation->name(), kPrior);
    if (!previous.empty()) {
      times(pairs_, all_pairs_, pair_name(previous, mutation->name()), kPairPrior);
      weight /= kEven;
    }
    if (at_first > 0) weight = std::clamp<std::uint64_t>(weight, kFloor * at_first, kCeiling * at_first);
    weights[std::string(mutation->name())] = static_cast<std::uint32_t>(weight);
  }
  return weights;
}

}  // namespace jp::campaign
