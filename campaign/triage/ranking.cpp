#include "campaign/triage/ranking.h"

#include <map>

#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/suppressions.h"
#include "report/evidence.h"
#include "report/rank.h"

namespace jp::campaign {
namespace {

// Mismatches are in the order of severity.
int severity_of(const std::string& kind) {
  return static_cast<int>(mismatch_named(kind).value_or(Mismatch::kDenormal));
}

}  // namespace

report::Traits traits_of(const Signature& signature, const Program* program,
                         const std::vector<std::string>& mutations) {
  report::Traits traits{severity_of(signature.kind),
                        {"kind:" + signature.kind, "backend:" + signature.backend, "stage:" + signature.stage}};
  for (const std::string& frame : signature.frames) traits.features.insert("frame:" + frame);
  if (program != nullptr) traits.features.merge(features_of(*program));
  for (const std::string& mutation : mutations) traits.features.insert("mutation:" + mutation);
  return traits;
}

report::Traits traits_of(const std::string& folder, const report::FindingRow& row, const Result<LoadedFinding>& kept) {
  Signature told;
  told.backend = row.backend;
  told.stage = row.stage;
  told.kind = row.kind;
  if (!kept.ok()) return traits_of(told, nullptr, {});
  told.frames = kept.value().finding.signature.frames;
  const auto& reduced = kept.value().reduced;
  return traits_of(told, reduced ? &*reduced : &kept.value().finding.program,
                   report::load_needed_mutations(folder, row.id));
}

std::vector<std::size_t> ranking(const std::vector<report::FindingRow>& rows,
                                 const std::vector<report::Traits>& traits) {
  std::vector<std::size_t> order;
  for (const auto status :
       {Finding::Status::kConfirmed, Finding::Status::kFlaky, Finding::Status::kCandidate, Finding::Status::kKnown}) {
    std::vector<std::size_t> those;
    std::vector<report::Traits> of_those;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].status != status_name(status)) continue;
      those.push_back(i);
      of_those.push_back(traits[i]);
    }
    for (std::size_t i : report::furthest_first(of_those)) order.push_back(those[i]);
  }
  return order;
}

}  // namespace jp::campaign
