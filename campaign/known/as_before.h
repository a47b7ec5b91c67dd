// What a line changes of the planned runs of a program that diverges. Where every run shows what it showed without the
// line, the divergence is the one that was judged, and the control runs need not be made again.
#pragma once

#include <string_view>
#include <vector>

#include "campaign/common/judging.h"
#include "oracle/judge/oracle.h"

namespace jp::campaign {

/// Whether two runs show the same, bit for bit. Lines of the program may be numbered otherwise; the compiler's counters
/// and the time don't count.
bool shows_the_same(const Outcome& one, const Outcome& other);

/// Plans and judges as `inner` does, but gives `before`'s verdict as soon as all planned runs show what the runs of
/// their roles showed in `before`, a judgement that diverges. Both must outlive it.
class AsBefore final : public oracle::Oracle {
 public:
  AsBefore(const oracle::Oracle& inner, const JudgedProgram& before) : inner_(inner), before_(before) {}
  std::string_view name() const override { return inner_.name(); }
  oracle::Sides sides() const override { return inner_.sides(); }
  Plan plan(const Program& program, const oracle::PlanOptions& options) const override {
    return inner_.plan(program, options);
  }
  oracle::Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override;

  /// Whether the outcomes of a judgement are all those of before.
  bool are_same(const std::vector<Outcome>& outcomes) const;

 private:
  const oracle::Oracle& inner_;
  const JudgedProgram& before_;
};

}  // namespace jp::campaign
