// jitprobe explore: a page on which programs are mutated and compiled.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "app/command.h"
#include "app/stop.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/verified_export.h"
#include "campaign/known/known.h"
#include "core/files.h"
#include "explore/campaigns.h"
#include "explore/page.h"
#include "explore/report.h"
#include "explore/server.h"
#include "pyrunner/temporary.h"
#include "report/store.h"

namespace jp::app::cmd_explore_command {
namespace {

struct Options {
  std::string what;
  std::string campaign;
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::vector<std::string> backends;
  std::string report;
  double seconds = 0;
  bool no_open = false;
};

/// A file, or the finding of an id.
Result<explore::Opened> opened(const Options& options) {
  explore::Opened found;
  if (!options.campaign.empty()) {
    if (auto rows = report::list_findings(options.campaign); !rows.ok()) return rows.error();
    found.campaign = options.campaign;
  }
  if (options.what.empty()) return found;
  if (std::error_code unknown; !std::filesystem::exists(options.what, unknown) && !unknown) {
    Result<std::string> folder = campaign_folder(options.campaign);
    if (!folder.ok()) return Error{fmt::format("there is no file {}, and {}", options.what, folder.error().message)};
    return explore::open_finding(folder.value(), options.what);
  }
  Result<Program> program = load_program(options.what, options.entry, options.inputs);
  if (!program.ok()) return program.error();
  found.name = std::filesystem::path(options.what).filename().string();
  found.program = std::move(program).value();
  return found;
}

/// The ladder, then what was named, then what the campaign has.
Result<std::vector<std::string>> shown_backends(const Options& options, const std::string& campaign) {
  std::vector<std::string> backends = ladder();
  const auto add = [&](const std::string& backend) {
    if (std::find(backends.begin(), backends.end(), backend) == backends.end()) backends.push_back(backend);
  };
  for (const std::string& text : options.backends) {
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return backend.error();
    add(backend.value());
  }
  if (!campaign.empty())
    for (const std::string& backend : explore::campaign_backends(campaign)) add(backend);
  return backends;
}

Result<explore::ExplorerOptions> explorer_options(const Options& options) {
  explore::ExplorerOptions made;
  Result<explore::Opened> begun = opened(options);
  if (!begun.ok()) return begun.error();
  made.opened = std::move(begun).value();
  Result<std::vector<std::string>> backends = shown_backends(options, made.opened.campaign);
  if (!backends.ok()) return backends.error();
  made.backends = std::move(backends).value();
  Result<std::string> corpus = corpus_folder();
  if (!corpus.ok()) return corpus.error();
  made.corpus = std::move(corpus).value();
  Result<pyrunner::RunnerOptions> runner = runner_options(
      made.backends, made.opened.campaign.empty() ? "cpu" : explore::campaign_device(made.opened.campaign));
  if (!runner.ok()) return runner.error();
  made.runner = std::move(runner).value();
  made.seconds = options.seconds;
  return made;
}

/// The desktop's browser, on its own: what it prints belongs to nobody, and whether there is one is its own affair. A
/// shell starts it and ends at once, so that it is nobody's child.
void open_in_browser(const std::string& file) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (int descriptor : {0, 1, 2}) posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0);
  std::array<std::string, 5> words = {"sh", "-c", "xdg-open \"$1\" &", "sh", file};
  std::array<char*, words.size() + 1> arguments{};
  for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
  pid_t child = 0;
  if (posix_spawn(&child, "/bin/sh", &actions, nullptr, arguments.data(), environ) == 0) waitpid(child, nullptr, 0);
  posix_spawn_file_actions_destroy(&actions);
}

/// Opens the page by a file that leads to it: everybody on the machine can read the words of a command, but only this
/// user can read the folder. Returns the folder, which must stay until the browser has read it; nothing if there is
/// none.
std::optional<pyrunner::TemporaryFolder> open_page(const std::string& url) {
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("page");
  if (!folder.ok()) return std::nullopt;
  const std::string file = folder.value().path() + "/open.html";
  const std::string text = fmt::format(
      "<!doctype html>\n<meta http-equiv=\"refresh\" content=\"0;url={}\">\n<a href=\"{}\">jitprobe</a>\n", url, url);
  if (!write_scratch(file, text).ok() || chmod(file.c_str(), S_IRUSR | S_IWUSR) != 0) return std::nullopt;
  open_in_browser(file);
  return std::move(folder).value();
}

int write_report(const Options& options) {
  Result<explore::Opened> begun = opened(options);
  if (!begun.ok()) return cannot(begun.error());
  if (begun.value().campaign.empty()) return cannot({"--export needs --campaign DIR, or the id of a finding"});
  Result<std::string> page = explore::page_file("report.html");
  if (!page.ok()) return cannot(page.error());
  const std::size_t most = explore::kMostReport - std::min(explore::kMostReport, page.value().size());
  Result<codec::Json> data = explore::report_data(begun.value().campaign, begun.value().finding, most);
  if (!data.ok()) return cannot(data.error());
  Result<std::string> text = explore::report_html(page.value(), data.value());
  if (!text.ok()) return cannot(text.error());
  Status written = write_file(options.report, text.value());
  return written.ok() ? static_cast<int>(kDidItsWork) : cannot(written.error());
}

int run(const Options& options) {
  if (!options.report.empty()) return write_report(options);
  Result<explore::ExplorerOptions> made = explorer_options(options);
  if (!made.ok()) return cannot(made.error());
  Result<std::string> page = explore::page_file("page.html");
  if (!page.ok()) return cannot(page.error());
  const std::atomic<bool>& stop = listen_to_signals();
  explore::Explorer explorer(std::move(made).value());
  auto server = explore::Server::start(explorer, std::move(page).value());
  if (!server.ok()) return cannot(server.error());
  fmt::print("{}\n", server.value()->url());
  std::fflush(stdout);
  std::optional<pyrunner::TemporaryFolder> opened_by;
  if (!options.no_open && isatty(STDOUT_FILENO) != 0) opened_by = open_page(server.value()->url());
  server.value()->serve(stop);
  return kDidItsWork;
}

class ExploreCommand : public Command {
 public:
  std::string_view name() const override { return "explore"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "explore", "a page in the browser: mutate a program step by step, and see what compiling does");
    command->footer("example: jitprobe explore corpus/models/gru.py --no-open");
    command->add_option("what", options->what, "a program file, or the id of a finding");
    command->add_option("--campaign", options->campaign, "folder of a campaign to look at; it may be running");
    command->add_flag("--no-open", options->no_open, "print the URL and open no browser");
    command->add_option("--backend", options->backends, "a backend to show besides the ladder; may be repeated")
        ->allow_extra_args(false);
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    command
        ->add_option("--limit", options->seconds,
                     "seconds for each run (60 by default); a compiled run that takes longer gets three times as many, "
                     "alone, before it counts as a hang")
        ->check(CLI::PositiveNumber);
    command->add_option("--export", options->report,
                        "write the campaign or the finding as one HTML file instead, readable without a server");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, ExploreCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_explore_command
