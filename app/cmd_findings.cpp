// jitprobe findings: what a campaign found: list, show, export, label, masks, credit.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "app/cmd_credit.h"
#include "app/command.h"
#include "app/diff.h"
#include "app/finish.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/feedback/suppressions.h"
#include "campaign/known/known.h"
#include "campaign/known/known_file.h"
#include "campaign/triage/ranking.h"
#include "codec/codec.h"
#include "report/files.h"
#include "report/issue.h"
#include "report/known_verdict.h"
#include "report/short_form.h"
#include "report/store.h"
#include "report/summary.h"

namespace jp::app {
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

/// In one line; of one that can't be read the reason.
std::string title_of_row(const std::string& folder, const report::FindingRow& row) {
  const Result<Finding> finding = report::load_finding(folder, row.id);
  return finding.ok() ? title_of(folder, finding.value()) : row.reason;
}

codec::Json row_json(const report::FindingRow& row, const report::Label& label, const std::string& title) {
  Signature signature{.backend = row.backend, .stage = row.stage, .kind = row.kind};
  return {{"id", row.id},
          {"kind", row.kind},
          {"backend", row.backend},
          {"stage", row.stage},
          {"component", report::component(signature)},
          {"effect", report::effect(signature)},
          {"status", row.status},
          {"reproduced", row.reproduced},
          {"attempts", row.attempts},
          {"sightings", row.sightings},
          {"first_test", row.first_test == report::kNoTest ? codec::Json() : codec::Json(row.first_test)},
          {"label", label.label},
          {"note", label.note},
          {"title", title},
          {"reason", row.reason}};
}

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

/// Component by effect: how many confirmed findings of each.
void print_table(const std::vector<report::FindingRow>& rows) {
  std::map<std::string, std::map<std::string, int>> counts;
  for (const report::FindingRow& row : rows) {
    const Signature signature{.backend = row.backend, .stage = row.stage, .kind = row.kind};
    ++counts[report::component(signature)][report::effect(signature)];
  }
  put("{:<26}{:>8}{:>8}{:>14}\n", "component", "crash", "hang", "inconsistent");
  for (auto& [component, row] : counts)
    put("{:<26}{:>8}{:>8}{:>14}\n", component, row["crash"], row["hang"], row["inconsistent"]);
}

/// A person's label, else that of the known bug that the campaign took the finding for.
report::Label label_of(const std::string& folder, const std::string& id) {
  report::Label said = report::load_label(folder, id);
  if (!said.label.empty()) return said;
  const auto verdict = report::load_known_verdict(folder, id);
  if (!verdict || !verdict->known()) return said;
  return {"known", fmt::format("{}, {} (by its {})", verdict->name, verdict->link, verdict->by)};
}

/// What is said of known bugs that a finding looks like and is not; "" when it is like none.
std::string likeness_of(const std::string& folder, const std::string& id) {
  const auto verdict = report::load_known_verdict(folder, id);
  return verdict ? report::resemblance_text(*verdict) : "";
}

/// For each finding the id of the first that is the same bug.
std::vector<std::string> first_alike(const std::string& folder, const std::vector<report::FindingRow>& rows) {
  std::vector<std::string> ids;
  for (const report::FindingRow& row : rows) ids.push_back(row.id);
  std::vector<std::string> firsts;
  for (std::size_t first : first_of_bug(folder, ids)) firsts.push_back(ids[first]);
  return firsts;
}

/// By the first of those that are the same bug: the one that is listed for all of them. Where the campaign took the
/// first for a known bug, it is the first one that it did not: that these are none has been decided.
std::map<std::string, std::string> listed_for(const std::string& folder, const std::vector<report::FindingRow>& rows,
                                              const std::vector<std::string>& firsts) {
  std::map<std::string, std::string> listed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool by_a_person = !report::load_label(folder, firsts[i]).label.empty();
    if (by_a_person || label_of(folder, rows[i].id).label.empty())
      listed.try_emplace(firsts[i], by_a_person ? firsts[i] : rows[i].id);
  }
  return listed;
}

