// jitprobe recheck: runs every known bug, every trophy and a campaign's findings again, each by itself in a new
// interpreter, and says what is still there. It also writes what heads of known bugs say of a torch.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/known/known.h"
#include "campaign/known/known_avoid.h"
#include "campaign/known/known_form.h"
#include "campaign/known/known_signatures.h"
#include "campaign/start_probes.h"
#include "codec/codec.h"
#include "oracle/signature/signature.h"
#include "pyrunner/standalone.h"
#include "pyrunner/temporary.h"
#include "report/files.h"
#include "report/known_head.h"
#include "report/store.h"

namespace jp::app {
namespace {

namespace fs = std::filesystem;

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

/// A file to run, and what is said of it.
struct File {
  std::string path;
  Recheck recheck;
  report::KnownBug bug;  // of the corpus; else empty
};

Status add_corpus(const std::string& corpus, std::vector<File>& files) {
  for (const char* set : {"known", "trophies"}) {
    const std::string folder = corpus + "/" + set;
    Result<std::vector<report::KnownBug>> known = report::load_known(folder);
    if (!known.ok()) return known.error();
    for (const report::KnownBug& bug : known.value())
      files.push_back({fmt::format("{}/{}.py", folder, bug.name),
                       {.name = bug.name, .set = set, .link = bug.link, .state = bug.state},
                       bug});
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
                       {.name = row.id, .set = "findings", .link = "", .state = "open"},
                       {}});
  return Done{};
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

Result<std::vector<File>> files_of(const Options& options) {
  std::vector<File> files;
  Result<std::string> corpus = options.corpus.empty() ? corpus_folder() : Result<std::string>(options.corpus);
  if (!corpus.ok()) return corpus.error();
  if (Status added = add_corpus(corpus.value(), files); !added.ok()) return added.error();
  if (!options.campaign.empty())
    if (Status added = add_findings(options.campaign, files); !added.ok()) return added.error();
  if (files.empty()) return Error{fmt::format("there is nothing to run again in {}", corpus.value())};
  if (options.names.empty()) return files;
  std::vector<File> named;
  for (const std::string& name : options.names) {
    const auto found = std::find_if(files.begin(), files.end(), [&](const File& file) {
      return file.recheck.name == name || file.recheck.name + ".py" == fs::path(name).filename();
    });
    if (found == files.end()) return Error{fmt::format("there is no {} in {}", name, corpus.value())};
    named.push_back(*found);
  }
  return named;
}

/// What the run said goes into the head of a file of the corpus; what could not be judged changes nothing.
Status update_head(const File& file, const std::string& release) {
  const Again again = file.recheck.again();
  if (file.bug.text.empty() || again == Again::kChanged) return Done{};
  const std::string text = report::with_release(file.bug, release, again == Again::kThere);
  return text == file.bug.text ? Status(Done{}) : write_file(file.path, text);
}

int recheck(const Options& options, std::vector<File> files) {
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return cannot(paths.error());
  Result<pyrunner::TemporaryFolder> folder = pyrunner::TemporaryFolder::make("recheck");
  if (!folder.ok()) return cannot(folder.error());
  pyrunner::Standalone standalone = pyrunner::beside(paths.value(), folder.value().path() + "/run");
  if (!options.python.empty()) standalone.python = options.python;
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
  for (File& file : files) {
    if (Status ran = run_file(standalone, file); !ran.ok()) return cannot(ran.error());
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

/// The lines `avoid:` of a file's head that don't do what they say: its own program must agree under each.
std::vector<std::string> idle_avoids(pyrunner::Runner& runner, const File& file,
                                     const std::vector<report::KnownSignature>& signatures) {
  std::vector<std::string> sentences;
  const Result<Program> program = known_program(file.bug.name, file.bug.text);
  for (const std::string& avoid : file.bug.avoid) {
    for (const report::KnownSignature& signature : signatures) {
      const UnderAvoid under =
          under_avoid(runner, need_oracle("eager_vs_compiled"), program.value(), {.backend = signature.backend}, avoid);
      if (under.kind != UnderAvoid::Kind::kAgrees)
        sentences.push_back(fmt::format("{}.py: under '{}' its program does not agree on {}: {}", file.bug.name, avoid,
                                        signature.backend, under.reason));
    }
  }
  return sentences;
}

int write_signatures(const std::vector<std::string>& asked, const std::vector<File>& files) {
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
  bool all = true;
  const auto complain = [&](const std::string& sentence) {
    all = false;
    put("{}\n", sentence);
    std::fflush(stdout);
  };
  for (const File& file : files) {
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
    std::fflush(stdout);
  }
  if (runner.value()->failure()) return cannot(*runner.value()->failure());
  return all ? kDidItsWork : kFound;
}

int run(const Options& options) {
  Result<std::vector<File>> files = files_of(options);
  if (!files.ok()) return cannot(files.error());
  return options.signatures ? write_signatures(options.backends, files.value())
                            : recheck(options, std::move(files).value());
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
    command->add_flag("--json", options->json, "one JSON object");
    command->add_option("names", options->names, "run these files only (all by default)");
    CLI::Option* update =
        command->add_flag("--update", options->update,
                          "write what each known bug and trophy says on this torch into its head (here, gone)");
    CLI::Option* signatures =
        command
            ->add_flag("--signatures", options->signatures,
                       "instead, judge the program of each known bug and trophy on every rung of the ladder and write "
                       "the signatures of what it shows into its head; exit 1 when one shows nothing, or an avoid line "
                       "does not make it agree")
            ->excludes(update)
            ->excludes("--python")
            ->excludes("--campaign")
            ->excludes("--json");
    command
        ->add_option("--backend", options->backends,
                     "with --signatures: judge on this backend, as fuzz takes it, instead; may be repeated")
        ->needs(signatures)
        ->allow_extra_args(false);
    command->add_option("--limit", options->limit, "seconds for each file")->check(CLI::PositiveNumber);
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, RecheckCommand> registered;

}  // namespace
}  // namespace jp::app
