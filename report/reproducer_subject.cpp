#include "report/reproducer_subject.h"

#include <algorithm>
#include <cstddef>

#include "oracle/judge/compared_runs.h"

namespace jp::report {
namespace {

bool holds_graph(const Value& value, const Observation& seen) {
  const auto index = static_cast<std::size_t>(value.index);
  if (value.kind == Value::Kind::kTensor) return value.index >= 0 && !seen.tensors.at(index).is_leaf;
  return std::any_of(value.items.begin(), value.items.end(),
                     [&](const Value& item) { return holds_graph(item, seen); });
}

}  // namespace

bool stores_graphs(const Observation& seen) {
  if (seen.calls.empty() || seen.calls.back().graphs_used_before) return false;
  const CallRecord& last = seen.calls.back();
  return holds_graph(last.inputs, seen) || holds_graph(last.state, seen);
}

Subject::Subject(const Finding& finding) {
  if (finding.verdict.differences.empty()) return;
  const Difference& lead = finding.verdict.differences.front();
  mismatch = lead.mismatch;
  place = part_of_call(lead.where);
  call = lead.call;
  const Finished* eager = oracle::plain_outcome(finding.plan, finding.outcomes);
  stored = eager && stores_graphs(eager->observation);
  const auto number = static_cast<std::size_t>(call);
  refused = mismatch == Mismatch::kCompilerError && eager && number < eager->observation.calls.size() &&
            (eager->observation.calls[number].exception || eager->observation.calls[number].backward_exception);
}

bool Subject::process() const {
  return mismatch == Mismatch::kDeath || mismatch == Mismatch::kHang || mismatch == Mismatch::kMemory;
}

bool Subject::backward(bool planned) const {
  return planned &&
         (mismatch == Mismatch::kGradient || place == "gradients" || place == "backward" || place == "overwritten" ||
          place == "after_backward" || call > 0 || place == "observed" || process());
}

}  // namespace jp::report
