#include "mutate/material/inner_reductions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "core/tensor_type.h"
#include "mutate/calls/elementwise.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/facts/live.h"
#include "mutate/safety/rounding.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// Beyond it differences of exponents and squares say little (chosen, not measured).
constexpr double kMost = 1e5;
constexpr std::int64_t kLargestWindow = 5;

/// A number of one or two digits, with a sign or without.
std::optional<std::int64_t> small_number(const Node& node) {
  const std::string text(node ? node.text() : std::string_view());
  if (text.empty() || text.size() > 2 || text.find_first_not_of("-0123456789") != std::string::npos)
    return std::nullopt;
  return read_number(text);
}

std::optional<int> axis_of(const std::optional<std::int64_t>& dim, std::size_t rank) {
  const auto all = static_cast<std::int64_t>(rank);
  if (!dim || *dim < -all || *dim >= all) return std::nullopt;
  return static_cast<int>(*dim < 0 ? *dim + all : *dim);
}

/// The call has operands for these parameters alone.
bool has_only(const OperatorCall& call, std::initializer_list<std::string_view> parameters) {
  std::size_t known = 0;
  for (const std::string_view parameter : parameters) known += call.operand(parameter) ? 1 : 0;
  return known == call.operands.size();
}

/// What is opened up, by syntax and the input's type.
struct Plan {
  enum class Kind { kSoftmax, kLogSoftmax, kMean, kWindow, kNorm };
  Kind kind = Kind::kSoftmax;
  int axis = 0;             // the reduced one, or the first of several
  std::int64_t length = 0;  // elements that are reduced to one
  std::int64_t window = 0;
  std::int64_t stride = 0;
  std::int64_t padding = 0;
};

std::optional<Plan> plan_softmax(const OperatorCall& call, const KnownTensorType& input) {
  const auto axis = axis_of(small_number(call.operand("dim")), input.shape.size());
  if (!axis || !has_only(call, {"input", "dim"})) return std::nullopt;
  const bool log = call.op->name == "log_softmax";
  return Plan{log ? Plan::Kind::kLogSoftmax : Plan::Kind::kSoftmax, *axis,
              input.shape[static_cast<std::size_t>(*axis)]};
}

/// Over the last axes, at least two.
std::optional<Plan> plan_mean(const OperatorCall& call, const KnownTensorType& input) {
  const Node dims = call.operand("dim");
  if (!dims || !(dims.is("tuple") || dims.is("list")) || !has_only(call, {"input", "dim"})) return std::nullopt;
  Plan plan{Plan::Kind::kMean, 0, 1};
  const auto given = dims.children();
  const std::size_t rank = input.shape.size();
  if (given.size() < 2 || given.size() > rank) return std::nullopt;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const auto axis = axis_of(small_number(given[i]), rank);
    if (!axis || static_cast<std::size_t>(*axis) != rank - given.size() + i) return std::nullopt;
    plan.length *= input.shape[static_cast<std::size_t>(*axis)];
  }
  plan.axis = static_cast<int>(rank - given.size());
  return plan;
}

std::optional<Plan> plan_window(const OperatorCall& call, const KnownTensorType& input) {
  const auto window = small_number(call.operand("kernel_size"));
  const Node stride = call.operand("stride");
  const Node padding = call.operand("padding");
  if (!window || *window < 1 || *window > kLargestWindow || input.shape.size() != 4 ||
      !has_only(call, {"input", "kernel_size", "stride", "padding"}))
    return std::nullopt;
  const auto step = stride ? small_number(stride) : window;
  const auto pad = padding ? small_number(padding) : std::optional<std::int64_t>(0);
  if (!step || *step < 1 || !pad || *pad < 0 || *pad * 2 > *window) return std::nullopt;
  if (std::min(input.shape[2], input.shape[3]) + 2 * *pad < *window) return std::nullopt;
  return Plan{Plan::Kind::kWindow, 4, *window * *window, *window, *step, *pad};
}

std::optional<Plan> plan_of(const InnerCall& inner, const KnownTensorType& input) {
  if (!is_row_major(input) || element_count(input.shape) == 0 || input.shape.empty()) return std::nullopt;
  if (input.dtype != Dtype::kFloat32 && input.dtype != Dtype::kFloat64) return std::nullopt;
  std::optional<Plan> plan;
  const std::string_view name = inner.call.op->name;
  if (!inner.module.empty())
    plan = Plan{Plan::Kind::kNorm, static_cast<int>(input.shape.size()) - 1, input.shape.back()};
  else if (name == "mean")
    plan = plan_mean(inner.call, input);
  else if (name == "max_pool2d")
    plan = plan_window(inner.call, input);
  else
    plan = plan_softmax(inner.call, input);
  return plan && plan->length >= 2 && plan->length <= kLongestAxis ? plan : std::nullopt;
}

