#include "oracle/reduce/lineage.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "mutate/engine/engine.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce {
namespace {

constexpr std::size_t kList = 16;
/// Proposals for the seed are asked about in so many parts at most: what they leave, stage two takes one by one.
constexpr std::size_t kParts = 8;
/// Passes that make the seed's own data small and leave its statements where they are.
constexpr std::array<std::string_view, 3> kData = {"shrink_sizes", "simplify_dtypes", "simplify_values"};

class LineageReducer {
 public:
  LineageReducer(const Parsed& base, const std::vector<Step>& steps, const Problem& problem,
                 const Regenerate& regenerate)
      : base_(base), problem_(problem), regenerate_(regenerate), search_(mutate::replay(base, steps), problem) {}

  Reduced run() {
    drop_steps();
    shrink_draws();
    if (shrink_seed()) drop_steps();
    for (std::string_view name : kData) shrink_data(name);
    return {search_.current(), search_.progress(), !search_.stopped()};
  }

 private:
  /// The steps that made the current program; those that did nothing are not among them.
  const std::vector<Step>& steps() const { return search_.current().program().lineage().steps; }

  /// Chunks of steps, from all down to single ones.
  void drop_steps() {
    for (std::size_t size = std::max<std::size_t>(steps().size(), 1);; size = (size + 1) / 2) {
      for (std::size_t from = 0; from < steps().size() && !search_.stopped();) {
        const std::vector<Step> now = steps();
        std::vector<Search::Candidate> list;
        for (std::size_t at = from; at < now.size() && list.size() < kList; at += size)
          list.push_back(mutate::replay(base_, without(now, at, size)));
        auto found = search_.first(list, "drop_steps");
        from += (found ? *found : list.size()) * size;
      }
      if (size == 1) break;
    }
  }

  static std::vector<Step> without(std::vector<Step> steps, std::size_t at, std::size_t size) {
    auto begin = steps.begin() + static_cast<std::ptrdiff_t>(at);
    steps.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, steps.size() - at)));
    return steps;
  }

  /// Every number that a step drew: 0, half.
  void shrink_draws() {
    for (std::size_t step = 0; step < steps().size(); ++step)
      for (std::size_t draw = 0; step < steps().size() && draw < steps()[step].draws.size(); ++draw) {
        const auto* number = std::get_if<std::int64_t>(&steps()[step].draws[draw]);
        if (!number || *number == 0 || search_.stopped()) continue;
        std::vector<Search::Candidate> list;
        for (std::int64_t smaller : {std::int64_t{0}, *number / 2}) {
          std::vector<Step> changed = steps();
          changed[step].draws[draw] = smaller;
          list.push_back(mutate::replay(base_, changed));
        }
        search_.first(list, "shrink_draws");
      }
  }

  /// The same seed with fewer operators, the fewest first.
  bool shrink_seed() {
    const Seed seed = base_.program().lineage().seed;
    if (!regenerate_ || seed.origin != Seed::Origin::kGenerated) return false;
    std::vector<Search::Candidate> list;
    std::vector<Parsed> bases;
    for (int operators = 1; operators < seed.operators; operators *= 2) {
      Seed fewer = seed;
      fewer.operators = operators;
      auto base = regenerate_(fewer);
      if (!base) continue;
      list.push_back(mutate::replay(*base, steps()));
      bases.push_back(*std::move(base));
    }
    auto found = search_.first(list, "shrink_seed");
    if (!found) return false;
    base_ = bases[*found];
    return true;
  }

  /// Sizes, dtypes and values of the seed's text, with the same steps on top: they wrote down many a size and value of
  /// the seed, and write down the smaller ones now. Without steps stage two does it as well.
  void shrink_data(std::string_view name) {
    if (steps().empty() || search_.stopped()) return;
    const Pass* pass = Passes::instance().find(name);
    JP_CHECK(pass, "there is no pass {}", name);
    const Facts facts = pass->needs_facts() && problem_.facts ? problem_.facts(base_) : Facts();
    std::vector<EditSet> proposals = pass->propose(base_, facts);
    const std::size_t finest = (proposals.size() + kParts - 1) / kParts;
    const auto make = [&](const EditSet& edits) -> Search::Candidate {
      const std::optional<Parsed> smaller = apply(base_, edits);
      return smaller ? std::optional(mutate::replay(*smaller, steps())) : std::nullopt;
    };
    const EditSet accepted =
        search_.minimise(std::move(proposals), "shrink_data", make, std::max<std::size_t>(finest, 1));
    if (accepted.empty()) return;
    std::optional<Parsed> smaller = apply(base_, accepted);
    JP_CHECK(smaller, "a seed that was accepted does not parse");
    base_ = *std::move(smaller);
  }

  Parsed base_;
  const Problem& problem_;
  const Regenerate& regenerate_;
  Search search_;
};

}  // namespace

Reduced reduce_lineage(const Parsed& base, const std::vector<Step>& steps, const Problem& problem,
                       const Regenerate& regenerate) {
  return LineageReducer(base, steps, problem, regenerate).run();
}

}  // namespace jp::reduce