/// Other findings of the campaign that are the same bug.
std::vector<Finding> siblings_of(const LoadedFinding& kept) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(kept.folder);
  if (!rows.ok()) return {};
  const std::vector<std::string> firsts = first_alike(kept.folder, rows.value());
  const std::string id = kept.finding.signature.id();
  std::string bucket;
  for (std::size_t i = 0; i < firsts.size(); ++i)
    if (rows.value()[i].id == id) bucket = firsts[i];
  std::vector<Finding> siblings;
  for (std::size_t i = 0; i < firsts.size(); ++i) {
    if (firsts[i] != bucket || rows.value()[i].id == id) continue;
    if (Result<Finding> sibling = report::load_finding(kept.folder, rows.value()[i].id); sibling.ok())
      siblings.push_back(sibling.value());
  }
  return siblings;
}

/// Unlike ones first. Those that are known, or that a person has put aside, step back: they are counted, not shown.
int list(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder.value());
  if (!rows.ok()) return cannot(rows.error());
  codec::Json json = codec::Json::array();
  std::vector<report::FindingRow> shown;
  std::map<std::string, DeferredReductions> aside;
  const std::vector<std::string> firsts = first_alike(folder.value(), rows.value());
  std::map<std::string, std::string> listed = listed_for(folder.value(), rows.value(), firsts);
  for (std::size_t i : ranking(folder.value(), rows.value())) {
    const report::FindingRow& row = rows.value()[i];
    report::Label label = label_of(folder.value(), row.id);
    if (options.json) {
      json.push_back(row_json(row, label, title_of_row(folder.value(), row)));
      json.back()["bucket"] = firsts[i];
      json.back()["like"] = likeness_of(folder.value(), row.id);
    }
    if (label.label.empty() && listed[firsts[i]] != row.id) label = {"alike", listed[firsts[i]]};
    if (!label.label.empty() && !options.all) {
      ++aside[label.label].findings;
      aside[label.label].sightings += static_cast<std::uint64_t>(row.sightings);
      continue;
    }
    shown.push_back(row);
    if (!options.json && !options.table) print_row(row, label, title_of_row(folder.value(), row));
  }
  if (options.json) put("{}\n", codec::text(json));
  if (options.table && !options.json) print_table(shown);
  if (!options.json)
    for (const auto& [label, count] : aside)
      put("and {} {} ({}): see --all\n", count.findings, label, plural(count.sightings, "sighting"));
  return kDidItsWork;
}

/// A finding with its evidence; measured when it is missing and `measure`.
Result<LoadedFinding> load(const Options& options, bool measure) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return folder.error();
  Result<LoadedFinding> kept = load_finding(folder.value(), options.id);
  if (!kept.ok() || !measure) return kept;
  if (Status measured = measure_missing(kept.value(), say); !measured.ok()) return measured.error();
  return kept;
}

codec::Json json_of(const LoadedFinding& kept) {
  codec::Json json = codec::to_json(kept.finding);
  if (kept.evidence) json["evidence"] = report::to_json(*kept.evidence);
  if (kept.reduced) json["reduced"] = codec::to_json(*kept.reduced);
  const std::string id = kept.finding.signature.id();
  const report::Label label = label_of(kept.folder, id);
  json["label"] = {{"label", label.label}, {"note", label.note}};
  json["like"] = likeness_of(kept.folder, id);
  return json;
}

