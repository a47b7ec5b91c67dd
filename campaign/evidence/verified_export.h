// Exports of a finding: it is loaded with all that is stored beside it, missing evidence is measured, and every Python
// file is run in a new interpreter before anybody gets it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "core/verdict.h"
#include "pyrunner/runner.h"
#include "report/bucket.h"
#include "report/evidence.h"
#include "report/reproducer.h"

namespace jp::campaign {

/// A finding with everything stored about it.
struct LoadedFinding {
  std::string folder;  // the campaign's folder
  Finding finding;
  std::optional<Program> reduced;
  bool reduction_verified = false;  // the reduced program was judged in full, and diverges as the finding does
  std::optional<report::Evidence> evidence;
  report::Label label;

  /// The finding on its shortest program.
  const Finding& shown() const { return evidence && evidence->plain ? *evidence->plain : finding; }
};

/// Loads a finding by its id or a prefix of it.
Result<LoadedFinding> load_finding(const std::string& folder, const std::string& id);

/// A sentence if the finding has a label's file that can't be read, which counts as none; else "".
std::string damaged_label(const std::string& folder, const std::string& id);

/// What the finding of this id is told apart from others by (report/bucket.h). One that can't be read equals no other.
report::Trace trace_of(const std::string& id, const Result<LoadedFinding>& kept);

/// For each of these findings the index of the first one that is the same bug.
std::vector<std::size_t> first_of_bug(const std::string& folder, const std::vector<std::string>& ids);

/// The campaign asked for, else the most recently written one in ./campaigns.
Result<std::string> campaign_folder(const std::string& asked);

/// Whether its evidence shows the finding, and on the program that it was reduced to.
bool has_evidence(const LoadedFinding& kept);

/// Measures the evidence of a finding that has none, or none that shows it, and stores it if it shows the finding this
/// time: where it doesn't, the next call measures again. `note` is told that it takes a while. Returns an Error if no
/// worker can be started, or if it was given up on the way (`given_up`, as RunnerOptions has it).
Status measure_missing(LoadedFinding& kept, const std::function<void(const std::string&)>& note,
                       const std::function<bool()>& given_up = {});

/// A stored finding in one line, by what it was reduced to and what is known of its cause (report::title).
std::string title_of(const std::string& folder, const Finding& finding);
/// The same of one whose reduced program is read already.
std::string title_of(const LoadedFinding& kept);

/// What reproducers say of their origin.
report::ReproducerOptions export_options(const LoadedFinding& kept);

/// A Python file and whether it did what it must when it was run.
struct VerifiedExport {
  std::string text;
  bool works = false;
  std::string home;  // of a unit test: the file of torch's in which it would land
};

/// A file that runs this one where torch.compile compiles nothing.
std::string without_compiling(const std::string& text);

/// The shortest reproducer that exits with 1 when run by itself; if none does, the general one. A short one must exit
/// with 0 without compiling, where the backend is torch's own; the general one says 2 if it fails for another reason.
/// An Error if it was given up on the way (`given_up`, as RunnerOptions has it).
Result<VerifiedExport> verified_reproducer(const LoadedFinding& kept, const std::function<bool()>& given_up = {});
/// The shortest forms of both, which nothing has run: for a reader who can't wait for that. Of a verified reduction
/// whose evidence is not measured it is the general form, which needs no recorded values and names none.
std::string untried_reproducer(const LoadedFinding& kept);
std::string untried_unit_test(const LoadedFinding& kept);
/// The unit test that fails when run by itself (`expected_failure`: that passes), and does not without compiling. An
/// Error if it was given up on the way.
Result<VerifiedExport> verified_unit_test(const LoadedFinding& kept, bool expected_failure,
                                          const std::function<bool()>& given_up = {});

}  // namespace jp::campaign
