#include "report/reproducer_subject.h"

#include <cstddef>

#include "oracle/judge/compared_runs.h"

namespace jp::report {

Subject::Subject(const Finding& finding) {
  if (finding.verdict.differences.empty()) return;
  const Difference& lead = finding.verdict.differences.front();
  mismatch = lead.mismatch;
  place = part_of_call(lead.where);
  call = lead.call;
  const Finished* eager = oracle::plain_outcome(finding.plan, finding.outcomes);
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
