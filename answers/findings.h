// What `findings list --json` and `findings show --json` print, and what they know of a finding's place among others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "campaign/evidence/verified_export.h"
#include "codec/json.h"
#include "core/result.h"
#include "report/evidence.h"
#include "report/store.h"
#include "report/trail.h"

namespace jp::answers {

/// A finding of a campaign's list.
struct ListedFinding {
  report::FindingRow row;
  /// A person's, else that of the known bug that the campaign took it for.
  report::Label label;
  /// One line; for a finding that can't be read, the reason.
  std::string title;
  /// Lines of the smallest program that shows it; nothing if none can be read.
  std::optional<std::int64_t> size;
  /// The id of the first finding that is the same bug; often its own.
  std::string first;
  /// The id of the one that is listed for all that are the same bug; often its own, "" if none is.
  std::string listed;
};

/// All findings; those that differ most from each other come first. Readable while the campaign is written.
Result<std::vector<ListedFinding>> listed_findings(const std::string& folder);

codec::Json row_json(const std::string& folder, const ListedFinding& finding);

/// The array of `findings list --json`.
Result<codec::Json> findings_json(const std::string& folder);

/// The object of `findings show --json`.
codec::Json finding_json(const campaign::LoadedFinding& kept);

/// How a program was reduced, for people: a row `found`, then one for each step of the trail, which ends in `reduced`.
codec::Json reductions_json(const std::string& found, const std::string& reduced, report::Trail trail);

/// A person's label, else that of the known bug that the campaign took the finding for.
report::Label label_of(const std::string& folder, const std::string& id);

/// What is said of known bugs that a finding resembles and is not; "" if there are none.
std::string likeness_of(const std::string& folder, const std::string& id);

/// Other findings of the campaign that are the same bug.
std::vector<Finding> siblings_of(const campaign::LoadedFinding& kept);

}  // namespace jp::answers
