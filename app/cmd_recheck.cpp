// jitprobe recheck: runs every known bug, every trophy and a campaign's findings again, each by itself in a new
// interpreter, and says which still reproduce. It can also update what the heads of known bugs say of a torch.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/known/known.h"
#include "campaign/known/known_signatures.h"
#include "campaign/known/rechecked_file.h"
#include "campaign/start_probes.h"
#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "pyrunner/standalone.h"
#include "pyrunner/temporary.h"
#include "report/known_head.h"

namespace jp::app::cmd_recheck_command {
namespace {

struct Options {
  std::string python;
  std::string campaign;
  std::string corpus;
  std::vector<std::string> names;
  std::vector<std::string> backends;
  double limit = 300;
  bool json = false;
  bool update = false;
  bool signatures = false;
};

void print_row(const Recheck& recheck) {
  const char* code = recheck.again() == Again::kThere ? "31" : recheck.again() == Again::kGone ? "32" : "33";
  print_painted([&](bool colour) {
    std::string result = fmt::format("{:<12}", recheck.regression() ? "regression" : again_name(recheck.again()));
    if (colour) result = fmt::format("\033[{}m{}\033[0m", code, result);
    return fmt::format("{}{:<9}  {}{}{}\n", result, recheck.set, recheck.name, recheck.link.empty() ? "" : "  ",
                       recheck.link);
  });
  std::fflush(stdout);
}

codec::Json json_of(const Recheck& recheck) {
  return {{"name", recheck.name},         {"set", recheck.set},
          {"link", recheck.link},         {"state", recheck.state},
          {"status", recheck.status},     {"result", again_name(recheck.again())},
          {"as_said", recheck.as_said()}, {"regression", recheck.regression()},
          {"seconds", recheck.seconds}};
}

int recheck(const Options& options, std::vector<RecheckedFile> files) {
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return cannot(paths.error());
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("recheck");
  if (!folder.ok()) return cannot(folder.error());
  pyrunner::Standalone standalone = pyrunner::beside(paths.value(), folder.value().path() + "/run");
  // What it finds is kept by its path.
  if (!options.python.empty()) standalone.python = std::filesystem::absolute(options.python).string();
  standalone.seconds = options.limit;
  Result<std::string> torch = torch_of(standalone);
  if (!torch.ok()) return cannot(torch.error());
  const std::string release = report::release_of(torch.value());
  if (Status probed = probe_once(standalone, torch.value(), paths.value().runtime_dir); !probed.ok())
    return cannot(probed.error());
  if (!options.json) put("torch {}\n", torch.value());
  codec::Json json = {{"torch", torch.value()}, {"files", codec::Json::array()}};
  bool as_said = true;
  std::vector<std::string> regressions;
  for (RecheckedFile& file : files) {
    if (Status ran = run_again(standalone, file); !ran.ok()) return cannot(ran.error());
    file.recheck.said_gone = !file.bug.text.empty() && report::said_gone(file.bug, release);
    as_said = as_said && file.recheck.as_said();
    if (file.recheck.regression()) regressions.push_back(report::regression_text(file.bug, release));
    json["files"].push_back(json_of(file.recheck));
    if (!options.json) print_row(file.recheck);
    if (options.update)
      if (Status written = update_head(file, release); !written.ok()) return cannot(written.error());
  }
  if (options.json) put("{}\n", codec::text(json));
  if (!options.json)
    for (const std::string& regression : regressions) put("{}\n", regression);
  return as_said ? kDidItsWork : kFound;
}

// The bugs of the corpus that its heads don't call gone on that torch.
Result<std::vector<report::KnownBug>> bugs_of(const std::string& corpus, const std::string& torch) {
  const Result<std::string> folder = corpus.empty() ? corpus_folder() : Result<std::string>(corpus);
  if (!folder.ok()) return folder.error();
  Result<std::vector<report::KnownBug>> bugs = known_bugs(folder.value());
  if (!bugs.ok()) return bugs;
  std::erase_if(bugs.value(), [&](const auto& bug) { return report::said_gone(bug, report::release_of(torch)); });
  return bugs;
}

int write_signatures(const std::string& corpus, const std::vector<std::string>& asked,
                     const std::vector<RecheckedFile>& files) {
  std::vector<std::string> backends;
  for (const std::string& text : asked) {
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return cannot(backend.error());
    backends.push_back(backend.value());
  }
  if (backends.empty()) backends = ladder();
  Result<pyrunner::RunnerOptions> settings = runner_options(backends);
  if (!settings.ok()) return cannot(settings.error());
  auto runner = pyrunner::Runner::start(settings.value());
  if (!runner.ok()) return cannot(runner.error());
  const Result<std::vector<report::KnownBug>> bugs = bugs_of(corpus, runner.value()->info().torch);
  if (!bugs.ok()) return cannot(bugs.error());
  bool all = true;
  const auto complain = [&](const std::string& sentence) {
    all = false;
    put("{}\n", sentence);
    std::fflush(stdout);
  };
  for (const RecheckedFile& file : files) {
    if (file.bug.text.empty()) continue;
    const Result<std::vector<report::KnownSignature>> found = signatures_of(*runner.value(), file.bug, backends);
    if (!found.ok()) {
      complain(found.error().message);
      continue;
    }
    const std::string text = report::with_signatures(file.bug, found.value(), oracle::kSignatureVersion);
    if (text != file.bug.text)
      if (Status written = write_file(file.path, text); !written.ok()) return cannot(written.error());
    for (const report::KnownSignature& signature : found.value())
      put("{}  {} on {}  {}\n", signature.id, signature.kind, signature.backend, file.bug.name);
    for (const std::string& sentence : idle_avoids(*runner.value(), file, found.value())) complain(sentence);
    for (const std::string& sentence : hiding_avoids(*runner.value(), file, found.value(), bugs.value()))
      complain(sentence);
    std::fflush(stdout);
  }
  if (runner.value()->failure()) return cannot(*runner.value()->failure());
  return all ? kDidItsWork : kFound;
}

int run(const Options& options) {
  Result<std::vector<RecheckedFile>> files = files_to_recheck(options.corpus, options.campaign, options.names);
  if (!files.ok()) return cannot(files.error());
  return options.signatures ? write_signatures(options.corpus, options.backends, files.value())
                            : recheck(options, std::move(files).value());
}

class RecheckCommand : public Command {
 public:
  std::string_view name() const override { return "recheck"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("recheck",
                                              "run known bugs, trophies and findings again: exit 0 nothing has "
                                              "changed, 1 something is gone, changed or back");
    command->footer("example: jitprobe recheck --python .venv-2.15.0/bin/python --campaign campaigns/night");
    command->add_option("--python", options->python, "the interpreter whose torch is tested (the project's by default)")
        ->check(CLI::ExistingFile);
    command->add_option("--campaign", options->campaign, "run this campaign's confirmed findings too");
    command->add_option("--corpus", options->corpus, "the folder with known/ and trophies/ (the project's by default)");
    command->add_flag("--json", options->json, "one JSON object");
    command->add_option("names", options->names, "run these files only (all by default)");
    CLI::Option* update = command->add_flag(
        "--update", options->update,
        "write into the head of each known bug and trophy whether it reproduces on this torch (here, gone)");
    CLI::Option* signatures =
        command
            ->add_flag(
                "--signatures", options->signatures,
                "instead, judge the program of each known bug and trophy on every backend of the ladder and write "
                "the signatures of what it shows into its head; exit 1 when a program no longer diverges, when "
                "its own avoid or around line does not make it agree, or when another bug's avoid line does")
            ->excludes(update)
            ->excludes("--python")
            ->excludes("--campaign")
            ->excludes("--json");
    CLI::Option* limit = command->add_option("--limit", options->limit, "seconds for each file");
    limit->capture_default_str()->check(CLI::PositiveNumber);
    signatures->excludes(limit);
    command
        ->add_option("--backend", options->backends,
                     "with --signatures: judge on this backend, as fuzz takes it, instead; may be repeated")
        ->needs(signatures)
        ->allow_extra_args(false);
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, RecheckCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_recheck_command
