// The campaign's decision on a finding and the known bugs: stored with the finding in findings/<id>/known.json, so that
// listing or resuming gives the same answer without running anything.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::report {

/// A known bug whose pattern a finding fits.
struct Resemblance {
  std::string name;
  std::string link;
  std::string why;        // why it is shown all the same: "a divergence stays under its avoid line"
  bool excluded = false;  // it was shown to be another bug
  bool operator==(const Resemblance&) const = default;
};

struct KnownVerdict {
  std::string of;    // SHA-256 of the program that was compared: the reduced one, else the finding's
  std::string name;  // the known bug that the finding is; "" for none
  std::string link;  // of that bug
  std::string by;    // the evidence: "signature", "form" or "avoid"
  std::vector<Resemblance> like;
  /// If a later, smaller program changed the verdict: the `name` that the campaign's tests go by, since how far a
  /// reduction got depends on the clock.
  std::optional<std::string> first = std::nullopt;

  /// The bug by which tests are decided; "" for none.
  const std::string& for_tests() const { return first ? *first : name; }
  bool known() const { return !name.empty(); }
  bool operator==(const KnownVerdict&) const = default;
};

/// As JSON, and back; that throws codec::Json::exception where a member is missing or of the wrong type.
codec::Json to_json(const KnownVerdict& verdict);
KnownVerdict read_known_verdict(const codec::Json& json);

/// Nothing where none was kept, and for a file that isn't sound or of a newer version.
std::optional<KnownVerdict> load_known_verdict(const std::string& folder, const std::string& id);
Status keep_known_verdict(const std::string& folder, const std::string& id, const KnownVerdict& verdict);

/// "like pytorch-1 (https://…): it has no avoid line; not pytorch-2: a divergence stays under its avoid line"; "" if it
/// resembles none.
std::string resemblance_text(const KnownVerdict& verdict);

}  // namespace jp::report
