#include "campaign/known/told_compiled.h"

#include "campaign/known/known_avoid.h"
#include "campaign/known/known_form.h"
#include "core/among.h"
#include "oracle/judge/compared_runs.h"

namespace jp::campaign {
namespace {

constexpr const char* kQuestion = "is_compiling";
// What the program would compile by itself runs as it is: otherwise a bug of the compiler would count as the program's.
constexpr const char* kTold = R"(exec("import torch\ntorch.compiler.is_compiling = lambda: True\n)"
                              R"(torch.compile = lambda f=None, **options: (lambda g: g) if f is None else f", {}))";

}  // namespace

bool depends_on_being_compiled(pyrunner::Runner& runner, const Program& program, const JudgedProgram* judged) {
  if (!contains(program.source(), kQuestion)) return false;
  const Result<Program> told = with_line(program, kTold);
  if (!told.ok()) return false;
  const RunRequest* planned = judged ? oracle::plain_run(judged->plan) : nullptr;
  const Outcome* known = planned ? oracle::outcome_of(judged->outcomes, planned->role) : nullptr;
  const RunRequest eager = known ? *planned : RunRequest{.role = "eager"};
  const Outcome one = known ? *known : runner.run(program, {eager}, pyrunner::Isolation::kFresh).front();
  const Outcome other = runner.run(told.value(), {eager}, pyrunner::Isolation::kFresh).front();
  return !same_in_eager(program, one, other);
}

}  // namespace jp::campaign
