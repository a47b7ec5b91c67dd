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

/// The issue around a reproducer.
Result<Export> issue_with(const campaign::LoadedFinding& kept, Result<Export> repro) {
  if (!repro.ok()) return repro;
  if (!kept.evidence) return Error{"an issue needs the finding's evidence, which is not measured yet"};
  repro.value().text = report::issue_text(kept.finding, *kept.evidence, repro.value().text, siblings_of(kept),
                                          campaign::export_options(kept));
  return repro;
}

}  // namespace

Status check_form(const std::string& form) {
  if (needs_evidence(form) || form == "program" || form == "json") return Done{};
  return Error{fmt::format("'{}' is no form: take repro, unittest, issue, program or json", form)};
}

Result<Export> export_of(const campaign::LoadedFinding& kept, const std::string& form, bool expected_failure,
                         const std::function<bool()>& given_up) {
  if (Status known = check_form(form); !known.ok()) return known.error();
  if (form == "json") return Export{codec::text(finding_json(kept), 1) + "\n", {}, ""};
  if (form == "program") return Export{kept.reduced ? kept.reduced->source() : kept.shown().program.source(), {}, ""};
  if (form == "unittest") return export_as(campaign::verified_unit_test(kept, expected_failure, given_up));
  if (form == "repro") return export_as(campaign::verified_reproducer(kept, given_up));
  if (!kept.evidence) return issue_with(kept, Export{});
  return issue_with(kept, export_as(campaign::verified_reproducer(kept, given_up)));
}

Result<Export> untried_export_of(const campaign::LoadedFinding& kept, const std::string& form) {
  if (form == "repro") return Export{campaign::untried_reproducer(kept), {}, ""};
  if (form == "unittest") return Export{campaign::untried_unit_test(kept), {}, ""};
  if (form == "issue") return issue_with(kept, Export{campaign::untried_reproducer(kept), {}, ""});
  return export_of(kept, form);
}

std::string export_name(const campaign::LoadedFinding& kept, const std::string& form) {
  const std::string_view ending = form == "issue" ? "md" : form == "json" ? "json" : "py";
  return fmt::format("{}_{}.{}", form, kept.finding.signature.id(), ending);
}

bool needs_evidence(const std::string& form) { return form == "repro" || form == "unittest" || form == "issue"; }

}  // namespace jp::answers
