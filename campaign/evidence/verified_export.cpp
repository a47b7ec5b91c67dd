#include "campaign/evidence/verified_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "campaign/common/device.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/evidence.h"
#include "campaign/evidence/statement_form.h"
#include "codec/codec.h"
#include "core/version.h"
#include "mutate/syntax/syntax.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/reduce/canonical.h"
#include "oracle/signature/signature.h"
#include "pyrunner/standalone.h"
#include "pyrunner/temporary.h"
#include "report/known_verdict.h"
#include "report/object_file.h"
#include "report/plain.h"
#include "report/reduced.h"
#include "report/short_form.h"
#include "report/store.h"
#include "report/unit_test.h"

namespace jp::campaign {
namespace {

using GivenUp = std::function<bool()>;

// The exit status of a file that runs by itself, in the interpreter whose torch is under test. One that was given up
// has none: it must not count as a file that doesn't work.
Result<int> status_of(const std::string& text, const GivenUp& given_up) {
  Result<pyrunner::RunnerOptions> options = runner_options({});
  if (!options.ok()) return options.error();
  options.value().given_up = given_up;
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("handout");
  if (!folder.ok()) return folder.error();
  const int status = pyrunner::run_standalone(pyrunner::beside(options.value(), folder.value().path() + "/run"), text);
  if (given_up && given_up()) return Error{"cancelled"};
  return status;
}

Result<VerifiedExport> tried(std::string text, int expected, const GivenUp& given_up, std::string home = "") {
  Result<int> status = status_of(text, given_up);
  if (!status.ok()) return status.error();
  return VerifiedExport{std::move(text), status.value() == expected, std::move(home)};
}

// Whether the difference must be gone where nothing is compiled: only torch's own backends heed the variable.
bool needs_the_compiler(const Finding& finding) {
  const RunRequest* run = oracle::run_under_test(finding.plan, finding.verdict);
  return finding.plan.oracle == "eager_vs_compiled" && run &&
         std::find(ladder().begin(), ladder().end(), run->backend) != ladder().end();
}

// A file that fails for another reason fails without the compiler, too: one that says 1 must say 0 then, and one that
// expects the failure the other way round.
Result<VerifiedExport> tried_both_ways(const Finding& finding, std::string text, int expected, const GivenUp& given_up,
                                       std::string home = "") {
  Result<VerifiedExport> made = tried(std::move(text), expected, given_up, std::move(home));
  if (!made.ok() || !made.value().works || !needs_the_compiler(finding)) return made;
  Result<int> status = status_of(without_compiling(made.value().text), given_up);
  if (!status.ok()) return status.error();
  made.value().works = status.value() == 1 - expected;
  return made;
}

// Findings are compared by what they were reduced to, as a campaign tells them apart (campaign/triage/finding_index.h),
// and by the part of Inductor that its bisector names.
Signature compared(const LoadedFinding& kept, Signature signature) {
  if (!kept.reduced || !oracle::is_of_values(signature)) return signature;
  Signature own = oracle::refined(oracle::unrefined(kept.finding.signature), *kept.reduced);
  const report::Cause cause = report::load_cause(kept.folder, kept.finding.signature.id());
  if (std::string part = report::bisected_part(cause.bisection); !part.empty()) own.frames.push_back("in " + part);
  return own;
}

bool is_known(const std::string& folder, const std::string& id) {
  const auto verdict = id.empty() ? std::nullopt : report::load_known_verdict(folder, id);
  return verdict && verdict->known();
}

// Only for a reduced program: others contain too much that is not involved.
std::string form_of(const LoadedFinding& kept) {
  return kept.reduced && does_something(*kept.reduced) ? reduce::canonical_form(*kept.reduced) : "";
}

std::string title_with(const std::string& folder, const Finding& finding, const std::optional<Program>& reduced) {
  const report::Cause cause = report::load_cause(folder, finding.signature.id());
  if (!reduced) return report::title(finding, cause);
  Finding small = finding;
  small.program = *reduced;
  return report::title(small, cause);
}

// The finding on its reduced program, where that was judged but its values were not kept: nothing is said of values. It
// differs in the same place (oracle::diverges_alike), which is all that the general form of an export needs.
std::optional<Finding> reduced_without_values(const LoadedFinding& kept) {
  if (has_evidence(kept) || !kept.reduced || !kept.reduction_verified) return std::nullopt;
  Finding small = kept.finding;
  small.program = *kept.reduced;
  small.verdict.reason = fmt::format("{}: {}.", report::component(small.signature), report::symptom(small));
  for (Difference& difference : small.verdict.differences) difference.reference = difference.observed = "";
  return small;
}

}  // namespace

Result<LoadedFinding> load_finding(const std::string& folder, const std::string& id) {
  Result<Finding> finding = report::load_finding(folder, id);
  if (!finding.ok()) return finding.error();
  const std::string full = finding.value().signature.id();
  const std::optional<report::ReducedForm> form = report::load_reduced_form(folder, full);
  const std::optional<Program> reduced = form ? std::optional(form->best.program) : std::nullopt;
  const std::string sha256 = (reduced ? *reduced : finding.value().program).sha256();
  return LoadedFinding{.folder = folder,
                       .finding = finding.value(),
                       .reduced = reduced,
                       .reduction_verified = form && form->verified,
                       .evidence = report::load_evidence(folder, full, sha256),
                       .label = report::load_label(folder, full)};
}

std::string damaged_label(const std::string& folder, const std::string& id) {
  const std::string file = report::finding_file(folder, id, "label.json");
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return "";
  const std::optional<codec::Json> json = report::read_object(folder, id, "label.json");
  const auto sound = [&](const char* name) { return !json->contains(name) || json->at(name).is_string(); };
  if (json && sound("label") && sound("note")) return "";
  return fmt::format("{} is damaged, or of a newer jitprobe: the finding counts as one without it", file);
}

std::string title_of(const std::string& folder, const Finding& finding) {
  return title_with(folder, finding, report::load_reduced(folder, finding.signature.id()));
}

std::string title_of(const LoadedFinding& kept) { return title_with(kept.folder, kept.finding, kept.reduced); }

report::Trace trace_of(const std::string& id, const Result<LoadedFinding>& kept) {
  if (!kept.ok()) return {.id = id, .signature = {.version = 0, .backend = id, .stage = "", .kind = ""}, .form = ""};
  const LoadedFinding& one = kept.value();
  report::Trace trace = report::trace_of(one.finding, one.evidence, form_of(one));
  trace.signature = compared(one, std::move(trace.signature));
  if (one.reduced) trace.traits = oracle::traits_of(one.reduced->source(), one.reduced->inputs());
  const report::Slip slip = report::load_slip(one.folder, trace.id);
  if (slip.behind.empty() && !is_known(one.folder, trace.id) && !is_known(one.folder, slip.of)) trace.met_in = slip.of;
  return trace;
}

std::vector<std::size_t> first_of_bug(const std::string& folder, const std::vector<std::string>& ids) {
  std::vector<report::Trace> traces;
  for (const std::string& id : ids) traces.push_back(trace_of(id, load_finding(folder, id)));
  return report::buckets(traces);
}

Result<std::string> campaign_folder(const std::string& asked) {
  if (!asked.empty()) return asked;
  std::string newest;
  std::filesystem::file_time_type time;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("campaigns", error)) {
    auto written = std::filesystem::last_write_time(entry.path() / "campaign.db", error);
    if (error) continue;
    // While a campaign runs, what it adds is in the log beside its database.
    if (const auto log = std::filesystem::last_write_time(entry.path() / "campaign.db-wal", error); !error)
      written = std::max(written, log);
    if (!newest.empty() && written <= time) continue;
    newest = entry.path().string();
    time = written;
  }
  if (newest.empty()) return Error{"there is no campaign in ./campaigns: name one with --campaign FOLDER"};
  return newest;
}

