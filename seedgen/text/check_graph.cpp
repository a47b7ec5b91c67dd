#include "seedgen/text/check_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "seedgen/bases/writes.h"
#include "seedgen/draw/options.h"
#include "seedgen/text/emit.h"

namespace jp::seedgen {
namespace {

// The largest double below 2^63.
constexpr double kLargestInteger = 9223372036854774784.0;
constexpr std::int64_t kLargestSize = std::int64_t{1} << 40;

std::string fault_of_elements(const GraphValue& value, Interval interval) {
  if (!std::isfinite(interval.low) || !std::isfinite(interval.high) || interval.low > interval.high)
    return "an interval from low to high was expected";
  if (is_integral(value.dtype) && (interval.low < -kLargestInteger || interval.high > kLargestInteger))
    return "integers don't go that far";
  return "";
}

int least_rank(Layout layout) {
  switch (layout) {
    case Layout::kContiguous:
      return 0;
    case Layout::kTransposed:
      return 2;
    case Layout::kChannelsLast:
      return 4;
    case Layout::kStepped:
    case Layout::kExpanded:
      return 1;
  }
  return 0;
}

std::string fault_of_input(const Graph& graph, std::size_t at) {
  const Input& input = graph.inputs[at];
  if (input.value != static_cast<int>(at) || at >= graph.values.size())
    return "arguments have the first numbers, in order";
  const GraphValue& value = graph.values[at];
  if (std::any_of(value.shape.begin(), value.shape.end(),
                  [](std::int64_t size) { return size < 0 || size > kLargestSize; }))
    return "a size is out of range";
  if (value.shape.size() < least_rank(input.layout)) return "the layout needs more dimensions";
  if (input.base < -1 || input.base >= input.value) return "the base is no earlier argument";
  if (input.base >= 0 && graph.inputs[static_cast<std::size_t>(input.base)].base >= 0)
    return "the base is a view itself";
  return fault_of_elements(value, input.interval);
}

// Whether each "$2" and "$*2" names an argument; texts among the arguments may only name other arguments.
bool names_arguments(std::string_view form, const Call& call, bool texts) {
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] != '$') continue;
    i += form.substr(i + 1).starts_with('*') ? 2 : 1;
    if (i >= form.size() || form[i] < '0' || form[i] > '9') return false;
    const auto number = static_cast<std::size_t>(form[i] - '0');
    if (number >= call.arguments.size()) return false;
    if (!texts && std::holds_alternative<std::string>(call.arguments[number])) return false;
  }
  return true;
}

std::string fault_of_forms(const Call& call) {
  if (call.forms.empty() && call.infix.empty()) return "there is no form to write it in";
  std::vector<std::string_view> forms(call.forms.begin(), call.forms.end());
  if (!call.infix.empty()) forms.push_back(call.infix);
  for (std::string_view form : forms) {
    if (!names_arguments(form, call, true))
      return fmt::format("the form '{}' names an argument that isn't there", form);
    if (form.starts_with('!') && (call.written < 0 || call.outputs.size() != 1))
      return fmt::format("the form '{}' needs a value that it writes", form);
  }
  for (const Argument& argument : call.arguments)
    if (const auto* text = std::get_if<std::string>(&argument); text && !names_arguments(*text, call, false))
      return fmt::format("the text '{}' names an argument that isn't there", *text);
  if (call.out && (call.written < 0 || std::none_of(call.forms.begin(), call.forms.end(), takes_out)))
    return "no form of it takes out=";
  return "";
}

std::string fault_of_call(const Call& call, int known) {
  if (call.outputs.empty()) return "it gives nothing";
  for (std::size_t i = 0; i < call.outputs.size(); ++i)
    if (call.outputs[i] != known + static_cast<int>(i)) return "results have the next numbers, in order";
  for (int operand : operands(call))
    if (operand < 0 || operand >= known) return fmt::format("it reads the value {} before it is given", operand);
  if (call.written < -1 || call.written >= known) return "what it writes isn't there";
  return fault_of_forms(call);
}

}  // namespace

Status check_graph(const Graph& graph) {
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    if (std::string fault = fault_of_input(graph, i); !fault.empty())
      return Error{fmt::format("the graph can't be printed: input {}: {}", i, fault)};
  int known = static_cast<int>(graph.inputs.size());
  for (std::size_t i = 0; i < graph.calls.size(); ++i) {
    if (std::string fault = fault_of_call(graph.calls[i], known); !fault.empty())
      return Error{fmt::format("the graph can't be printed: call {} ({}): {}", i, graph.calls[i].op, fault)};
    known += static_cast<int>(graph.calls[i].outputs.size());
  }
  if (graph.calls.empty()) return Error{"the graph can't be printed: it has no call"};
  if (graph.values.size() != static_cast<std::size_t>(known))
    return Error{fmt::format("the graph can't be printed: it has {} values, and its inputs and calls give {}",
                             graph.values.size(), known)};
  return Done{};
}

std::string emit_seed(const Graph& graph, std::uint64_t seed, const std::vector<std::string>& without) {
  Choices text = Choices(seed).fork("text");
  return emit(graph, text, MissingFunctions(without));
}

}  // namespace jp::seedgen
