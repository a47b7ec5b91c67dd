// jitprobe import: existing models and graphs as straight-line programs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <memory>

#include "app/command.h"
#include "app/terminal.h"
#include "campaign/common/tools.h"
#include "codec/codec.h"
#include "codec/graph.h"
#include "core/files.h"
#include "mutate/syntax/syntax.h"
#include "pyrunner/attached.h"
#include "seedgen/text/check_graph.h"

namespace jp::app::cmd_import_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> files;
  std::string out = "-";
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::uint64_t seed = 0;
};

bool is_graph(const std::string& file) { return fs::path(file).extension() == ".json"; }

/// What `generate` prints for the graph in a file.
Result<std::string> printed_graph(const std::string& file) {
  Result<std::string> text = read_file(file);
  if (!text.ok()) return text.error();
  Result<codec::Json> json = codec::parse_text(text.value());
  if (!json.ok()) return Error{fmt::format("{}: {}", file, json.error().message)};
  Result<codec::StoredGraph> stored = codec::read_graph(json.value());
  if (!stored.ok()) return Error{fmt::format("{}: {}", file, stored.error().message)};
  const Graph& graph = stored.value().graph;
  if (Status fine = seedgen::check_graph(graph); !fine.ok())
    return Error{fmt::format("{}: {}", file, fine.error().message)};
  Result<Program> program = Program::make(seedgen::emit_seed(graph, stored.value().seed), {});
  if (!program.ok()) return Error{fmt::format("{}: {}", file, program.error().message)};
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return Error{fmt::format("{}: as a program it {}", file, parsed.error().message)};
  return program.value().source();
}

/// Where the program of a file is written: `out` itself, or into it if it is a folder.
std::string target_of(const std::string& file, const std::string& out) {
  std::error_code error;
  if (!out.ends_with('/') && !fs::is_directory(out, error)) return out;
  return (fs::path(out) / fs::path(file).stem()).string() + ".py";
}

Status import_graph(const std::string& file, const std::string& out) {
  Result<std::string> text = printed_graph(file);
  if (!text.ok()) return text.error();
  if (out == "-") {
    put("{}", text.value());
    return Done{};
  }
  const std::string target = target_of(file, out);
  if (Status written = write_file(target, text.value()); !written.ok()) return written;
  put("{}: the program of its graph\n", target);
  return Done{};
}

/// Runs pyrunner/importing/main.py in the Python whose torch is under test, for everything but graphs.
int import_models(const Options& options, const std::vector<std::string>& files) {
  Result<pyrunner::RunnerOptions> paths = runner_options({});
  if (!paths.ok()) return cannot(paths.error());
  std::vector<std::string> command = {paths.value().python, paths.value().runtime_dir + "/importing/main.py"};
  command.insert(command.end(), {"--out", options.out, "--entry", options.entry, "--inputs", options.inputs});
  command.insert(command.end(), {"--seed", fmt::to_string(options.seed), "--"});
  command.insert(command.end(), files.begin(), files.end());
  std::fflush(stdout);
  Result<int> status = pyrunner::run_attached(command);
  if (!status.ok()) return cannot(status.error());
  if (status.value() >= kDidItsWork && status.value() <= kCannot) return status.value();
  return cannot({fmt::format("importing ended with status {}", status.value())});
}

/// An Error if a file would be written over one that is imported, or two into one place.
Status check_targets(const Options& options) {
  if (options.out == "-") return Done{};
  std::map<std::string, std::string> files;  // by what is written of them
  std::error_code error;
  for (const std::string& file : options.files) {
    const std::string target = fs::path(target_of(file, options.out)).lexically_normal().string();
    if (const auto [other, fresh] = files.emplace(target, file); !fresh)
      return Error{fmt::format("{} and {} would both be written to {}: import them into folders of their own",
                               other->second, file, target)};
    if (!fs::exists(target, error)) continue;
    for (const std::string& other : options.files)
      if (fs::equivalent(other, target, error))
        return Error{fmt::format("{} would be overwritten: name another place with --out", other)};
  }
  return Done{};
}

int run(const Options& options) {
  std::error_code error;
  if (options.files.size() > 1 && !options.out.ends_with('/') && !fs::is_directory(options.out, error))
    return cannot({"several files need a folder for their programs: name one with --out FOLDER/"});
  if (options.out.ends_with('/'))
    if (Status made = make_folder(options.out); !made.ok()) return cannot(made.error());
  if (Status can = check_targets(options); !can.ok()) return cannot(can.error());
  std::vector<std::string> models;
  for (const std::string& file : options.files) {
    if (!is_graph(file))
      models.push_back(file);
    else if (Status done = import_graph(file, options.out); !done.ok())
      return cannot(done.error());
  }
  return models.empty() ? kDidItsWork : import_models(options, models);
}

class ImportCommand : public Command {
 public:
  std::string_view name() const override { return "import"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "import",
        "make straight-line programs of models (.onnx, .pt2, program files) and graphs (.json): exit 1 if a program's "
        "results differ from its file's");
    command->footer("example: jitprobe import model.pt2 --out mine.py && jitprobe fuzz --from mine.py");
    command->add_option("files", options->files, "files to import; the extension says what they are")->required();
    command->add_option("--out", options->out, "a file, a folder (ending in /), or - for standard output");
    command->add_option("--entry", options->entry, "of program files: the function or module to flatten");
    command->add_option("--inputs", options->inputs, "of program files: the function that makes the arguments");
    command->add_option("--seed", options->seed, "seed of arguments that a file doesn't contain (0)");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, ImportCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_import_command
