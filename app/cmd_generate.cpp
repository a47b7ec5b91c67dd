// jitprobe generate: programs from seeds.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"

namespace jp::app {
namespace {

struct Options {
  std::uint64_t count = 1;
  int operators = seedgen::GenerateOptions{}.operators;
  double reuse_rate = seedgen::GenerateOptions{}.reuse_rate;
  std::optional<std::uint64_t> seed;
  std::string out = "-";
  bool broken = false;
  bool json = false;
};

codec::Json row(const Program& program) {
  return {{"seed", program.lineage().seed.seed},
          {"operators", program.lineage().seed.operators},
          {"sha256", program.sha256()},
          {"source", program.source()}};
}

int run(const Options& options) {
  seedgen::GenerateOptions generate{.operators = options.operators, .reuse_rate = options.reuse_rate};
  std::uint64_t first = options.seed ? *options.seed : fresh_seed();
  bool to_folder = options.out != "-";
  if (to_folder) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) return cannot({fmt::format("can't make the folder {}: {}", options.out, error.message())});
  }
  codec::Json rows = codec::Json::array();
  for (std::uint64_t i = 0; i < options.count; ++i) {
    Result<Program> program =
        options.broken ? seedgen::generate_broken(first + i, generate) : seedgen::generate(first + i, generate);
    if (!program.ok()) return cannot(program.error());
    if (options.json) rows.push_back(row(program.value()));
    if (to_folder) {
      std::string path = fmt::format("{}/program_{}.py", options.out, first + i);
      if (Status written = write_file(path, program.value().source()); !written.ok()) return cannot(written.error());
      if (!options.json) fmt::print("{}\n", path);
    } else if (!options.json) {
      if (options.count > 1)
        fmt::print("{}# program {} of {}: seed {}\n", i ? "\n" : "", i + 1, options.count, first + i);
      fmt::print("{}", program.value().source());
    }
  }
  if (options.json) fmt::print("{}\n", codec::text(rows));
  return kDidItsWork;
}

class GenerateCommand : public Command {
 public:
  std::string_view name() const override { return "generate"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("generate", "make programs from seeds, without running them");
    command->footer("example: jitprobe generate --seed 7 --count 3 --ops 10 --out -");
    command->add_option("--count", options->count, "how many, of seeds S, S+1, ...")->check(CLI::Range(1, 100000000));
    command->add_option("--ops", options->operators, "operator calls in each program")
        ->check(CLI::Range(1, seedgen::kMaxOperators));
    command->add_option("--reuse-rate", options->reuse_rate, "how often an input is a live value where one fits")
        ->check(CLI::Range(0.0, 1.0));
    command->add_option("--seed", options->seed, "seed of the first program (random by default)");
    command->add_option("--out", options->out, "a folder for the files, or - for standard output");
    command->add_flag("--broken", options->broken,
                      "one call more, which breaks a rule of torch's on purpose (see list broken-rules)");
    command->add_flag("--json", options->json, "one JSON array of objects with seed and source");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, GenerateCommand> registered;

}  // namespace
}  // namespace jp::app
