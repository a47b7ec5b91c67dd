#include "seedgen/broken.h"

#include <fmt/format.h>

#include <algorithm>

#include "seedgen/bases/operator.h"
#include "seedgen/generate.h"
#include "seedgen/text/emit.h"

namespace jp::seedgen {
namespace {

constexpr std::string_view kForm[] = {"$0"};

struct Chance {
  const BrokenRule* rule;
  std::vector<int> values;
};

// The values available before call number `at`: arguments, and results of earlier calls.
std::vector<int> values_before(const Graph& graph, std::size_t at) {
  std::vector<int> values;
  for (const Input& input : graph.inputs) values.push_back(input.value);
  for (std::size_t i = 0; i < at; ++i)
    values.insert(values.end(), graph.calls[i].outputs.begin(), graph.calls[i].outputs.end());
  return values;
}

// Without arguments no value is available before the first call with a result.
std::size_t first_with_values(const Graph& graph) {
  std::size_t at = 0;
  while (at < graph.calls.size() && values_before(graph, at).empty()) ++at;
  return at;
}

Breakable breakable(const GraphValue& value) {
  Breakable tensor;
  tensor.dtype = value.dtype;
  tensor.shape.assign(value.shape.begin(), value.shape.end());
  tensor.requires_grad = value.requires_grad;
  tensor.leaf = value.input && value.requires_grad;
  return tensor;
}

std::vector<Chance> chances(const Graph& graph, const std::vector<int>& values, const std::vector<BrokenRule>& rules) {
  std::vector<Breakable> tensors;
  for (int value : values) tensors.push_back(breakable(graph.values[static_cast<std::size_t>(value)]));
  std::vector<Chance> found;
  for (const BrokenRule& rule : rules) {
    Chance chance{&rule, {}};
    for (std::size_t i = 0; i < values.size(); ++i)
      if (rule.fits(tensors[i])) chance.values.push_back(values[i]);
    if (!chance.values.empty()) found.push_back(std::move(chance));
  }
  return found;
}

// A rule, the value on which it is broken, and the position of the call.
struct Breach {
  std::size_t rule = 0;
  int value = -1;
  std::size_t at = 0;
};

// The call may have any position among the others.
Breach drawn_breach(const Graph& graph, const std::vector<BrokenRule>& rules, Choices& choices) {
  const std::size_t first = first_with_values(graph);
  const std::size_t at = first + choices.below(graph.calls.size() - first + 1);
  const std::vector<Chance> found = chances(graph, values_before(graph, at), rules);
  JP_CHECK(!found.empty(), "no rule can be broken: one should fit every value");
  const Chance& chance = choices.pick(found);
  return {static_cast<std::size_t>(chance.rule - rules.data()), choices.pick(chance.values), at};
}

// Its result, which never exists, is returned.
void break_one(Graph& graph, const Breach& breach, const BrokenRule& rule, Choices& choices) {
  const GraphValue& value = graph.values[static_cast<std::size_t>(breach.value)];
  Call call;
  call.op = rule.name;
  call.forms = kForm;
  std::string text = broken_call(rule, breakable(value), fmt::format("v{}", value.id), "torch", choices);
  call.add(fmt::format("{}  ## breaks a rule on purpose: {}", text, rule.name));
  GraphValue result;
  result.id = static_cast<int>(graph.values.size());
  call.outputs = {result.id};
  graph.values.push_back(result);
  graph.calls.insert(graph.calls.begin() + static_cast<std::ptrdiff_t>(breach.at), std::move(call));
}

}  // namespace

Result<Program> generate_broken(std::uint64_t seed, const GenerateOptions& options) {
  Result<Program> whole = generate(seed, options);
  if (!whole.ok()) return whole;
  const std::vector<BrokenRule>& rules = broken_rules();
  Graph graph = generate_graph(seed, options);
  Choices choices(seed);
  Choices drawn = choices.fork("break");
  const Breach breach = drawn_breach(graph, rules, drawn);
  const BrokenRule& rule = rules[breach.rule];
  break_one(graph, breach, rule, drawn);
  Choices text = choices.fork("text");
  Lineage lineage = whole.value().lineage();
  lineage.seed.broken = true;
  const std::string head = fmt::format("# Breaks a rule on purpose, {}: {}.\n", rule.name, rule.says);
  return Program::make(head + emit(graph, text), std::move(lineage));
}

Feature broken_feature(std::uint64_t seed, const GenerateOptions& options) {
  const Graph graph = generate_graph(seed, options);
  Choices drawn = Choices(seed).fork("break");
  const Breach breach = drawn_breach(graph, broken_rules(), drawn);
  const GraphValue& value = graph.values[static_cast<std::size_t>(breach.value)];
  return broken_rule_feature(static_cast<int>(breach.rule), value);
}

}  // namespace jp::seedgen
