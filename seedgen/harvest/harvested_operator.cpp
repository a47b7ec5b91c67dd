#include "seedgen/harvest/harvested_operator.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "seedgen/bases/call_writer.h"

namespace jp::seedgen {
namespace {

// One digit in a form.
constexpr std::size_t kMostArguments = 10;

// Another machine's libraries round differently: by far less than a 64th of the largest element.
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

bool is_fine(const HarvestedLevel& level, const HarvestedOperator& harvested) {
  if (level.arguments.size() != harvested.arguments.size() || level.results.size() != harvested.results.size())
    return false;
  for (std::size_t i = 0; i < level.results.size(); ++i) {
    const Interval& interval = level.results[i];
    if (!(interval.low <= interval.high) || !inside(interval, range_of(harvested.results[i].tensor.dtype)))
      return false;
  }
  return true;
}

// Whether every `$` in a form is followed by the number of an argument.
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
  value.strides_known = tensor.strides_known;
  value.overlaps_itself = tensor.overlaps_itself;
  return value;
}

// A live value for a free argument, if one fits and is drawn.
std::optional<Value> live_operand(Draft& draft, const HarvestedOperator& harvested, std::size_t number) {
  const HarvestedArgument& argument = harvested.arguments[number];
  if (!argument.free) return std::nullopt;
  Want want{.dtypes = {argument.tensor.dtype}, .shape = ShapeWant::exactly(argument.tensor.shape)};
  want.within = harvested.levels.empty() ? Interval{-harvested.bound, harvested.bound}
                                         : harvested.levels.front().arguments[number];
  want.exact = harvested.exact;
  want.plain = !harvested.gradients;
  want.live = [&](const Value& value) {
    return value.strides_known && value.strides == argument.tensor.strides && !value.overlaps_itself && !value.lazy;
  };
  return draft.live_input(want);
}

bool holds(const HarvestedLevel& level, const std::vector<Value>& operands) {
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (!inside(operands[i].interval, level.arguments[i])) return false;
  return true;
}

// Where a result lies: as measured if all arguments are the recorded ones, else as the narrowest level says that holds
// for the operands; of a call that moves elements, where these lie too.
Interval interval_of(const HarvestedOperator& harvested, const std::vector<Value>& operands, std::size_t result,
                     bool live) {
  Interval interval = harvested.results[result].tensor.interval;
  if (live && !harvested.levels.empty()) {
    const HarvestedLevel* narrowest = &harvested.levels.front();
    for (const HarvestedLevel& level : harvested.levels)
      if (holds(level, operands)) narrowest = &level;
    interval = narrowest->results[result];
  }
  for (std::size_t i = 0; i < operands.size() && harvested.levels.empty(); ++i)
    if (harvested.arguments[i].free) interval = hull(interval, operands[i].interval);
  return interval;
}

void record(Draft& draft, const HarvestedOperator& harvested) {
  Call call;
  const std::string form = harvested.several && harvested.results.size() == 1 ? harvested.text + "[0]" : harvested.text;
  call.op = static_forms(harvested.op, harvested.op)[0];
  call.forms = static_forms(form, form);
  std::vector<Value> operands;
  bool live = false;
  for (std::size_t i = 0; i < harvested.arguments.size(); ++i) {
    const HarvestedArgument& argument = harvested.arguments[i];
    std::optional<Value> found = live_operand(draft, harvested, i);
    live = live || found;
    operands.push_back(found ? *found : draft.given_argument(value_of(argument.tensor), argument.text));
    call.add(Ref{operands.back().id});
  }
  std::vector<Value> results;
  Traits traits{.exactness = Exactness::kLoose, .differentiable = harvested.gradients};
  for (const HarvestedResult& result : harvested.results) {
    Value value = value_of(result.tensor);
    value.interval = interval_of(harvested, operands, results.size(), live);
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
  for (const HarvestedLevel& level : harvested.levels)
    if (!is_fine(level, harvested)) return "a level beyond the bounds";
  for (std::size_t i = 0; i < harvested.arguments.size() && !harvested.levels.empty(); ++i)
    if (!inside(harvested.arguments[i].tensor.interval, harvested.levels.front().arguments[i]))
      return "recorded elements beyond the widest level";
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

std::shared_ptr<const HarvestedOperators> HarvestedOperators::without(const MissingFunctions& missing) const {
  std::vector<HarvestedOperator> left;
  for (const std::vector<HarvestedOperator>& calls : harvested_)
    for (const HarvestedOperator& call : calls)
      if (!missing.named_in(call.text)) left.push_back(call);
  return left.empty() ? nullptr : std::make_shared<const HarvestedOperators>(std::move(left), folder_, sha256_);
}

}  // namespace jp::seedgen