bool has_evidence(const LoadedFinding& kept) {
  return kept.evidence && kept.evidence->plain &&
         kept.evidence->of == (kept.reduced ? *kept.reduced : kept.finding.program).sha256();
}

Status measure_missing(LoadedFinding& kept, const std::function<void(const std::string&)>& note,
                       const std::function<bool()>& given_up) {
  if (has_evidence(kept)) return Done{};
  note("running it once on every backend; the result is stored with the finding if it shows here");
  std::vector<std::string> backends = ladder();
  for (const RunRequest& run : kept.finding.plan.runs)
    if (run.compiled && std::find(backends.begin(), backends.end(), run.backend) == backends.end())
      backends.push_back(run.backend);
  Result<pyrunner::RunnerOptions> options = runner_options(backends, device_of(kept.finding.plan));
  if (!options.ok()) return options.error();
  options.value().given_up = given_up;
  auto runner = pyrunner::Runner::start(options.value());
  if (!runner.ok()) return runner.error();
  kept.evidence = gather(*runner.value(), kept.finding, kept.reduced);
  if (given_up && given_up()) return Error{"cancelled"};
  if (runner.value()->failure()) return *runner.value()->failure();
  if (has_evidence(kept)) return report::keep_evidence(kept.folder, kept.finding.signature.id(), *kept.evidence);
  note("it doesn't show here, so the result is not stored: another torch, or flaky");
  return Done{};
}

