// @NAME@: which runs it compares, and what a difference means.
#include "oracle/compare.h"
#include "oracle/endings.h"
#include "oracle/oracle.h"

namespace jp::oracle {
namespace {

class @CLASS@ final : public Oracle {
 public:
  std::string_view name() const override { return "@NAME@"; }

  Plan plan(const Program&, const PlanOptions& options) const override {
    RunRequest compiled{.role = "compiled", .compiled = true, .backend = options.backend};
    compiled.gradients = options.gradients;
    compiled.threads = options.threads;
    return {.oracle = "@NAME@", .runs = {compiled}};
  }

  Judgement judge(const Plan& plan, const std::vector<Outcome>& outcomes) const override {
    if (outcomes.empty()) return {.verdict = {}, .wanted = plan.runs};
    Verdict verdict{.kind = Verdict::Kind::kAgree, .rule = "@NAME@", .reason = "the compiled run ended"};
    return {.verdict = verdict, .wanted = {}};
  }
};

const Register<Oracle, @CLASS@> registered;

}  // namespace
}  // namespace jp::oracle
