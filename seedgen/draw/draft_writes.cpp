// Calls that write several values at once, or others than those that they return.
#include "seedgen/draw/draft.h"

namespace jp::seedgen {

void Draft::record_writes(Call call, const std::vector<Value>& targets, const std::vector<Interval>& results,
                          Traits traits) {
  JP_CHECK(!targets.empty() && targets.size() == results.size(), "{} writes nothing", call.op);
  std::vector<Value> written;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    written.push_back(live(targets[i].id));
    written.back().interval = results[i];
    written.back().whole = false;
  }
  call.written = targets[0].id;
  record(std::move(call), std::move(written), traits);
  std::vector<int> outputs = graph_.calls.back().outputs;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    // Nothing but the target itself brings gradients in.
    bool gradients = live(outputs[i]).requires_grad && targets[i].requires_grad;
    live(outputs[i]).requires_grad = gradients;
    spread(targets[i], outputs[i], results[i], live(outputs[i]).exact, gradients);
  }
}

void Draft::overwrite(const Value& target, Interval result) {
  JP_CHECK(stays_inside(result, target.dtype), "{} writes {} to {} into {}", graph_.calls.back().op, result.low,
           result.high, dtype_name(target.dtype));
  spread(target, target.id, result, false, false);
}

// What shares the target's memory may show any part of it, and of floats the negative (views of conjugates).
void Draft::spread(const Value& target, int renamed, Interval result, bool exact, bool gradients) {
  Interval elsewhere = is_integral(target.dtype) ? result : hull(result, -result);
  for (Value& value : graph_.values) {
    if (value.storage != target.storage) continue;
    bool same = value.id == target.id || value.id == renamed;
    known_.set_sensitivity(value.id, std::max(known_.sensitivity(value.id), known_.sensitivity(renamed)));
    value.interval = same ? result : hull(value.interval, elsewhere);
    value.exact = same ? exact : value.exact && exact;
    value.requires_grad = value.requires_grad || (gradients && !is_integral(value.dtype));
  }
}

}  // namespace jp::seedgen
