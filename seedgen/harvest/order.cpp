#include "seedgen/harvest/order.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>
#include <utility>

namespace jp::seedgen {
namespace {

// Larger counts are clamped to this, so that products of two scores stay below 2^64.
constexpr std::uint64_t kMostCalls = 1 << 19;
constexpr std::uint64_t kMostFeatures = 1 << 12;

/// An exact fraction: equal scores must compare equal on every machine.
struct Score {
  std::uint64_t part = 0;
  std::uint64_t whole = 1;

  friend bool operator<(const Score& left, const Score& right) {
    return left.part * right.whole < right.part * left.whole;
  }
};

std::uint64_t calls_of(const CallCounts& counts, const std::string& op) {
  const auto found = counts.find(op);
  return found == counts.end() ? 0 : std::min(found->second, kMostCalls - 1);
}

/// What instances cover, as numbers.
class Features {
 public:
  Features(const OrderInput& input, OrderBy by) {
    if (by == OrderBy::kDispatched)
      for (const DispatchedCall& call : input.dispatched) dispatched_.push_back(of_call(call));
    for (const Instance& instance : input.instances)
      of_.push_back(by == OrderBy::kDispatched ? of_dispatched(instance) : of_parameters(instance));
  }

  std::size_t count() const { return numbers_.size(); }
  const std::vector<std::size_t>& of(std::size_t instance) const { return of_[instance]; }

 private:
  std::size_t number(const std::string& text) { return numbers_.emplace(text, numbers_.size()).first->second; }

  /// Each parameter and each pair of them with value classes, for one operator.
  std::vector<std::size_t> of_parameters(const Instance& instance) {
    std::vector<std::string> single;
    for (const Parameter& parameter : instance.parameters)
      single.push_back(parameter.name + "=" + value_class(parameter.value));
    if (single.empty()) single.emplace_back("");  // for a call without parameters: that it is made
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < single.size(); ++i) {
      for (std::size_t j = i; j < single.size() && numbers.size() < kMostFeatures - 1; ++j)
        numbers.push_back(number(instance.op + "\n" + single[i] + (j == i ? "" : "\n" + single[j])));
    }
    return numbers;
  }

  /// That an ATen operator is called, and each trait of its parameters.
  std::vector<std::size_t> of_call(const DispatchedCall& call) {
    std::vector<std::size_t> numbers = {number(call.op)};
    for (const Parameter& parameter : call.parameters)
      for (const std::string& trait : value_traits(parameter.value))
        numbers.push_back(number(call.op + "\n" + parameter.name + "=" + trait));
    return numbers;
  }

  std::vector<std::size_t> of_dispatched(const Instance& instance) const {
    std::set<std::size_t> numbers;
    for (const std::size_t call : instance.dispatched)
      numbers.insert(dispatched_[call].begin(), dispatched_[call].end());
    return {numbers.begin(), numbers.end()};
  }

  std::map<std::string, std::size_t> numbers_;
  std::vector<std::vector<std::size_t>> dispatched_;
  std::vector<std::vector<std::size_t>> of_;
};

/// Takes the best instance repeatedly. Scores only fall while others are taken, so an instance that is on top with an
/// unchanged score is the best; the others need not be recounted.
class Greedy {
 public:
  Greedy(const OrderInput& input, OrderBy by)
      : input_(input), by_(by), features_(input, by), covered_(features_.count()) {
    for (std::size_t place = 0; place < input.instances.size(); ++place) left_.push({score(place), place});
  }

  std::vector<std::size_t> run() {
    while (!left_.empty()) {
      Entry best = left_.top();
      left_.pop();
      const Score now = score(best.place);
      if (now < best.score) {
        left_.push({now, best.place});
      } else if (now.part == 0 && !fresh_) {
        left_.push(best);
        forget();
      } else {
        take(best.place);
      }
    }
    return std::move(order_);
  }