int show(const Options& options) {
  Result<LoadedFinding> kept = load(options, !options.stored_only);
  if (!kept.ok()) return cannot(kept.error());
  if (options.json) {
    put("{}\n", codec::text(json_of(kept.value())));
    return kDidItsWork;
  }
  const Finding& shown = kept.value().shown();
  const std::string id = kept.value().finding.signature.id();
  print_painted([&](bool colour) {
    return report::finding_summary(kept.value().finding, kept.value().evidence, label_of(kept.value().folder, id),
                                   colour);
  });
  if (const std::string like = likeness_of(kept.value().folder, id); !like.empty()) put("\n{}\n", like);
  print_painted([&](bool colour) {
    const std::string diff =
        unified_diff(report::side_text(shown, "eager"), report::side_text(shown, "compiled"), colour);
    return diff.empty() ? diff : "\nEager (-) and compiled (+)\n" + diff;
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

int hand_out(const Options& options, const Result<VerifiedExport>& verified_export) {
  if (!verified_export.ok()) return cannot(verified_export.error());
  if (!verified_export.value().works)
    say("it does not show the difference here: another torch, or a finding that is not steady");
  if (!verified_export.value().home.empty()) say("for " + verified_export.value().home);
  return write_out(options, verified_export.value().text);
}

/// The finding with its reduction gone on with, as far as the time allows, and its evidence.
Result<LoadedFinding> load_finished(const Options& options, bool measure) {
  Result<double> seconds = options.time == "0" ? Result<double>(0.0) : parse_duration(options.time);
  if (!seconds.ok()) return seconds.error();
  Result<LoadedFinding> kept = load(options, false);
  if (!kept.ok()) return kept;
  if (Status done = finish_reduction(kept.value().folder, kept.value().finding, seconds.value(), say); !done.ok())
    return done.error();
  return load(options, measure);
}

int export_as(const Options& options) {
  const bool stored = options.form == "json" || options.form == "program";
  Result<LoadedFinding> loaded = options.form == "json" ? load(options, false) : load_finished(options, !stored);
  if (!loaded.ok()) return cannot(loaded.error());
  const LoadedFinding& kept = loaded.value();
  if (options.form == "json") return write_out(options, codec::text(json_of(kept), 1) + "\n");
  if (options.form == "program")
    return write_out(options, kept.reduced ? kept.reduced->source() : kept.shown().program.source());
  if (options.form == "unittest") return hand_out(options, verified_unit_test(kept, options.expected_failure));
  Result<VerifiedExport> repro = verified_reproducer(kept);
  if (options.form == "repro" || !repro.ok()) return hand_out(options, repro);
  if (!repro.value().works) say("the program in it does not show the difference here");
  return write_out(options, report::issue_text(kept.finding, *kept.evidence, repro.value().text, siblings_of(kept),
                                               export_options(kept)));
}

/// Makes the finding a known bug's file; its path goes to standard output.
Result<std::string> make_known(const Options& options, LoadedFinding& kept) {
  if (options.label != "known") return Error{"--link goes with the label known"};
  const Result<std::string> name = known_name(options.link, options.name);
  if (!name.ok()) return name.error();
  const Result<std::string> corpus = options.corpus.empty() ? corpus_folder() : Result<std::string>(options.corpus);
  if (!corpus.ok()) return corpus.error();
  // What write_known refuses needs no measuring.
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
    return cannot(Error{"--name and --corpus say where the file of a known bug goes: give its --link too"});
  // Whoever writes the campaign now reads labels as they were when it began.
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

/// The masks of the newest epoch.
int suppressions(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  if (Result<std::vector<report::FindingRow>> rows = report::list_findings(folder.value()); !rows.ok())
    return cannot(rows.error());
  Result<std::map<std::uint64_t, Suppressions>> tables = load_suppressions(folder.value());
  if (!tables.ok()) return cannot(tables.error());
  const Suppressions none;
  const Suppressions& newest = tables.value().empty() ? none : tables.value().rbegin()->second;
  if (options.json) {
    put("{}\n", codec::text(to_json(newest)));
    return kDidItsWork;
  }
  for (const auto& [pair, weight] : newest)
    put("{:>6.3f}  {}{}{}\n", static_cast<double>(weight) / kFullWeight, pair.first,
        pair.first == pair.second ? "" : "  ", pair.first == pair.second ? "" : pair.second);
  if (newest.empty()) say("nothing is made rarer yet: masks come from findings two epochs back (see fuzz --epoch)");
  return kDidItsWork;
}

void attach_listing(CLI::App& listing, const std::shared_ptr<Options>& options) {
  listing.add_flag("--table", options->table, "how many, by component and by crash, hang, inconsistent");
  listing.add_flag("--all", options->all, "those with a label too");
  listing.footer("example: jitprobe findings list --campaign campaigns/night");
}

void attach_exporting(CLI::App& exporting, const std::shared_ptr<Options>& options) {
  exporting.add_option("--as", options->form, "repro, unittest, issue, program or json")
      ->check(CLI::IsMember({"repro", "unittest", "issue", "program", "json"}));
  exporting.add_option("--out", options->out, "a file, or - for standard output");
  exporting.add_option("--time", options->time,
                       "how long to go on first with a reduction that has not come to its end; 0: take it as it is "
                       "(default 2m)");
  exporting.add_flag("--expected-failure", options->expected_failure,
                     "mark the unit test so that it passes as long as the difference is there");
  exporting.footer("example: jitprobe findings export 3f2a --as unittest --out test_3f2a.py");
}

class FindingsCommand : public Command {
 public:
  std::string_view name() const override { return "findings"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command =
        parent.add_subcommand("findings", "what a campaign found: list, show, export, label, masks, credit");
    command->require_subcommand(1);
    command->footer("example: jitprobe findings export 3f2a --as repro --out repro.py");
    CLI::App* listing = command->add_subcommand("list", "one line a finding");
    CLI::App* showing = command->add_subcommand("show", "all about one finding; what is missing is measured first");
    CLI::App* exporting = command->add_subcommand("export", "a finding as a file, tried before it is handed out");
    CLI::App* labelling = command->add_subcommand("label", "what a person says of a finding");
    CLI::App* masking = command->add_subcommand("masks", "what is made rarer, with its share");
    CLI::App* crediting =
        command->add_subcommand("credit", "what found what: by mutation, door, oracle, backend, call");
    for (CLI::App* part : {listing, showing, exporting, labelling, masking, crediting})
      part->add_option("--campaign", options->folder, "folder of the campaign (the newest in ./campaigns by default)");
    for (CLI::App* part : {showing, exporting, labelling})
      part->add_option("id", options->id, "the finding's id, or its beginning")->required();
    for (CLI::App* part : {listing, showing, masking, crediting}) part->add_flag("--json", options->json, "as JSON");
    attach_listing(*listing, options);
    showing->add_flag("--stored", options->stored_only, "run nothing: only what is kept");
    showing->footer("example: jitprobe findings show 3f2a");
    attach_exporting(*exporting, options);
    labelling->add_option("label", options->label, "known, duplicate, wontfix or false; none takes it back")
        ->required()
        ->check(CLI::IsMember({"known", "duplicate", "wontfix", "false", "none"}));
    labelling->add_option("--note", options->note, "why; a link");
    labelling->add_option("--link", options->link,
                          "with known: where it is reported; writes known/<tracker>-<number>.py of the corpus");
    labelling->add_option("--name", options->name, "what to call that file instead");
    labelling->add_option("--corpus", options->corpus, "the folder with known/ (the project's by default)");
    labelling->footer(
        "example: jitprobe findings label 3f2a known --link https://github.com/pytorch/pytorch/issues/12345");
    masking->footer("example: jitprobe findings masks --campaign campaigns/night");
    crediting->footer("example: jitprobe findings credit --campaign campaigns/night");
    crediting->callback([options, &exit_code] { exit_code = print_credit(options->folder, options->json); });
    masking->callback([options, &exit_code] { exit_code = suppressions(*options); });
    listing->callback([options, &exit_code] { exit_code = list(*options); });
    showing->callback([options, &exit_code] { exit_code = show(*options); });
    exporting->callback([options, &exit_code] { exit_code = export_as(*options); });
    labelling->callback([options, &exit_code] { exit_code = label(*options); });
  }
};

const Register<Command, FindingsCommand> registered;

}  // namespace
}  // namespace jp::app
