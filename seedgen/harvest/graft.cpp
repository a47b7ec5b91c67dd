#include "seedgen/harvest/graft.h"

#include <algorithm>
#include <cmath>

#include "seedgen/bases/call_writer.h"

namespace jp::seedgen {
namespace {

// One digit in a form.
constexpr std::size_t kMostArguments = 10;

// Another machine's libraries round otherwise: by far less than a 64th of the largest element.
constexpr double kMargin = 1.0 / 64;
constexpr double kLeastMargin = 1.0 / (1 << 20);

Interval widened(const Value& value) {
  if (is_integral(value.dtype)) return value.interval;
  const double margin = largest(value.interval) * kMargin + kLeastMargin;
  const Interval wide = {value.interval.low - margin, value.interval.high + margin};
  return clip(rounded(wide, value.dtype), range_of(value.dtype));
}

bool is_fine(const HarvestedTensor& tensor) {
  return tensor.shape.size() <= kMaxRank && tensor.strides.size() == tensor.shape.size() &&
         std::all_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t size) { return size >= 0; }) &&
         extent(tensor.shape) <= kMaxElements && tensor.interval.low <= tensor.interval.high &&
         inside(tensor.interval, range_of(tensor.dtype));
}

// Every `$` of a form stands before the number of an argument.
bool names_arguments(const HarvestedOperator& harvested) {
  for (std::size_t at = harvested.text.find('$'); at != std::string::npos; at = harvested.text.find('$', at + 1)) {
    const char digit = at + 1 < harvested.text.size() ? harvested.text[at + 1] : ' ';
    if (digit < '0' || static_cast<std::size_t>(digit - '0') >= harvested.arguments.size()) return false;
  }
  return !harvested.text.empty();
}

Value value_of(const HarvestedTensor& tensor) {
  Value value = fresh_unknown(tensor.dtype, tensor.shape, tensor.interval);
  value.strides = tensor.strides;
  value.strides_known = true;
  value.overlaps_itself = tensor.overlaps_itself;
  return value;
}

Value operand(Draft& draft, const HarvestedOperator& harvested, const HarvestedArgument& argument) {
  if (argument.free) {
    Want want{.dtypes = {argument.tensor.dtype}, .shape = ShapeWant::exactly(argument.tensor.shape)};
    want.within = {-harvested.bound, harvested.bound};
    want.plain = !harvested.gradients;
    want.live = [&](const Value& value) {
      return value.strides_known && value.strides == argument.tensor.strides && !value.overlaps_itself && !value.lazy;
    };
    if (std::optional<Value> live = draft.live_input(want)) return *live;
  }
  return draft.given_argument(value_of(argument.tensor), argument.text);
}

void record(Draft& draft, const HarvestedOperator& harvested) {
  Call call;
  const std::string form = harvested.several && harvested.results.size() == 1 ? harvested.text + "[0]" : harvested.text;
  call.op = static_forms(harvested.op, harvested.op)[0];
  call.forms = static_forms(form, form);
  std::vector<Value> operands;
  for (const HarvestedArgument& argument : harvested.arguments) {
    operands.push_back(operand(draft, harvested, argument));
    call.add(Ref{operands.back().id});
  }
  std::vector<Value> results;
  Traits traits{.exactness = Exactness::kLoose, .differentiable = harvested.gradients};
  for (const HarvestedResult& result : harvested.results) {
    Value value = value_of(result.tensor);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (harvested.arguments[i].free) value.interval = hull(value.interval, operands[i].interval);
    if (result.of < 0) {
      value.interval = widened(value);
    } else {
      value.storage = operands[static_cast<std::size_t>(result.of)].storage;
      traits.several_views = harvested.several;
    }
    results.push_back(std::move(value));
  }
  draft.record(std::move(call), std::move(results), traits);
}

}  // namespace

std::string fault_of(const HarvestedOperator& harvested) {
  if (harvested.op.empty() || !names_arguments(harvested)) return "names arguments that it has not";
  if (harvested.arguments.size() > kMostArguments) return "too many arguments";
  if (harvested.results.empty()) return "no result";
  if (!harvested.several && harvested.results.size() > 1) return "results without a tuple";
  for (const HarvestedArgument& argument : harvested.arguments)
    if (!is_fine(argument.tensor) || argument.text.empty()) return "an argument beyond the bounds";
  for (const HarvestedResult& result : harvested.results) {
    if (!is_fine(result.tensor)) return "a result beyond the bounds";
    if (result.of < -1 || result.of >= static_cast<int>(harvested.arguments.size())) return "a view of no argument";
  }
  return "";
}

HarvestedOperators::HarvestedOperators(std::vector<HarvestedOperator> all, std::string folder, std::string sha256)
    : folder_(std::move(folder)), sha256_(std::move(sha256)) {
  std::map<std::string, std::vector<HarvestedOperator>> by_operator;
  for (HarvestedOperator& harvested : all) {
    const std::string fault = fault_of(harvested);
    JP_CHECK(fault.empty(), "a harvested call of {}: {}", harvested.op, fault);
    by_operator[harvested.op].push_back(std::move(harvested));
  }
  for (auto& [op, calls] : by_operator) harvested_.push_back(std::move(calls));
  JP_CHECK(!harvested_.empty(), "a harvest without calls");
}

void HarvestedOperators::draw(Draft& draft) const {
  const std::vector<HarvestedOperator>& calls = harvested_[draft.choices().below(harvested_.size())];
  record(draft, calls[draft.choices().below(calls.size())]);
}

}  // namespace jp::seedgen