bool is_inner(std::string_view name) {
  constexpr auto kNames = std::to_array<std::string_view>({"softmax", "log_softmax", "mean", "max_pool2d"});
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

/// The text of the window's parts behind the last axis: `unfold` gives them in the order of max_pool2d.
std::string windows(const Plan& plan, const std::string& input, const std::string& torch) {
  std::string text = input;
  if (plan.padding > 0)
    text = fmt::format("{0}.nn.functional.pad({1}, ({2}, {2}, {2}, {2}), value=-{0}.inf)", torch, input, plan.padding);
  return fmt::format("{0}.unfold(2, {1}, {2}).unfold(3, {1}, {2}).flatten(-2)", text, plan.window, plan.stride);
}

}  // namespace

std::vector<InnerCall> inner_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<InnerCall> found;
  if (!insertion_point(parsed, statement)) return found;
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    if (!is_inner(call.op->name) || call.operands.empty() || !call.comes_first()) continue;
    const Node input = call.operands[0].node;
    if (!call.operands[0].keyword.empty() || !is_known_expression(input)) continue;
    call.path = std::string(kInsidePath) + call.path;
    found.push_back({std::move(call), input, ""});
  }
  for (NormCall& norm : norm_calls(parsed, statement))
    found.push_back({std::move(norm.call), norm.input, std::move(norm.module)});
  return found;
}

std::optional<KnownTensorType> inner_input(const Parsed& parsed, const Facts& facts, const InnerCall& inner) {
  const Statement& statement = *inner.call.statement;
  const auto known = expression_facts(facts, statement, inner.input);
  if (!known || !known->shape || !known->strides || !bounded(*known, kMost)) return std::nullopt;
  KnownTensorType input = known_type_of(*known);
  const auto plan = plan_of(inner, input);
  if (!plan) return std::nullopt;
  // Gradients of equal elements go elsewhere, and nothing is rounded.
  if (plan->kind == Plan::Kind::kWindow) return known->requires_grad == false ? std::optional(input) : std::nullopt;
  if (plan->kind == Plan::Kind::kMean && !sums_alike(*known, plan->length)) return std::nullopt;
  if (plan->kind == Plan::Kind::kNorm &&
      (plan->length < 4 || !has_weight_of_one_axis(facts, {inner.call, inner.input, inner.module})))
    return std::nullopt;
  return rounding_stays_small(parsed, facts, statement) ? std::optional(input) : std::nullopt;
}

std::optional<Opened> open_up(const InnerCall& inner, const KnownTensorType& input, Rewrite& rewrite, Lines& lines) {
  const auto plan = plan_of(inner, input);
  if (!plan) return std::nullopt;
  const std::string& torch = inner.call.torch;
  std::string self(inner.input.text());
  if (!is_simple(inner.input)) {
    self = rewrite.name("x");
    lines.push_back({fmt::format("{} = {}", self, inner.input.text())});
  }
  Opened opened{"sum", rewrite.name("t"), plan->axis, plan->length, ""};
  const auto line = [&](const std::string& name, const std::string& value) {
    lines.push_back({fmt::format("{} = {}", name, value)});
  };
  switch (plan->kind) {
    case Plan::Kind::kSoftmax:
      line(opened.base, fmt::format("{0}.exp({1} - {1}.amax({2}, keepdim=True).detach())", torch, self, plan->axis));
      opened.value = fmt::format("({} / {{}}.unsqueeze({}))", opened.base, plan->axis);
      break;
    case Plan::Kind::kLogSoftmax: {
      const std::string below = rewrite.name("z");
      line(below, fmt::format("{0} - {0}.amax({1}, keepdim=True).detach()", self, plan->axis));
      line(opened.base, fmt::format("{}.exp({})", torch, below));
      opened.value = fmt::format("({} - {}.log({{}}.unsqueeze({})))", below, torch, plan->axis);
      break;
    }
    case Plan::Kind::kMean:
      line(opened.base, fmt::format("{}.flatten({})", self, plan->axis));
      opened.value = fmt::format("({{}} / {})", plan->length);
      break;
    case Plan::Kind::kWindow:
      opened.fold = "amax";
      line(opened.base, windows(*plan, self, torch));
      opened.value = "{}";
      break;
    case Plan::Kind::kNorm: {
      const std::string centred = rewrite.name("z");
      line(centred, fmt::format("{0} - {0}.mean(-1, keepdim=True)", self));
      line(opened.base, fmt::format("{0} * {0}", centred));
      opened.value = fmt::format("({} * {}.rsqrt({{}}.unsqueeze(-1) / {} + 1e-05) * {}.weight + {}.bias)", centred,
                                 torch, plan->length, inner.module, inner.module);
      break;
    }
  }
  return opened;
}

}  // namespace jp::mutate
