#include "campaign/feedback/mutation_weights.h"

#include <fmt/format.h>

#include <algorithm>

#include "codec/codec.h"

namespace jp::campaign {
namespace {

__extension__ using Wide = __int128;

constexpr std::int64_t kUnit = 1024;
// The weight of the prior: how many tests it takes to believe in a rate (chosen, not measured).
constexpr std::int64_t kPrior = 48;
constexpr std::int64_t kPairPrior = 24;

std::string pair_name(std::string_view first, std::string_view second) { return fmt::format("{} {}", first, second); }

}  // namespace

void MutationWeights::add(const std::vector<std::string>& steps, std::int64_t findings, std::int64_t buckets) {
  const std::int64_t earned = (kForFinding * findings + buckets) * kUnit;
  const auto give = [&](Sums& sums, Sum& all, const std::string& name) {
    for (Sum* sum : {&sums[name], &all}) {
      sum->tests += kUnit;
      sum->earned += earned;
    }
  };
  std::vector<std::string> names = steps;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  for (const std::string& name : names) give(single_, all_, name);
  for (std::size_t i = 1; i < steps.size(); ++i) give(pairs_, all_pairs_, pair_name(steps[i - 1], steps[i]));
}

void MutationWeights::fade() {
  const auto less = [](Sum& sum) {
    sum.tests -= sum.tests / 8;
    sum.earned -= sum.earned / 8;
  };
  for (auto* sums : {&single_, &pairs_})
    for (auto& [name, sum] : *sums) less(sum);
  less(all_);
  less(all_pairs_);
}

codec::Json MutationWeights::to_json() const {
  const auto of_sum = [](const Sum& sum) { return codec::Json::array({sum.tests, sum.earned}); };
  const auto of_sums = [&](const Sums& sums) {
    codec::Json json = codec::Json::object();
    for (const auto& [name, sum] : sums) json[name] = of_sum(sum);
    return json;
  };
  return {{"single", of_sums(single_)},
          {"pairs", of_sums(pairs_)},
          {"all", of_sum(all_)},
          {"all_pairs", of_sum(all_pairs_)}};
}

MutationWeights MutationWeights::read(const codec::Json& json) {
  const auto sum_of = [](const codec::Json& one) {
    return Sum{one.at(0).get<std::int64_t>(), one.at(1).get<std::int64_t>()};
  };
  MutationWeights weights;
  for (const auto& [name, one] : json.at("single").items()) weights.single_[name] = sum_of(one);
  for (const auto& [name, one] : json.at("pairs").items()) weights.pairs_[name] = sum_of(one);
  weights.all_ = sum_of(json.at("all"));
  weights.all_pairs_ = sum_of(json.at("all_pairs"));
  return weights;
}

// Products of three sums in a campaign with the largest epochs don't fit into 64 bits.
std::uint32_t MutationWeights::share(const Sum& own, const Sum& all, std::int64_t prior) {
  if (all.earned <= 0 || all.tests <= 0) return kEven;
  const Wide prior_tests = static_cast<Wide>(prior) * kUnit;
  const Wide earned = static_cast<Wide>(own.earned) * all.tests + prior_tests * all.earned;
  const Wide expected = (own.tests + prior_tests) * all.earned;
  return static_cast<std::uint32_t>(std::clamp<Wide>(earned * kEven / expected, kFloor, kCeiling));
}

mutate::Weights MutationWeights::weights(const mutate::Weights& allowed, std::string_view previous) const {
  mutate::Weights weights;
  for (const mutate::Mutation* mutation : mutate::Mutations::instance().all()) {
    const auto given = allowed.find(mutation->name());
    const std::uint32_t at_first = given == allowed.end() ? mutate::unnamed_weight(*mutation) : given->second;
    std::uint64_t weight = at_first;
    const auto times = [&](const Sums& sums, const Sum& all, std::string_view name, std::int64_t prior) {
      const auto sum = sums.find(name);
      weight = weight * share(sum == sums.end() ? Sum{} : sum->second, all, prior);
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
