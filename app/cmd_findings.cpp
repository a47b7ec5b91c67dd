// jitprobe findings: what a campaign found: list, show, export, label, suppressions, statistics.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "answers/exports.h"
#include "answers/findings.h"
#include "app/command.h"
#include "app/findings_tables.h"
#include "app/stop.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/known/known.h"
#include "campaign/known/known_file.h"
#include "campaign/triage/finish.h"
#include "campaign/triage/ranking.h"
#include "codec/codec.h"
#include "report/diff.h"
#include "report/files.h"
#include "report/issue.h"
#include "report/known_verdict.h"
#include "report/short_form.h"
#include "report/store.h"
#include "report/summary.h"

namespace jp::app::cmd_findings_command {
namespace {

struct Options {
  std::string folder;
  std::string id;
  std::string form = "repro";
  std::string out = "-";
  std::string time = "2m";
  std::string label;
  std::string note;
  std::string link;
  std::string name;
  std::string corpus;
  bool json = false;
  bool all = false;
  bool table = false;
  bool expected_failure = false;
  bool stored_only = false;
};

void say(const std::string& text) { fmt::print(stderr, "{}\n", for_errors(text)); }

void print_row(const report::FindingRow& row, const report::Label& label, const std::string& title) {
  const std::string said = label.label.empty() ? "" : fmt::format(" [{}]", label.label);
  const bool flaky = row.status == status_name(Finding::Status::kFlaky);
  const std::string status = flaky ? fmt::format("{} {}/{}", row.status, row.reproduced, row.attempts) : row.status;
  put("{}  {:<9}  {:<14}  {:<26}  {:>3}x  {}{}\n", row.id, status, row.kind, row.backend, row.sightings, title, said);
}

/// Findings that are not shown.
struct DeferredReductions {
  int findings = 0;
  std::uint64_t sightings = 0;
};

/// Component by effect: the number of confirmed findings of each.
void print_table(const std::vector<report::FindingRow>& rows) {
  std::map<std::string, std::map<std::string, int>> counts;
  for (const report::FindingRow& row : rows) {
    if (row.status != status_name(Finding::Status::kConfirmed)) continue;
    const Signature signature{.backend = row.backend, .stage = row.stage, .kind = row.kind};
    ++counts[report::component(signature)][report::effect(signature)];
  }
  put("{:<26}{:>8}{:>8}{:>14}\n", "component", "crash", "hang", "inconsistent");
  for (auto& [component, row] : counts)
    put("{:<26}{:>8}{:>8}{:>14}\n", component, row["crash"], row["hang"], row["inconsistent"]);
}

/// A person's decision that can't be read is not passed over in silence.
void say_damaged_label(const std::string& folder, const std::string& id) {
  if (const std::string damage = damaged_label(folder, id); !damage.empty()) say(damage);
}

/// Those that are known, or that a person has put aside, are counted, not shown.
int list(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  if (const auto rows = report::list_findings(folder.value()); rows.ok())
    for (const report::FindingRow& row : rows.value()) say_damaged_label(folder.value(), row.id);
  if (options.json) {
    const Result<codec::Json> rows = answers::findings_json(folder.value());
    if (!rows.ok()) return cannot(rows.error());
    put("{}\n", codec::text(rows.value()));
    return kDidItsWork;
  }
  const Result<std::vector<answers::ListedFinding>> all = answers::listed_findings(folder.value());
  if (!all.ok()) return cannot(all.error());
  std::vector<report::FindingRow> shown;
  std::map<std::string, DeferredReductions> aside;
  for (const answers::ListedFinding& finding : all.value()) {
    const report::FindingRow& row = finding.row;
    report::Label label = finding.label;
    if (label.label.empty() && finding.listed != row.id) label = {"alike", finding.listed};
    if (!label.label.empty() && !options.all) {
      ++aside[label.label].findings;
      aside[label.label].sightings += static_cast<std::uint64_t>(row.sightings);
      continue;
    }
    shown.push_back(row);
    if (!options.table) print_row(row, label, finding.title);
  }
  if (options.table) print_table(shown);
  for (const auto& [label, count] : aside)
    put("and {} {} ({}): see --all\n", count.findings, label, plural(count.sightings, "sighting"));
  return kDidItsWork;
}

/// Loads a finding with its evidence, which is measured if it is missing and `measure` is set, until it is given up.
Result<LoadedFinding> load(const Options& options, bool measure, const std::function<bool()>& given_up = {}) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return folder.error();
  Result<LoadedFinding> kept = load_finding(folder.value(), options.id);
  if (!kept.ok() || !measure) return kept;
  if (Status measured = measure_missing(kept.value(), say, given_up); !measured.ok()) return measured.error();
  return kept;
}

int show(const Options& options) {
  Result<LoadedFinding> kept = load(options, !options.stored_only);
  if (!kept.ok()) return cannot(kept.error());
  const std::string id = kept.value().finding.signature.id();
  say_damaged_label(kept.value().folder, id);
  if (options.json) {
    put("{}\n", codec::text(answers::finding_json(kept.value())));
    return kDidItsWork;
  }
  const Finding& shown = kept.value().shown();
  print_painted([&](bool colour) {
    return report::finding_summary(kept.value().finding, kept.value().evidence,
                                   answers::label_of(kept.value().folder, id), colour);
  });
  if (const std::string like = answers::likeness_of(kept.value().folder, id); !like.empty()) put("\n{}\n", like);
  print_painted([&](bool colour) {
    const auto [reference, under_test] = report::sides_of(shown);
    const std::string diff = report::unified_diff(reference.shown, under_test.shown, colour);
    return diff.empty() ? diff : fmt::format("\nDiff: {} (-), {} (+)\n", reference.name, under_test.name) + diff;
  });
  put("\nProgram\n{}", shown.program.source());
  return kDidItsWork;
}

int write_out(const Options& options, const std::string& text) {
  if (options.out == "-") {
    put("{}", text);
    return kDidItsWork;
  }
  Status written = write_file(options.out, text);
  return written.ok() ? static_cast<int>(kDidItsWork) : cannot(written.error());
}

/// Loads the finding after continuing its reduction as far as the time and `stop` allow, with its evidence.
Result<LoadedFinding> load_finished(const Options& options, bool measure, const std::atomic<bool>& stop) {
  Result<double> seconds = options.time == "0" ? Result<double>(0.0) : parse_duration(options.time);
  if (!seconds.ok()) return seconds.error();
  Result<LoadedFinding> kept = load(options, false);
  if (!kept.ok()) return kept;
  if (Status done = finish_reduction(kept.value().folder, kept.value().finding, seconds.value(), stop, say); !done.ok())
    return done.error();
  return load(options, measure, [&stop] { return stop.load(); });
}

/// What is to be known of an export beside its text.
void say_of(const answers::Export& made, const std::string& form) {
  const std::string what = form == "issue" ? "program in it" : "export";
  if (!made.works.value_or(true)) say(fmt::format("the {} doesn't reproduce here: another torch, or flaky", what));
  if (!made.home.empty()) say("for " + made.home);
}

/// By Ctrl-C, while it is reduced, measured or tried: a second one isn't needed.
int stopped() { return cannot({"stopped before the export was made"}); }

int export_as(const Options& options) {
  const std::atomic<bool>& stop = listen_to_signals();
  const bool measured = answers::needs_evidence(options.form);
  Result<LoadedFinding> loaded = options.form == "json" ? load(options, false) : load_finished(options, measured, stop);
  if (stop) return stopped();
  if (!loaded.ok()) return cannot(loaded.error());
  const Result<answers::Export> made =
      answers::export_of(loaded.value(), options.form, options.expected_failure, [&stop] { return stop.load(); });
  if (stop) return stopped();
  if (!made.ok()) return cannot(made.error());
  say_of(made.value(), options.form);
  return write_out(options, made.value().text);
}

/// Writes the finding as a known bug's file; its path goes to standard output.
Result<std::string> make_known(const Options& options, LoadedFinding& kept) {
  if (options.label != "known") return Error{"--link goes with the label known"};
  const Result<std::string> name = known_name(options.link, options.name);
  if (!name.ok()) return name.error();
  const Result<std::string> corpus = options.corpus.empty() ? corpus_folder() : Result<std::string>(options.corpus);
  if (!corpus.ok()) return corpus.error();
  // If write_known would refuse it, nothing needs measuring.
  if (kept.reduced && kept.finding.status == Finding::Status::kConfirmed)
    if (Status measured = measure_missing(kept, say); !measured.ok()) return measured.error();
  const Result<std::string> path = write_known(kept, corpus.value(), options.link, name.value());
  if (!path.ok()) return path.error();
  put("{}\n", path.value());
  return fmt::format("{}, {}", name.value(), options.link);
}

int label(const Options& options) {
  Result<LoadedFinding> kept = load(options, false);
  if (!kept.ok()) return cannot(kept.error());
  report::Label label{options.label == "none" ? "" : options.label, options.note};
  if (options.link.empty() && !(options.name.empty() && options.corpus.empty()))
    return cannot(Error{"--name and --corpus say where to write the file of a known bug: give its --link too"});
  // A process that is writing the campaign reads labels only when it starts.
  Result<std::unique_ptr<report::Lock>> lock = report::Lock::take(kept.value().folder);
  if (!lock.ok()) return cannot(lock.error());
  if (!options.link.empty()) {
    const Result<std::string> note = make_known(options, kept.value());
    if (!note.ok()) return cannot(note.error());
    if (label.note.empty()) label.note = note.value();
  }
  Status done = report::keep_label(kept.value().folder, kept.value().finding.signature.id(), label);
  return done.ok() ? static_cast<int>(kDidItsWork) : cannot(done.error());
}

void attach_listing(CLI::App& listing, const std::shared_ptr<Options>& options) {
  listing.add_flag("--table", options->table,
                   "a table of the confirmed ones: counts by component and by crash, hang, inconsistent");
  listing.add_flag("--all", options->all, "also list findings with a label");
  listing.footer("example: jitprobe findings list --campaign campaigns/night");
}

void attach_exporting(CLI::App& exporting, const std::shared_ptr<Options>& options) {
  exporting.add_option("--as", options->form, "repro, unittest, issue, program or json")
      ->capture_default_str()
      ->check(CLI::IsMember({"repro", "unittest", "issue", "program", "json"}));
  exporting.add_option("--out", options->out, "a file, or - for standard output");
  exporting.add_option("--time", options->time,
                       "how long to continue an unfinished reduction first; 0: export it as it is (default 2m)");
  exporting.add_flag("--expected-failure", options->expected_failure,
                     "mark the unit test so that it passes as long as the difference is there");
  exporting.footer("example: jitprobe findings export 3f2a --as unittest --out test_3f2a.py");
}

class FindingsCommand : public Command {
 public:
  std::string_view name() const override { return "findings"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        parent.add_subcommand("findings", "what a campaign found: list, show, export, label, suppressions, statistics");
    command->require_subcommand(1);
    command->footer("example: jitprobe findings export 3f2a --as repro --out repro.py");
    CLI::App* listing = command->add_subcommand("list", "one line per finding");
    CLI::App* showing =
        command->add_subcommand("show", "everything about one finding; missing evidence is measured first");
    CLI::App* exporting = command->add_subcommand(
        "export", "a finding as a file; reproducers and unit tests are run before they are written");
    CLI::App* labelling = command->add_subcommand("label", "record a person's decision on a finding");
    for (CLI::App* part : {listing, showing, exporting, labelling})
      part->add_option("--campaign", options->folder, "folder of the campaign (the newest in ./campaigns by default)");
    for (CLI::App* part : {showing, exporting, labelling})
      part->add_option("id", options->id, "the finding's id, or a prefix of it")->required();
    for (CLI::App* part : {listing, showing}) part->add_flag("--json", options->json, "as JSON");
    attach_listing(*listing, options);
    showing->add_flag("--stored", options->stored_only, "run nothing: show only what is stored");
    showing->footer("example: jitprobe findings show 3f2a");
    attach_exporting(*exporting, options);
    labelling->add_option("label", options->label, "known, duplicate, wontfix or false; none removes it")
        ->required()
        ->check(CLI::IsMember({"known", "duplicate", "wontfix", "false", "none"}));
    labelling->add_option("--note", options->note, "why; a link");
    labelling->add_option("--link", options->link,
                          "with known: where it is reported; writes known/<tracker>-<number>.py of the corpus");
    labelling->add_option("--name", options->name, "the name of that file instead");
    labelling->add_option("--corpus", options->corpus, "the folder with known/ (the project's by default)");
    labelling->footer(
        "example: jitprobe findings label 3f2a known --link https://github.com/pytorch/pytorch/issues/12345");
    listing->callback([options, &exit_code] { exit_code = list(*options); });
    showing->callback([options, &exit_code] { exit_code = show(*options); });
    exporting->callback([options, &exit_code] { exit_code = export_as(*options); });
    labelling->callback([options, &exit_code] { exit_code = label(*options); });
    attach_tables(*command, exit_code);
  }
};

const Register<Command, FindingsCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_findings_command
