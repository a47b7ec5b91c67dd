// jitprobe recheck: runs every known bug, every trophy and a campaign's findings again, each by itself in a new
// interpreter, and says what is still there.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/known.h"
#include "app/terminal.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "pyrunner/standalone.h"
#include "pyrunner/temporary.h"
#include "report/files.h"
#include "report/store.h"

namespace jp::app {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string python;
  std::string campaign;
  std::string corpus;
  double limit = 300;
  bool json = false;
};

/// A file to run, and what is said of it.
struct File {
  std::string path;
  Recheck recheck;
};

Status add_corpus(const std::string& corpus, std::vector<File>& files) {
  for (const char* set : {"known", "trophies"}) {
    const std::string folder = corpus + "/" + set;
    Result<std::vector<report::KnownBug>> known = report::load_known(folder);
    if (!known.ok()) return known.error();
    for (const report::KnownBug& bug : known.value())
      files.push_back({fmt::format("{}/{}.py", folder, bug.name),
                       {.name = bug.name, .set = set, .link = bug.link, .state = bug.state}});
  }
  return Done{};
}

/// Confirmed findings only: the others never showed by themselves.
Status add_findings(const std::string& campaign, std::vector<File>& files) {
  Result<std::vector<report::FindingRow>> rows = report::list_findings(campaign);
  if (!rows.ok()) return rows.error();
  for (const report::FindingRow& row : rows.value())
    if (row.status == status_name(Finding::Status::kConfirmed))
      files.push_back({fmt::format("{}/findings/{}/repro.py", campaign, row.id),
                       {.name = row.id, .set = "findings", .link = "", .state = "open"}});
  return Done{};
}

/// "2.15.0" of an interpreter, or an Error when it has no torch. A file of its own carries the answer out.
Result<std::string> torch_of(const pyrunner::Standalone& standalone) {
  const std::string answer = standalone.folder + ".torch";
  const int status = pyrunner::run_standalone(
      standalone, fmt::format("import torch\n\nwith open({}, \"w\") as file:\n    file.write(torch.__version__)\n",
                              report::python_literal(fs::absolute(answer).string())));
  Result<std::string> version = report::read_file(answer);
  std::error_code ignored;
  fs::remove(answer, ignored);
  if (status != 0 || !version.ok()) return Error{fmt::format("{} can't import torch", standalone.python)};
  return version;
}

Status run_file(const pyrunner::Standalone& standalone, File& file) {
  Result<std::string> text = report::read_file(file.path);
  if (!text.ok()) return text.error();
  const auto started = std::chrono::steady_clock::now();
  file.recheck.status = pyrunner::run_standalone(standalone, text.value());
  file.recheck.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return Done{};
}

void print_row(const Recheck& recheck) {
  const char* code = recheck.again() == Again::kThere ? "31" : recheck.again() == Again::kGone ? "32" : "33";
  print_painted([&](bool colour) {
    std::string result = fmt::format("{:<12}", again_name(recheck.again()));
    if (colour) result = fmt::format("\033[{}m{}\033[0m", code, result);
    return fmt::format("{}{:<9}  {}{}{}\n", result, recheck.set, recheck.name, recheck.link.empty() ? "" : "  ",
                       recheck.link);
  });
  std::fflush(stdout);
}

codec::Json json_of(const Recheck& recheck) {
  return {{"name", recheck.name},         {"set", recheck.set},        {"link", recheck.link},
          {"state", recheck.state},       {"status", recheck.status},  {"result", again_name(recheck.again())},
          {"as_said", recheck.as_said()}, {"seconds", recheck.seconds}};
}

Result<std::vector<File>> files_of(const Options& options) {
  std::vector<File> files;
  Result<std::string> corpus = options.corpus.empty() ? corpus_folder() : Result<std::string>(options.corpus);
  if (!corpus.ok()) return corpus.error();
  if (Status added = add_corpus(corpus.value(), files); !added.ok()) return added.error();
  if (!options.campaign.empty())
    if (Status added = add_findings(options.campaign, files); !added.ok()) return added.error();
  if (files.empty()) return Error{fmt::format("there is nothing to run again in {}", corpus.value())};
  return files;
}

int run(const Options& options) {
  Result<std::vector<File>> files = files_of(options);
  if (!files.ok()) return cannot(files.error());
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return cannot(paths.error());
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("recheck");
  if (!folder.ok()) return cannot(folder.error());
  const pyrunner::Standalone standalone{.python = options.python.empty() ? paths.value().python : options.python,
                                        .guard = paths.value().guard,
                                        .cache = paths.value().cache_dir,
                                        .folder = folder.value().path() + "/run",
                                        .seconds = options.limit};
  Result<std::string> torch = torch_of(standalone);
  if (!torch.ok()) return cannot(torch.error());
  if (!options.json) put("torch {}\n", torch.value());
  codec::Json json = {{"torch", torch.value()}, {"files", codec::Json::array()}};
  bool as_said = true;
  for (File& file : files.value()) {
    if (Status ran = run_file(standalone, file); !ran.ok()) return cannot(ran.error());
    as_said = as_said && file.recheck.as_said();
    json["files"].push_back(json_of(file.recheck));
    if (!options.json) print_row(file.recheck);
  }
  if (options.json) put("{}\n", codec::text(json));
  return as_said ? kDidItsWork : kFound;
}

class RecheckCommand : public Command {
 public:
  std::string_view name() const override { return "recheck"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "recheck",
        "run known bugs, trophies and findings again: exit 0 all is as it was, 1 something is gone, changed or back");
    command->footer("example: jitprobe recheck --python .venv-2.15.0/bin/python --campaign campaigns/night");
    command->add_option("--python", options->python, "the interpreter whose torch is asked (the project's by default)")
        ->check(CLI::ExistingFile);
    command->add_option("--campaign", options->campaign, "run this campaign's confirmed findings too");
    command->add_option("--corpus", options->corpus, "the folder with known/ and trophies/ (the project's by default)");
    command->add_option("--limit", options->limit, "seconds for each file")->check(CLI::PositiveNumber);
    command->add_flag("--json", options->json, "one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, RecheckCommand> registered;

}  // namespace
}  // namespace jp::app
