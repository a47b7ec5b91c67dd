#include "seedgen/harvest/graft.h"

#include <algorithm>
#include <cmath>

#include "seedgen/call_writer.h"

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

bool is_fine(const GraftTensor& tensor) {
  return tensor.shape.size() <= kMaxRank && tensor.strides.size() == tensor.shape.size() &&
         std::all_of(tensor.shape.begin(), tensor.shape.end(), [](std::int64_t size) { return size >= 0; }) &&
         extent(tensor.shape) <= kMaxElements && tensor.interval.low <= tensor.interval.high &&
         inside(tensor.interval, range_of(tensor.dtype));
}

// Every `$` of a form stands before the number of an argument.
bool names_arguments(const Graft& graft) {
  for (std::size_t at = graft.text.find('$'); at != std::string::npos; at = graft.text.find('$', at + 1)) {
    const char digit = at + 1 < graft.text.size() ? graft.text[at + 1] : ' ';
    if (digit < '0' || static_cast<std::size_t>(digit - '0') >= graft.arguments.size()) return false;
  }
  return !graft.text.empty();
}

Value value_of(const GraftTensor& tensor) {
  Value value = fresh_unknown(tensor.dtype, tensor.shape, tensor.interval);
  value.strides = tensor.strides;
  value.strides_known = tensor.strides_known;
  value.overlaps_itself = tensor.overlaps_itself;
  return value;
}

Value operand(Draft& draft, const Graft& graft, const GraftArgument& argument) {
  if (argument.free) {
    Want want{.dtypes = {argument.tensor.dtype}, .shape = ShapeWant::exactly(argument.tensor.shape)};
    want.within = {-graft.bound, graft.bound};
    want.plain = !graft.gradients;
    want.live = [&](const Value& value) {
      return value.strides_known && value.strides == argument.tensor.strides && !value.overlaps_itself && !value.lazy;
    };
    if (std::optional<Value> live = draft.live_input(want)) return *live;
  }
  return draft.given_argument(value_of(argument.tensor), argument.text);
}

void record(Draft& draft, const Graft& graft) {
  Call call;
  const std::string form = graft.several && graft.results.size() == 1 ? graft.text + "[0]" : graft.text;
  call.op = static_forms(graft.op, graft.op)[0];
  call.forms = static_forms(form, form);
  std::vector<Value> operands;
  for (const GraftArgument& argument : graft.arguments) {
    operands.push_back(operand(draft, graft, argument));
    call.add(Ref{operands.back().id});
  }
  std::vector<Value> results;
  Traits traits{.exactness = Exactness::kLoose, .differentiable = graft.gradients};
  for (const GraftResult& result : graft.results) {
    Value value = value_of(result.tensor);
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (graft.arguments[i].free) value.interval = hull(value.interval, operands[i].interval);
    if (result.of < 0) {
      value.interval = widened(value);
    } else {
      value.storage = operands[static_cast<std::size_t>(result.of)].storage;
      traits.several_views = graft.several;
    }
    results.push_back(std::move(value));
  }
  draft.record(std::move(call), std::move(results), traits);
}

}  // namespace

std::string fault_of(const Graft& graft) {
  if (graft.op.empty() || !names_arguments(graft)) return "names arguments that it has not";
  if (graft.arguments.size() > kMostArguments) return "too many arguments";
  if (graft.results.empty()) return "no result";
  if (!graft.several && graft.results.size() > 1) return "results without a tuple";
  for (const GraftArgument& argument : graft.arguments)
    if (!is_fine(argument.tensor) || argument.text.empty()) return "an argument beyond the bounds";
  for (const GraftResult& result : graft.results) {
    if (!is_fine(result.tensor)) return "a result beyond the bounds";
    if (result.of < -1 || result.of >= static_cast<int>(graft.arguments.size())) return "a view of no argument";
  }
  return "";
}

Grafts::Grafts(std::vector<Graft> grafts, std::string folder, std::string sha256)
    : folder_(std::move(folder)), sha256_(std::move(sha256)) {
  std::map<std::string, std::vector<Graft>> by_operator;
  for (Graft& graft : grafts) {
    const std::string fault = fault_of(graft);
    JP_CHECK(fault.empty(), "a harvested call of {}: {}", graft.op, fault);
    by_operator[graft.op].push_back(std::move(graft));
  }
  for (auto& [op, calls] : by_operator) grafts_.push_back(std::move(calls));
  JP_CHECK(!grafts_.empty(), "a harvest without calls");
}

void Grafts::draw(Draft& draft) const {
  const std::vector<Graft>& calls = grafts_[draft.choices().below(grafts_.size())];
  record(draft, calls[draft.choices().below(calls.size())]);
}

}  // namespace jp::seedgen
