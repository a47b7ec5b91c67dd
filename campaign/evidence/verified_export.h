// What is handed out of a finding: it is looked up with all that is kept beside it, what is missing is measured, and
// every Python file is tried in a new interpreter before anybody gets it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/evidence.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// A finding with what is kept of it.
struct LoadedFinding {
  std::string folder;  // the campaign's
  Finding finding;
  std::optional<Program> reduced;
  std::optional<report::Evidence> evidence;
  report::Label label;

  /// On its shortest form.
  const Finding& shown() const { return evidence && evidence->plain ? *evidence->plain : finding; }
};

/// A finding by its id or the beginning of it.
Result<LoadedFinding> load_finding(const std::string& folder, const std::string& id);

/// For each of these findings the index of the first that is the same bug (report/bucket.h).
std::vector<std::size_t> first_of_bug(const std::string& folder, const std::vector<std::string>& ids);

/// The campaign asked for, else the one in ./campaigns that was written last.
Result<std::string> campaign_folder(const std::string& asked);

/// Measures the evidence of a finding that has none, or none of this program, and keeps it; `note` is told that it
/// takes a while. An Error when no worker can be started.
Status measure_missing(LoadedFinding& kept, const std::function<void(const std::string&)>& note);

/// A kept finding in one line, by what it was reduced to and what is known of its cause (report::title).
std::string title_of(const std::string& folder, const Finding& finding);

/// What reproducers say of their origin.
report::ReproducerOptions export_options(const LoadedFinding& kept);

/// A Python file and whether it did what it must when it was tried.
struct VerifiedExport {
  std::string text;
  bool works = false;
  std::string home;  // of a unit test: the file where it would land
};

/// The shortest reproducer that exits with 1 by itself; when none does, the general one.
Result<VerifiedExport> verified_reproducer(const LoadedFinding& kept);
/// The unit test that fails by itself (`expected_failure`: that passes).
Result<VerifiedExport> verified_unit_test(const LoadedFinding& kept, bool expected_failure);

}  // namespace jp::campaign