 private:
  struct Entry {
    Score score;
    std::size_t place;
    friend bool operator<(const Entry& left, const Entry& right) {
      if (left.score < right.score) return true;
      if (right.score < left.score) return false;
      return left.place > right.place;
    }
  };

  Score score(std::size_t place) const {
    const std::vector<std::size_t>& all = features_.of(place);
    const auto fresh = static_cast<std::uint64_t>(
        std::count_if(all.begin(), all.end(), [&](std::size_t feature) { return !covered_[feature]; }));
    if (by_ == OrderBy::kAdditional || by_ == OrderBy::kDispatched) return {fresh, 1};
    if (by_ == OrderBy::kParameter) return {fresh, all.size()};
    const std::string& op = input_.instances[place].op;
    const std::uint64_t library = std::max<std::uint64_t>(1, calls_of(input_.library, op));
    return {library * fresh, (1 + calls_of(input_.compiler, op)) * all.size()};
  }

  void forget() {
    covered_.assign(covered_.size(), false);
    fresh_ = true;
    std::priority_queue<Entry> renewed;
    for (; !left_.empty(); left_.pop()) renewed.push({score(left_.top().place), left_.top().place});
    left_ = std::move(renewed);
  }

  void take(std::size_t place) {
    order_.push_back(place);
    fresh_ = fresh_ && features_.of(place).empty();
    for (const std::size_t feature : features_.of(place)) covered_[feature] = true;
  }

  const OrderInput& input_;
  OrderBy by_;
  Features features_;
  std::vector<bool> covered_;
  std::priority_queue<Entry> left_;
  std::vector<std::size_t> order_;
  bool fresh_ = true;  // nothing is covered
};

std::vector<std::size_t> sorted(const OrderInput& input, OrderBy by) {
  const Features features(input, by);
  std::vector<Score> scores;
  for (std::size_t i = 0; i < input.instances.size(); ++i) {
    const std::string& op = input.instances[i].op;
    scores.push_back(by == OrderBy::kTotal ? Score{features.of(i).size(), 1}
                                           : Score{std::max<std::uint64_t>(1, calls_of(input.library, op)),
                                                   1 + calls_of(input.compiler, op)});
  }
  std::vector<std::size_t> places(scores.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::stable_sort(places.begin(), places.end(), [&](std::size_t a, std::size_t b) { return scores[b] < scores[a]; });
  return places;
}

std::vector<std::size_t> shuffled(std::size_t count, Choices& choices) {
  std::vector<std::size_t> places(count);
  std::iota(places.begin(), places.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) std::swap(places[left - 1], places[choices.below(left)]);
  return places;
}

const std::vector<std::pair<OrderBy, std::string_view>> kNames = {
    {OrderBy::kDispatched, "dispatched"}, {OrderBy::kOpera, "opera"}, {OrderBy::kSignature, "signature"},
    {OrderBy::kParameter, "parameter"},   {OrderBy::kTotal, "total"}, {OrderBy::kAdditional, "additional"},
    {OrderBy::kRandom, "random"},
};

}  // namespace

std::string_view order_name(OrderBy by) {
  return std::find_if(kNames.begin(), kNames.end(), [&](const auto& one) { return one.first == by; })->second;
}

std::optional<OrderBy> order_of(std::string_view name) {
  for (const auto& [by, known] : kNames)
    if (known == name) return by;
  return std::nullopt;
}

const std::vector<OrderBy>& all_orders() {
  static const std::vector<OrderBy> all = [] {
    std::vector<OrderBy> orders;
    for (const auto& [by, name] : kNames) orders.push_back(by);
    return orders;
  }();
  return all;
}

std::vector<std::size_t> order(const OrderInput& input, OrderBy by, Choices& choices) {
  switch (by) {
    case OrderBy::kRandom:
      return shuffled(input.instances.size(), choices);
    case OrderBy::kSignature:
    case OrderBy::kTotal:
      return sorted(input, by);
    default:
      return Greedy(input, by).run();
  }
}

}  // namespace jp::seedgen
