#include "oracle/reduce/lineage.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "mutate/engine/engine.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"
#include "oracle/reduce/patches.h"

namespace jp::reduce {
namespace {

constexpr std::size_t kList = 16;
/// Proposals for the seed are divided into at most so many parts: stage two takes the rest one by one.
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
    if (make_constant()) drop_steps();
    shrink_draws();
    if (shrink_seed()) drop_steps();
    for (std::string_view name : kData) shrink_data(name);
    return {search_.current(), search_.progress(), !search_.stopped()};
  }

 private:
  /// The steps that made the current program, without those that had no effect.
  const std::vector<Step>& steps() const { return search_.current().program().lineage().steps; }

  /// Chunks of steps, from all down to single ones. Steps that stand at statements of dropped ones are tried where
  /// those stood, and otherwise go with them.
  void drop_steps() {
    for (std::size_t size = std::max<std::size_t>(steps().size(), 1);; size = (size + 1) / 2) {
      for (std::size_t from = 0; from < steps().size() && !search_.stopped();) {
        const std::vector<Step> now = steps();
        std::vector<Search::Candidate> list;
        std::vector<std::size_t> starts;
        for (std::size_t at = from; at < now.size() && list.size() < kList; at += size) {
          const std::vector<Step> left = without(now, at, size);
          const std::vector<Step> moved = resited(left, now);
          for (const std::vector<Step>* steps : {&moved, &left}) {
            if (steps == &left && moved == left) continue;
            list.push_back(mutate::replay(base_, *steps));
            starts.push_back(at);
          }
        }
        auto found = search_.first(list, "drop_steps");
        from = found ? starts[*found] : starts.back() + size;
      }
      if (size == 1) break;
    }
  }

  static std::vector<Step> without(std::vector<Step> steps, std::size_t at, std::size_t size) {
    auto begin = steps.begin() + static_cast<std::ptrdiff_t>(at);
    steps.erase(begin, begin + static_cast<std::ptrdiff_t>(std::min(size, steps.size() - at)));
    return steps;
  }

  /// The steps that are left of `all`; those at a statement that a missing one made stand where that one stood.
  static std::vector<Step> resited(std::vector<Step> left, const std::vector<Step>& all) {
    std::map<int, const Step*> gone;
    for (const Step& step : all) gone.emplace(step.number, &step);
    for (const Step& step : left) gone.erase(step.number);
    const auto standing = [&](std::string statement) {
      for (const Step* maker = maker_of(statement, gone); maker; maker = maker_of(statement, gone))
        statement = maker->site.statement;
      return statement;
    };
    for (Step& step : left) {
      step.site.statement = standing(step.site.statement);
      step.site.path = standing(step.site.path);  // of steps at several statements it is the last one's id
    }
    return left;
  }

  /// The step of `steps` that made the statement ("m7.2": number 7), or nullptr.
  static const Step* maker_of(std::string_view statement, const std::map<int, const Step*>& steps) {
    int number = 0;
    if (!statement.starts_with('m')) return nullptr;
    const auto read = std::from_chars(statement.data() + 1, statement.data() + statement.size(), number);
    const auto found = read.ec == std::errc() ? steps.find(number) : steps.end();
    return found == steps.end() ? nullptr : found->second;
  }

  /// Replaces what steps computed by the constants that it comes to. Whether some were replaced.
  bool make_constant() {
    bool any = false;
    for (std::size_t at = 0; at < steps().size() && !search_.stopped(); ++at) {
      const mutate::Mutation* mutation = mutate::Mutations::instance().find(steps()[at].mutation);
      const std::optional<Step> constant = mutation ? mutation->as_constant(steps()[at]) : std::nullopt;
      if (!constant) continue;
      std::vector<Step> changed = steps();
      changed[at] = *constant;
      any = search_.first({mutate::replay(base_, changed)}, "make_constant").has_value() || any;
    }
    return any;
  }

  /// Replaces every number that a step drew: by 0, by its half.
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

  /// Sizes, dtypes and values of the seed's text, with the same steps on top: they recorded many sizes and values of
  /// the seed, and record the smaller ones now. Without steps stage two does the same.
  void shrink_data(std::string_view name) {
    if (steps().empty() || search_.stopped()) return;
    const Pass* pass = Passes::instance().find(name);
    JP_CHECK(pass, "there is no pass {}", name);
    const Facts facts = pass->needs_facts() && problem_.facts ? problem_.facts(base_) : Facts();
    std::vector<EditSet> proposals = with_whole_patches(base_, pass->propose(base_, facts));
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
