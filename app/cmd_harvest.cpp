// jitprobe harvest: programs from calls of torch that other code makes, and the order in which to run them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "campaign/known/known.h"
#include "campaign/sources/harvest.h"
#include "codec/codec.h"
#include "core/files.h"
#include "pyrunner/attached.h"

namespace jp::app::cmd_harvest_command {
namespace {

namespace fs = std::filesystem;

constexpr int kMostSamples = 100000;

struct Options {
  std::string out;
  int samples = 0;
  std::vector<std::string> only;
  std::string dtypes;
  std::vector<std::string> command;
  std::string folder;
  std::string by{seedgen::order_name(seedgen::kDefaultOrder)};
  std::uint64_t seed = 0;
  bool json = false;
};

/// Runs pyrunner/harvest/main.py in the Python whose torch is under test.
int harvest(const Options& options, std::vector<std::string> words, const std::vector<std::string>& last) {
  // Checked early: importing torch takes seconds.
  if (Status made = make_folder(options.out); !made.ok()) return cannot(made.error());
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return cannot(paths.error());
  std::vector<std::string> command = {paths.value().python, paths.value().runtime_dir + "/harvest/main.py"};
  command.insert(command.end(), words.begin(), words.end());
  command.insert(command.end(), {"--out", options.out, "--samples", fmt::to_string(options.samples)});
  if (options.json) command.emplace_back("--json");
  command.insert(command.end(), last.begin(), last.end());
  std::fflush(stdout);
  Result<int> status = pyrunner::run_attached(command);
  if (!status.ok()) return cannot(status.error());
  if (status.value() == kDidItsWork || status.value() == kCannot) return status.value();
  return cannot({fmt::format("harvesting ended with status {}", status.value())});
}

int harvest_opinfo(const Options& options) {
  std::vector<std::string> words = {"opinfo"};
  for (const std::string& name : options.only) words.insert(words.end(), {"--only", name});
  if (!options.dtypes.empty()) words.insert(words.end(), {"--dtypes", options.dtypes});
  return harvest(options, words, {});
}

int harvest_run(const Options& options) {
  if (options.command.empty())
    return cannot({"harvest run needs a command after --, for example: jitprobe harvest run -- python -m pytest -q"});
  std::vector<std::string> last = {"--"};
  last.insert(last.end(), options.command.begin(), options.command.end());
  return harvest(options, {"run"}, last);
}

Status copy_in_order(const Options& options, const std::vector<seedgen::Instance>& ordered) {
  if (Status status = make_folder(options.out); !status.ok()) return status;
  std::error_code error;
  if (!fs::is_empty(options.out, error))
    return Error{fmt::format("the folder {} is not empty: name another with --out", options.out)};
  const std::size_t digits = fmt::to_string(ordered.size()).size();
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    const std::string name = fs::path(ordered[i].file).filename().string();
    const std::string path = fmt::format("{}/{:0{}}_{}", options.out, i, digits, name);
    Result<std::string> text = read_file(options.folder + "/" + name);
    if (!text.ok()) return text.error();
    if (Status written = write_file(path, text.value()); !written.ok()) return written;
  }
  return Done{};
}

int harvest_order(const Options& options) {
  Result<std::string> corpus = corpus_folder();
  if (!corpus.ok()) return cannot(corpus.error());
  auto ordered = ordered_harvest(options.folder, corpus.value(), *seedgen::order_of(options.by), options.seed);
  if (!ordered.ok()) return cannot(ordered.error());
  if (!options.out.empty())
    if (Status copied = copy_in_order(options, ordered.value()); !copied.ok()) return cannot(copied.error());
  codec::Json files = codec::Json::array();
  for (const seedgen::Instance& instance : ordered.value()) {
    files.push_back({{"file", instance.file}, {"operator", instance.op}});
    if (!options.json) put("{}\n", instance.file);
  }
  if (options.json) put("{}\n", codec::text({{"by", options.by}, {"instances", std::move(files)}}));
  return kDidItsWork;
}

void attach_opinfo(CLI::App& parent, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->out = "harvested/opinfo";
  options->samples = 16;
  CLI::App* command = parent.add_subcommand("opinfo", "samples of torch's operator database");
  command->footer("example: jitprobe harvest opinfo --only add,cat,linalg.norm --samples 4");
  command->add_option("--out", options->out, "the folder for the programs (harvested/opinfo)");
  command->add_option("--only", options->only, "these operators, by the database's names; may be repeated")
      ->delimiter(',')
      ->allow_extra_args(false);
  command->add_option("--samples", options->samples, "different samples of an operator and dtype (16); 0: all")
      ->check(CLI::Range(0, kMostSamples));
  command->add_option("--dtypes", options->dtypes,
                      "in these dtypes where an operator takes them, for example float32,int64,bool (by default in "
                      "float32, else in the first that it takes)");
  command->add_flag("--json", options->json, "one JSON object");
  command->callback([options, &exit_code] { exit_code = harvest_opinfo(*options); });
}

void attach_run(CLI::App& parent, int& exit_code) {
  auto options = std::make_shared<Options>();
  options->out = "harvested/run";
  options->samples = 64;
  CLI::App* command = parent.add_subcommand("run", "calls that any Python command makes of torch");
  command->footer("example: jitprobe harvest run --out mine -- python -m pytest -q tests/");
  command->add_option("--out", options->out, "the folder for the programs (harvested/run)");
  command->add_option("--samples", options->samples, "different calls of an operator and process (64); 0: all")
      ->check(CLI::Range(0, kMostSamples));
  command->add_flag("--json", options->json, "one JSON object; what the command prints goes to standard error");
  command->add_option("command", options->command, "the command and its words, after --");
  command->callback([options, &exit_code] { exit_code = harvest_run(*options); });
}

void attach_order(CLI::App& parent, int& exit_code) {
  auto options = std::make_shared<Options>();
  CLI::App* command = parent.add_subcommand("order", "a harvest's programs, the most informative first");
  command->footer(
      "example: jitprobe harvest order harvested/opinfo --by opera --out ordered && jitprobe fuzz --from ordered");
  command->add_option("folder", options->folder, "a folder that harvest wrote")->required();
  std::vector<std::string> names;
  for (const seedgen::OrderBy by : seedgen::all_orders()) names.emplace_back(seedgen::order_name(by));
  command->add_option("--by", options->by, fmt::format("{} ({} by default)", fmt::join(names, ", "), options->by))
      ->check(CLI::IsMember(names));
  command->add_option("--seed", options->seed, "of the random order (0)");
  command->add_option("--out", options->out, "copy the programs into this folder, their place before their names");
  command->add_flag("--json", options->json, "one JSON object");
  command->callback([options, &exit_code] { exit_code = harvest_order(*options); });
}

class HarvestCommand : public Command {
 public:
  std::string_view name() const override { return "harvest"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    CLI::App* command = parent.add_subcommand("harvest", "make programs from calls of torch in other code");
    command->require_subcommand(1);
    command->footer("example: jitprobe harvest opinfo && jitprobe fuzz --from harvested/opinfo");
    attach_opinfo(*command, exit_code);
    attach_run(*command, exit_code);
    attach_order(*command, exit_code);
  }
};

const Register<Command, HarvestCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_harvest_command
