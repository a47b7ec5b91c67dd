#include "campaign/known/known_signatures.h"

#include <fmt/format.h>

#include <set>

#include "campaign/common/judging.h"
#include "campaign/known/known_form.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {

Signature signature_when_reduced(const Signature& signature, const Program& reduced) {
  return oracle::refined(oracle::unrefined(signature), reduced);
}

report::KnownSignature known_signature(const Signature& signature) {
  return {signature.id(), signature.version, signature.kind, signature.backend};
}

Result<std::vector<report::KnownSignature>> signatures_of(pyrunner::Runner& runner, const report::KnownBug& bug,
                                                          const std::vector<std::string>& backends) {
  Result<Program> program = known_program(bug.name, bug.text);
  if (!program.ok()) return program.error();
  const std::string& source = program.value().source();
  if (source.find("def make_inputs(") == std::string::npos && source.find("def program()") == std::string::npos)
    return Error{fmt::format("{}.py: its program takes arguments, and it defines no make_inputs", bug.name)};
  std::vector<report::KnownSignature> found;
  std::set<std::string> kinds;
  std::string reason;
  for (const std::string& backend : backends) {
    const JudgedProgram judged = judge_alone(runner, need_oracle(bug.oracle), program.value(), {.backend = backend});
    reason = judged.verdict.reason;
    if (judged.verdict.kind == Verdict::Kind::kRejected) break;
    if (judged.verdict.kind != Verdict::Kind::kDiverge || !kinds.insert(judged.signature.kind).second) continue;
    found.push_back(known_signature(signature_when_reduced(judged.signature, program.value())));
  }
  if (found.empty())
    return Error{
        fmt::format("{}.py: its program does not diverge on {}: {}", bug.name, fmt::join(backends, ", "), reason)};
  return found;
}

}  // namespace jp::campaign
