#include "answers/exports.h"

#include <fmt/format.h>

#include "answers/findings.h"
#include "codec/codec.h"
#include "report/issue.h"

namespace jp::answers {
namespace {

Result<Export> export_as(const Result<campaign::VerifiedExport>& verified) {
  if (!verified.ok()) return verified.error();
  return Export{verified.value().text, verified.value().works, verified.value().home};
}

Result<Export> issue_of(const campaign::LoadedFinding& kept) {
  if (!kept.evidence) return Error{"an issue needs the finding's evidence, which is not measured yet"};
  Result<Export> repro = export_as(campaign::verified_reproducer(kept));
  if (!repro.ok()) return repro;
  repro.value().text = report::issue_text(kept.finding, *kept.evidence, repro.value().text, siblings_of(kept),
                                          campaign::export_options(kept));
  return repro;
}

}  // namespace

Result<Export> export_of(const campaign::LoadedFinding& kept, const std::string& form, bool expected_failure) {
  if (form == "json") return Export{codec::text(finding_json(kept), 1) + "\n", {}, ""};
  if (form == "program") return Export{kept.reduced ? kept.reduced->source() : kept.shown().program.source(), {}, ""};
  if (form == "unittest") return export_as(campaign::verified_unit_test(kept, expected_failure));
  if (form == "repro") return export_as(campaign::verified_reproducer(kept));
  if (form == "issue") return issue_of(kept);
  return Error{fmt::format("'{}' is no form: take repro, unittest, issue, program or json", form)};
}

bool needs_evidence(const std::string& form) { return form == "repro" || form == "unittest" || form == "issue"; }

}  // namespace jp::answers
