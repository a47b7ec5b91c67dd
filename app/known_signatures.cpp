#include "app/known_signatures.h"

#include <fmt/format.h>

#include <set>

#include "app/judging.h"
#include "app/known_form.h"
#include "app/tools.h"
#include "oracle/signature.h"

namespace jp::app {

Signature signature_when_reduced(const Signature& signature, const Program& reduced) {
  return oracle::refined(oracle::unrefined(signature), reduced);
}

report::KnownSignature known_signature(const Signature& signature) {
  return {signature.id(), signature.version, signature.kind, signature.backend};
}

Result<std::vector<report::KnownSignature>> signatures_of(pyrunner::Runner& runner, const report::KnownBug& bug) {
  Result<Program> program = known_program(bug.name, bug.text);
  if (!program.ok()) return program.error();
  std::vector<report::KnownSignature> found;
  std::set<std::string> kinds;
  std::string reason;
  for (const std::string& rung : ladder()) {
    const Judged judged = judge_alone(runner, need_oracle("eager_vs_compiled"), program.value(), {.backend = rung});
    reason = judged.verdict.reason;
    if (judged.verdict.kind == Verdict::Kind::kRejected) break;
    if (judged.verdict.kind != Verdict::Kind::kDiverge || !kinds.insert(judged.signature.kind).second) continue;
    found.push_back(known_signature(signature_when_reduced(judged.signature, program.value())));
  }
  if (found.empty())
    return Error{fmt::format("{}.py: its program does not diverge on any rung of the ladder: {}", bug.name, reason)};
  return found;
}

}  // namespace jp::app
