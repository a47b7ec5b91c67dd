// jitprobe generate: programs from seeds.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <memory>

#include "app/command.h"
#include "app/door.h"
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
  std::string from = "generated";
  std::string out = "-";
  bool broken = false;
  bool json = false;
};

codec::Json row(const Program& program) {
  const Seed& seed = program.lineage().seed;
  codec::Json json = {{"seed", seed.seed}, {"sha256", program.sha256()}, {"source", program.source()}};
  if (seed.door == Seed::Door::kTable)
    json["table"] = seed.table;
  else
    json["operators"] = seed.operators;
  return json;
}

/// Makes the program of a number.
using Maker = std::function<Result<Program>(std::uint64_t)>;

Result<Maker> maker_of(const Options& options) {
  if (options.from == "generated") {
    const seedgen::GenerateOptions generate{.operators = options.operators, .reuse_rate = options.reuse_rate};
    const auto make = options.broken ? seedgen::generate_broken : seedgen::generate;
    return Maker([=](std::uint64_t seed) { return make(seed, generate); });
  }
  if (options.from != "tables" && !options.from.starts_with("tables:"))
    return Error{
        fmt::format("generate makes programs from generated, tables or tables:NAME, not from '{}'", options.from)};
  if (options.broken) return Error{"--broken goes with generated programs only"};
  DoorResult door = door_of(options.from, {.fault_of = {}, .note = {}});
  if (!door.ok()) return door.error();
  return Maker([door = door.value()](std::uint64_t number) -> Result<Program> {
    if (number < *door->size()) return door->seed(number);
    return Error{fmt::format("{} has the programs 0 to {}, and no {}", door->name(), *door->size() - 1, number)};
  });
}

int run(const Options& options) {
  Result<Maker> maker = maker_of(options);
  if (!maker.ok()) return cannot(maker.error());
  const bool generated = options.from == "generated";
  std::uint64_t first = options.seed ? *options.seed : generated ? fresh_seed() : 0;
  bool to_folder = options.out != "-";
  if (to_folder) {
    std::error_code error;
    std::filesystem::create_directories(options.out, error);
    if (error) return cannot({fmt::format("can't make the folder {}: {}", options.out, error.message())});
  }
  codec::Json rows = codec::Json::array();
  for (std::uint64_t i = 0; i < options.count; ++i) {
    Result<Program> program = maker.value()(first + i);
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
    command->add_option("--seed", options->seed,
                        "seed of the first program (random by default), or its number in the table (0 by default)");
    command->add_option("--from", options->from, "generated (default), tables or tables:NAME");
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
