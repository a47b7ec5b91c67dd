// What was measured about a finding in addition to its verdict: the ladder of backends, compile configurations, the
// bisection, the environment, and the program with its values written out. Measured once (campaign/evidence) and stored
// with the finding in findings/<id>/evidence.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/reduced.h"

namespace jp::report {

/// One compile configuration, and its result.
struct Ablation {
  std::string name;     // "aot_eager", "inductor, dynamic=True"
  std::string verdict;  // verdict_name
  std::string kind;     // mismatch_name of the first difference; "" without one
  std::string reason;   // one sentence
  bool alike = false;   // whether it shows the finding's own kind of difference
  bool operator==(const Ablation&) const = default;
};

/// The first intermediate value that differs.
struct Intermediate {
  std::string name = "";       // as the program calls it; "output" for the value of the last statement; "gradient of x"
  std::string statement = "";  // its text, first line
  int line = 0;                // in the program, from 1
  std::string reference = "";  // both sides, short
  std::string observed = "";
  bool bisected = false;  // seen only with few values returned at once
  std::string form =
      "";  // what the statement does, without names and numbers: "// pad" (campaign/evidence/statement_form.h)
  std::string words = "";  // the same for titles: "F.pad over a floor division"
  bool operator==(const Intermediate&) const = default;
};

/// Where a difference comes from, as far as that was measured when the finding was stored: findings/<id>/cause.json.
struct Cause {
  std::optional<Intermediate> intermediate = std::nullopt;
  std::string bisection = "";  // as in Evidence
  bool operator==(const Cause&) const = default;
};

/// Both as JSON, and back; what is read throws codec::Json::exception where a member is of the wrong type.
codec::Json to_json(const Intermediate& seen);
Intermediate read_intermediate(const codec::Json& json);
codec::Json to_json(const Cause& cause);
Cause read_cause(const codec::Json& json);

/// `folder` is the campaign's, `id` the finding's. An empty cause for none and for a file that can't be read.
Cause load_cause(const std::string& folder, const std::string& id);
/// An Error says why the file could not be written; so do all `keep_…` of this library.
Status keep_cause(const std::string& folder, const std::string& id, const Cause& cause);

/// "lowerings, constant_pad_nd" from the bisector's answer: the subsystem, and what in it made the difference. "" for
/// "".
std::string bisected_part(const std::string& bisection);

struct Evidence {
  std::string of;           // SHA-256 of the program that it is about: the reduced one, else the finding's
  std::string torch;        // "2.13.0+cpu"
  std::string python;       // "3.11.2"
  std::string environment;  // as torch.utils.collect_env prints it; "" if that failed
  std::vector<Ablation> ablation;
  std::string bisection;  // what Inductor's bisector says; "" if it was not run or says nothing
  std::optional<Intermediate> intermediate;
  /// The finding on its shortest program: reduced, values written out, if that still diverges in the same way.
  std::optional<Finding> plain;
};

codec::Json to_json(const Evidence& evidence);
/// An Error names the member that is missing or of the wrong type.
Result<Evidence> read_evidence(const codec::Json& json);

/// The evidence stored with the finding of that id; nothing if there is none, or if it is about another program than
/// that of the hash.
std::optional<Evidence> load_evidence(const std::string& folder, const std::string& id, const std::string& sha256);
Status keep_evidence(const std::string& folder, const std::string& id, const Evidence& evidence);

/// What a person has said of a finding.
struct Label {
  std::string label;  // "known", "duplicate", "wontfix", "false"
  std::string note;
  bool operator==(const Label&) const = default;
};
/// An empty label for none.
Label load_label(const std::string& folder, const std::string& id);
/// An empty label removes an existing one.
Status keep_label(const std::string& folder, const std::string& id, const Label& label);

}  // namespace jp::report