report::ReproducerOptions export_options(const LoadedFinding& kept) {
  report::ReproducerOptions options{.version = JITPROBE_VERSION};
  const Seed& seed = kept.finding.program.lineage().seed;
  if (seed.origin == Seed::Origin::kGenerated) options.seed = seed.seed;
  if (kept.evidence) {
    options.torch_version = kept.evidence->torch;
    options.python_version = kept.evidence->python;
  }
  if (Result<pyrunner::RunnerOptions> paths = runner_options({}); paths.ok())
    options.python_folder = paths.value().runtime_dir;
  return options;
}

std::string without_compiling(const std::string& text) {
  // In a file of its own: nothing may stand before a program's `from __future__`.
  return fmt::format(R"(import os
import sys

os.environ["TORCH_COMPILE_DISABLE"] = "1"
with open("not_compiled.py", "w", encoding="utf-8") as file:
    file.write({})
os.execv(sys.executable, [sys.executable, "not_compiled.py"])
)",
                     report::python_literal(text));
}

Result<VerifiedExport> verified_reproducer(const LoadedFinding& kept, const std::function<bool()>& given_up) {
  const report::ReproducerOptions options = export_options(kept);
  if (const auto plain = report::plain_reproducer(kept.shown(), options)) {
    Result<VerifiedExport> verified_export = tried_both_ways(kept.shown(), *plain, 1, given_up);
    if (!verified_export.ok() || verified_export.value().works) return verified_export;
  }
  Result<VerifiedExport> general = tried(report::reproducer(kept.shown(), options), 1, given_up);
  if (!general.ok() || general.value().works || &kept.shown() == &kept.finding) return general;
  return tried(report::reproducer(kept.finding, options), 1, given_up);
}

std::string untried_reproducer(const LoadedFinding& kept) {
  const report::ReproducerOptions options = export_options(kept);
  if (const auto small = reduced_without_values(kept)) return report::reproducer(*small, options);
  const auto plain = report::plain_reproducer(kept.shown(), options);
  return plain ? *plain : report::reproducer(kept.shown(), options);
}

std::string untried_unit_test(const LoadedFinding& kept) {
  if (const auto small = reduced_without_values(kept))
    return report::unit_test_of_process(*small, false, export_options(kept)).text;
  return report::unit_test(kept.shown(), false, export_options(kept)).text;
}

Result<VerifiedExport> verified_unit_test(const LoadedFinding& kept, bool expected_failure,
                                          const std::function<bool()>& given_up) {
  const report::ReproducerOptions options = export_options(kept);
  const int expected = expected_failure ? 0 : 1;
  const report::UnitTest test = report::unit_test(kept.shown(), expected_failure, options);
  Result<VerifiedExport> verified_export = tried_both_ways(kept.shown(), test.text, expected, given_up, test.home);
  if (!verified_export.ok() || verified_export.value().works) return verified_export;
  const report::UnitTest general = report::unit_test_of_process(kept.shown(), expected_failure, options);
  return tried_both_ways(kept.shown(), general.text, expected, given_up, general.home);
}

}  // namespace jp::campaign
