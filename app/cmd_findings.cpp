// jitprobe findings: what a campaign found: list, show, export.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "report/reproducer.h"
#include "report/store.h"
#include "report/summary.h"

namespace jp::app {
namespace {

struct Options {
  std::string folder;
  std::string id;
  std::string form = "repro";
  std::string out = "-";
  bool json = false;
};

/// The campaign asked for, else the one that was written last.
Result<std::string> campaign_folder(const std::string& asked) {
  if (!asked.empty()) return asked;
  std::string newest;
  std::filesystem::file_time_type time;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("campaigns", error)) {
    auto written = std::filesystem::last_write_time(entry.path() / "campaign.db", error);
    if (error || (!newest.empty() && written <= time)) continue;
    newest = entry.path().string();
    time = written;
  }
  if (newest.empty()) return Error{"there is no campaign in ./campaigns: name one with --campaign FOLDER"};
  return newest;
}

int list(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return cannot(folder.error());
  Result<std::vector<report::FindingRow>> rows = report::list_findings(folder.value());
  if (!rows.ok()) return cannot(rows.error());
  codec::Json json = codec::Json::array();
  for (const report::FindingRow& row : rows.value()) {
    if (options.json)
      json.push_back({{"id", row.id},
                      {"kind", row.kind},
                      {"backend", row.backend},
                      {"stage", row.stage},
                      {"status", row.status},
                      {"reproduced", row.reproduced},
                      {"attempts", row.attempts},
                      {"sightings", row.sightings},
                      {"first_test", row.first_test},
                      {"reason", row.reason}});
    else
      fmt::print("{}  {:<9}  {:<14}  {:<26}  {:>3}x  {}\n", row.id, row.status, row.kind, row.backend, row.sightings,
                 row.reason);
  }
  if (options.json) fmt::print("{}\n", codec::text(json));
  return kDidItsWork;
}

Result<Finding> load(const Options& options) {
  Result<std::string> folder = campaign_folder(options.folder);
  if (!folder.ok()) return folder.error();
  return report::load_finding(folder.value(), options.id);
}

int show(const Options& options) {
  Result<Finding> finding = load(options);
  if (!finding.ok()) return cannot(finding.error());
  fmt::print("{}", options.json ? codec::text(codec::to_json(finding.value())) + "\n"
                                : report::finding_summary(finding.value()));
  return kDidItsWork;
}

int export_as(const Options& options) {
  Result<Finding> finding = load(options);
  if (!finding.ok()) return cannot(finding.error());
  std::string text = options.form == "json"      ? codec::text(codec::to_json(finding.value()), 1) + "\n"
                     : options.form == "program" ? finding.value().program.source()
                                                 : report::reproducer(finding.value());
  if (options.out == "-") {
    fmt::print("{}", text);
    return kDidItsWork;
  }
  Status written = write_file(options.out, text);
  return written.ok() ? static_cast<int>(kDidItsWork) : cannot(written.error());
}

class FindingsCommand : public Command {
 public:
  std::string_view name() const override { return "findings"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("findings", "what a campaign found: list, show, export");
    command->require_subcommand(1);
    command->footer("example: jitprobe findings export 3f2a --as repro --out repro.py");
    CLI::App* listing = command->add_subcommand("list", "one line a finding");
    CLI::App* showing = command->add_subcommand("show", "all about one finding");
    CLI::App* exporting = command->add_subcommand("export", "a finding as a file that anyone can run");
    for (CLI::App* part : {listing, showing, exporting})
      part->add_option("--campaign", options->folder, "folder of the campaign (the newest in ./campaigns by default)");
    for (CLI::App* part : {showing, exporting})
      part->add_option("id", options->id, "the finding's id, or its beginning")->required();
    for (CLI::App* part : {listing, showing}) part->add_flag("--json", options->json, "as JSON");
    exporting->add_option("--as", options->form, "repro (standalone file), program, or json")
        ->check(CLI::IsMember({"repro", "program", "json"}));
    exporting->add_option("--out", options->out, "a file, or - for standard output");
    listing->footer("example: jitprobe findings list --campaign campaigns/night");
    showing->footer("example: jitprobe findings show 3f2a");
    exporting->footer("example: jitprobe findings export 3f2a --as repro --out repro.py");
    listing->callback([options, &exit_code] { exit_code = list(*options); });
    showing->callback([options, &exit_code] { exit_code = show(*options); });
    exporting->callback([options, &exit_code] { exit_code = export_as(*options); });
  }
};

const Register<Command, FindingsCommand> registered;

}  // namespace
}  // namespace jp::app
