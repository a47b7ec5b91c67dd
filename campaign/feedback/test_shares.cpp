#include "campaign/feedback/test_shares.h"

#include "codec/codec.h"

namespace jp::campaign {
namespace {

constexpr std::int64_t kUsual = 4;
constexpr std::int64_t kWithKernels = 40;
// Some fifty tests on aot_eager until a rate counts for half (chosen, not measured).
constexpr std::int64_t kPrior = 48 * kUsual;
constexpr std::uint32_t kLeast = kEven / 2;
constexpr std::uint32_t kMost = kEven * 2;

std::uint32_t share(const EarningsByName& by_name, const std::string& name, const Earnings& all) {
  const auto own = by_name.find(name);
  return relative_rate(own == by_name.end() ? Earnings{} : own->second, all, kPrior, kLeast, kMost);
}

}  // namespace

std::int64_t cost_class(const std::string& backend) { return backend == "inductor" ? kWithKernels : kUsual; }

void TestShares::add(const std::string& backend, const std::string& oracle, std::int64_t earned) {
  for (Earnings* sum : {&backends_[backend], &oracles_[oracle], &all_}) sum->add(cost_class(backend), earned);
}

void TestShares::fade() {
  for (auto* sums : {&backends_, &oracles_})
    for (auto& [name, sum] : *sums) sum.fade();
  all_.fade();
}

std::vector<std::uint32_t> TestShares::of_backends(const std::vector<std::string>& backends,
                                                   const std::vector<std::uint32_t>& given) const {
  std::vector<std::uint32_t> weights;
  for (std::size_t i = 0; i < backends.size(); ++i) weights.push_back(given[i] * share(backends_, backends[i], all_));
  return weights;
}

std::vector<std::uint32_t> TestShares::of_oracles(const std::vector<std::string>& oracles) const {
  std::vector<std::uint32_t> weights;
  for (const std::string& oracle : oracles) weights.push_back(share(oracles_, oracle, all_));
  return weights;
}

codec::Json TestShares::to_json() const {
  return {{"backends", campaign::to_json(backends_)},
          {"oracles", campaign::to_json(oracles_)},
          {"all", campaign::to_json(all_)}};
}

TestShares TestShares::read(const codec::Json& json) {
  TestShares shares;
  shares.backends_ = read_earnings_by_name(json.at("backends"));
  shares.oracles_ = read_earnings_by_name(json.at("oracles"));
  shares.all_ = read_earnings(json.at("all"));
  return shares;
}

}  // namespace jp::campaign
