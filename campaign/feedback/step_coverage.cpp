#include "campaign/feedback/step_coverage.h"

#include <fmt/format.h>

#include "mutate/syntax/queries.h"

namespace jp::campaign {
namespace {

// As many draws as a generated call that adds nothing gets.
constexpr std::uint64_t kRetries = 3;

// For an expression statement its only expression: an assignment, a call.
mutate::Node shown(const mutate::Statement& statement) {
  const mutate::Node work = mutate::sole_expression(statement);
  return work ? work : statement.node;
}

std::string operator_of(const mutate::Node& node) {
  if (const mutate::Call made = mutate::call(node)) return made.object ? std::string(made.name) : "function";
  const mutate::Operation made = mutate::operation(node);
  const bool compares = made.kind == mutate::Operation::Kind::kComparison;
  return made && !compares ? std::string(made.symbol()) : "";
}

std::string first_operator(const mutate::Statement& statement) {
  if (!statement.simple) return "-";
  for (const mutate::Node node : mutate::nodes_of(statement.node))
    if (std::string found = operator_of(node); !found.empty()) return found;
  return "-";
}

void add(mutate::Counts& to, const mutate::Counts& from) {
  for (const auto& [id, count] : from) {
    mutate::Count& sum = to[id];
    sum.tried += count.tried;
    sum.applied += count.applied;
    sum.not_applicable += count.not_applicable;
    sum.unparsable += count.unparsable;
  }
}

}  // namespace

std::string step_features_of(const mutate::Parsed& before, const Step& step) {
  const mutate::Statement* statement = before.find(step.site.statement);
  if (!statement) return "";
  return fmt::format("{} {} {}", step.mutation, shown(*statement).kind(), first_operator(*statement));
}

std::vector<std::string> step_features_of(const Program& seed, const std::vector<Step>& steps) {
  std::vector<std::string> step_features;
  Result<mutate::Parsed> base = mutate::parse(seed);
  if (!base.ok()) return step_features;
  mutate::Parsed now = std::move(base).value();
  for (const Step& step : steps) {
    if (std::string name = step_features_of(now, step); !name.empty()) step_features.push_back(std::move(name));
    now = mutate::replay(now, {step});
  }
  return step_features;
}

std::optional<mutate::Parsed> guided_step(const mutate::Parsed& parsed, const Facts& facts, Choices& choices,
                                          const mutate::Weights& weights, mutate::Counts* counts,
                                          const std::set<std::string>& known, const mutate::MoveRoundings& move,
                                          const MissingFunctions& missing) {
  for (std::uint64_t draw = 0;; ++draw) {
    mutate::Counts own;
    Choices again = choices.fork("again", draw);
    std::optional<mutate::Parsed> made =
        mutate::random_step(parsed, facts, draw == 0 ? choices : again, weights, &own, move, missing);
    const bool last = !made || draw == kRetries;
    if (!last && known.contains(step_features_of(parsed, made->program().lineage().steps.back()))) continue;
    if (counts) add(*counts, own);
    return made;
  }
}

}  // namespace jp::campaign
