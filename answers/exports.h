// What `findings export` writes.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "campaign/evidence/verified_export.h"
#include "core/result.h"

namespace jp::answers {

/// A finding as one file.
struct Export {
  std::string text;
  /// Whether it did what it must when it was run, for an issue its reproducer; nothing for what isn't run.
  std::optional<bool> works;
  /// Of a unit test: the file of torch's in which it would land.
  std::string home;
};

/// An Error for any form but "repro", "unittest", "issue", "program" and "json".
Status check_form(const std::string& form);

/// Of a form that check_form takes. The first three need the evidence (measure_missing), and are run in a new
/// interpreter: seconds to minutes, and an Error once it was given up (`given_up`, as RunnerOptions has it).
/// `expected_failure`: a unit test that passes as long as the difference is there.
Result<Export> export_of(const campaign::LoadedFinding& kept, const std::string& form, bool expected_failure = false,
                         const std::function<bool()>& given_up = {});

/// The same without running anything: `works` is nothing. An Error for an issue without evidence.
Result<Export> untried_export_of(const campaign::LoadedFinding& kept, const std::string& form);

/// What a file with an export is called: "repro_3f2a….py".
std::string export_name(const campaign::LoadedFinding& kept, const std::string& form);

/// Whether a form needs the finding's evidence.
bool needs_evidence(const std::string& form);

}  // namespace jp::answers
