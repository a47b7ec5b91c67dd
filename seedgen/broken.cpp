#include "seedgen/broken.h"

#include <fmt/format.h>

#include <algorithm>

#include "seedgen/operator.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kForm[] = {"$0"};

struct Chance {
  const BrokenRule* rule;
  std::vector<int> values;
};

// The values that stand before the call number `at`: arguments, and what earlier calls gave.
std::vector<int> values_before(const Graph& graph, std::size_t at) {
  std::vector<int> values;
  for (const Input& input : graph.inputs) values.push_back(input.value);
  for (std::size_t i = 0; i < at; ++i)
    values.insert(values.end(), graph.calls[i].outputs.begin(), graph.calls[i].outputs.end());
  return values;
}

// Without arguments nothing stands before the first call that gives something.
std::size_t first_with_values(const Graph& graph) {
  std::size_t at = 0;
  while (at < graph.calls.size() && values_before(graph, at).empty()) ++at;
  return at;
}

std::vector<Chance> chances(const Graph& graph, const std::vector<int>& values, const std::vector<BrokenRule>& rules) {
  std::vector<Chance> found;
  for (const BrokenRule& rule : rules) {
    Chance chance{&rule, {}};
    for (int value : values)
      if (rule.fits(graph.values[static_cast<std::size_t>(value)])) chance.values.push_back(value);
    if (!chance.values.empty()) found.push_back(std::move(chance));
  }
  return found;
}

// The call stands anywhere among the others; its result, which never is, is returned.
void break_one(Graph& graph, Choices& choices) {
  const std::vector<BrokenRule> rules = broken_rules();
  const std::size_t first = first_with_values(graph);
  const std::size_t at = first + choices.below(graph.calls.size() - first + 1);
  const std::vector<Chance> found = chances(graph, values_before(graph, at), rules);
  JP_CHECK(!found.empty(), "no rule can be broken: one should fit every value");
  const Chance& chance = choices.pick(found);
  const GraphValue& value = graph.values[static_cast<std::size_t>(choices.pick(chance.values))];
  Call call;
  call.op = chance.rule->name;
  call.forms = kForm;
  std::string text = chance.rule->call(value, fmt::format("v{}", value.id), choices);
  call.add(fmt::format("{}  ## breaks a rule on purpose: {}", text, chance.rule->name));
  GraphValue result;
  result.id = static_cast<int>(graph.values.size());
  call.outputs = {result.id};
  graph.values.push_back(result);
  graph.calls.insert(graph.calls.begin() + static_cast<std::ptrdiff_t>(at), std::move(call));
}

}  // namespace

std::vector<BrokenRule> broken_rules() {
  std::vector<BrokenRule> rules;
  for (const Breaks* family : Registry<Breaks>::instance().all())
    for (const BrokenRule& rule : family->rules()) rules.push_back(rule);
  return rules;
}

Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options) {
  Result<Program> whole = generate(seed, options);
  if (!whole.ok()) return whole;
  Graph graph = generate_graph(seed, options);
  Choices choices(seed);
  Choices drawn = choices.fork("break");
  break_one(graph, drawn);
  Choices text = choices.fork("text");
  Lineage lineage = whole.value().lineage();
  lineage.seed.broken = true;
  return Program::make(emit(graph, text), std::move(lineage));
}

}  // namespace jp::seedgen
