// jitprobe generate: programs from seeds.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <tuple>

#include "answers/metrics.h"
#include "app/command.h"
#include "app/range.h"
#include "app/terminal.h"
#include "campaign/common/internal_errors.h"
#include "campaign/common/tools.h"
#include "campaign/sources/harvest.h"
#include "campaign/sources/seed_source.h"
#include "codec/codec.h"
#include "codec/graph.h"
#include "core/files.h"
#include "seedgen/broken.h"
#include "seedgen/generate.h"
#include "seedgen/guided_run.h"

namespace jp::app::cmd_generate_command {
namespace {

struct Options {
  std::uint64_t count = 1;
  std::string operators = fmt::format("{}", seedgen::GenerateOptions{}.operators);
  std::string sizes;
  std::vector<std::string> dtypes;
  seedgen::GenerateOptions generate;  // all options but the three above
  std::optional<std::uint64_t> seed;
  std::string from = "generated";
  std::string with;
  std::string guide = "none";
  std::string as = "program";
  std::string out = "-";
  bool broken = false;
  bool metrics = false;
  bool json = false;
};

codec::Json row(const Program& program) {
  const Seed& seed = program.lineage().seed;
  codec::Json json = {{"seed", seed.seed}, {"sha256", program.sha256()}, {"source", program.source()}};
  if (seed.origin == Seed::Origin::kTable)
    json["table"] = seed.table;
  else
    json["operators"] = seed.operators;
  if (!seed.refused.empty()) json["refused"] = seed.refused;
  if (!seed.without.empty()) json["without"] = seed.without;
  return json;
}

/// Makes the program of a number.
using Maker = std::function<Result<Program>(std::uint64_t)>;

Status bound_dtypes(const std::vector<std::string>& names, seedgen::Bounds& bounds) {
  if (names.empty()) return Done{};
  bounds.dtypes = {};
  for (const std::string& name : names) {
    const std::optional<Dtype> dtype = parse_dtype(name);
    if (!dtype) return Error{fmt::format("there is no dtype '{}' (--dtypes): bool to complex128 can be", name)};
    bounds.dtypes = bounds.dtypes | seedgen::DtypeSet{*dtype};
  }
  return Done{};
}

Result<seedgen::GenerateOptions> generate_options(const Options& options) {
  seedgen::GenerateOptions generate = options.generate;
  Result<std::pair<int, int>> operators = parse_range("--ops", options.operators);
  if (!operators.ok()) return operators.error();
  std::tie(generate.operators, generate.most_operators) = operators.value();
  if (generate.operators == generate.most_operators) generate.most_operators = 0;
  if (!options.sizes.empty()) {
    Result<std::pair<int, int>> sizes = parse_range("--sizes", options.sizes);
    if (!sizes.ok()) return sizes.error();
    std::tie(generate.bounds.min_size, generate.bounds.max_size) = sizes.value();
  }
  if (Status fine = bound_dtypes(options.dtypes, generate.bounds); !fine.ok()) return fine.error();
  if (Status fine = seedgen::check_options(generate); !fine.ok()) return fine.error();
  if (!options.with.empty()) {
    auto with = load_harvested(options.with);
    if (!with.ok()) return with.error();
    generate.with = with.value()->without(MissingFunctions(generate.without));
    if (!generate.with) return Error{fmt::format("--without leaves nothing of the harvest in {}", options.with)};
  }
  return generate;
}

/// The guided run that --guide asks for; null without one.
std::shared_ptr<seedgen::GuidedRun> guided_run(const Options& options, const seedgen::GenerateOptions& generate) {
  return options.guide == "none" ? nullptr : std::make_shared<seedgen::GuidedRun>(generate);
}

answers::GraphMaker graphs_of(const Options& options, const seedgen::GenerateOptions& generate) {
  if (auto guided = guided_run(options, generate)) return [=](std::uint64_t seed) { return guided->graph(seed); };
  return [=](std::uint64_t seed) { return seedgen::generate_graph(seed, generate); };
}

Result<Maker> maker_of(const Options& options) {
  if (options.from == "generated") {
    Result<seedgen::GenerateOptions> made = generate_options(options);
    if (!made.ok()) return made.error();
    const seedgen::GenerateOptions generate = made.value();
    if (auto guided = guided_run(options, generate))
      return Maker([=](std::uint64_t seed) { return guided->program(seed); });
    const auto make = options.broken ? seedgen::generate_broken : seedgen::generate;
    return Maker([=](std::uint64_t seed) { return make(seed, generate); });
  }
  if (options.from != "tables" && !options.from.starts_with("tables:"))
    return Error{
        fmt::format("generate makes programs from generated, tables or tables:NAME, not from '{}'", options.from)};
  if (options.broken) return Error{"--broken goes with generated programs only"};
  SeedSourceResult seed_source = seed_source_of(options.from, {.fault_of = {}, .note = {}});
  if (!seed_source.ok()) return seed_source.error();
  return Maker([seed_source = seed_source.value()](std::uint64_t number) -> Result<Program> {
    if (number < *seed_source->size()) return seed_source->seed(number);
    return Error{
        fmt::format("{} has the programs 0 to {}, and no {}", seed_source->name(), *seed_source->size() - 1, number)};
  });
}

/// The seed of the first program; the number of the first one in a table.
Result<std::uint64_t> first_seed(const Options& options) {
  const std::uint64_t first = options.seed ? *options.seed : options.from == "generated" ? fresh_seed() : 0;
  if (options.count - 1 <= std::numeric_limits<std::uint64_t>::max() - first) return first;
  return Error{fmt::format("there are no {} seeds from {} on: take a smaller --seed", options.count, first)};
}

int print_metrics(const Options& options) {
  if (options.from != "generated" || options.broken) return cannot({"--metrics goes with generated programs only"});
  Result<seedgen::GenerateOptions> generate = generate_options(options);
  if (!generate.ok()) return cannot(generate.error());
  Result<std::uint64_t> first = first_seed(options);
  if (!first.ok()) return cannot(first.error());
  const seedgen::Metrics metrics =
      answers::measure_seeds(first.value(), options.count, generate.value(), graphs_of(options, generate.value()));
  put("{}", options.json ? codec::text(answers::json_of(metrics)) + "\n" : answers::render(metrics));
  return kDidItsWork;
}

// Standard output needs no folder.
Status make_out(const std::string& out) { return out == "-" ? Status{Done{}} : make_folder(out); }

// One object a line, or a file.
int write_graphs(const Options& options) {
  if (options.from != "generated" || options.broken || options.json)
    return cannot({"--as graph goes with generated programs, and without --json: it is JSON itself"});
  Result<seedgen::GenerateOptions> generate = generate_options(options);
  if (!generate.ok()) return cannot(generate.error());
  if (Status made = make_out(options.out); !made.ok()) return cannot(made.error());
  Result<std::uint64_t> first = first_seed(options);
  if (!first.ok()) return cannot(first.error());
  const answers::GraphMaker make = graphs_of(options, generate.value());
  for (std::uint64_t i = 0; i < options.count; ++i) {
    const std::uint64_t seed = first.value() + i;
    const codec::StoredGraph stored{
        .graph = make(seed), .seed = seed, .generator_version = seedgen::kGeneratorVersion, .texts = nullptr};
    const std::string text = codec::text(codec::to_json(stored)) + "\n";
    const std::string path = fmt::format("{}/graph_{}.json", options.out, seed);
    if (options.out == "-")
      put("{}", text);
    else if (Status written = write_file(path, text); !written.ok())
      return cannot(written.error());
    else
      put("{}\n", path);
  }
  return kDidItsWork;
}

int run(const Options& options) {
  if (!options.with.empty() && (options.from != "generated" || options.metrics || options.as != "program"))
    return cannot({"--with goes with generated programs, and not with --metrics or --as graph"});
  if (options.guide != "none" && (options.from != "generated" || options.broken || !options.with.empty()))
    return cannot({"--guide goes with generated programs, and not with --broken or --with"});
  if (options.metrics) return print_metrics(options);
  if (options.as == "graph") return write_graphs(options);
  Result<Maker> maker = maker_of(options);
  if (!maker.ok()) return cannot(maker.error());
  Result<std::uint64_t> begin = first_seed(options);
  if (!begin.ok()) return cannot(begin.error());
  const std::uint64_t first = begin.value();
  bool to_folder = options.out != "-";
  if (Status made = make_out(options.out); !made.ok()) return cannot(made.error());
  codec::Json rows = codec::Json::array();
  for (std::uint64_t i = 0; i < options.count; ++i) {
    break_if_asked("generate", first + i);
    Result<Program> program = maker.value()(first + i);
    if (!program.ok()) return cannot(program.error());
    if (options.json) rows.push_back(row(program.value()));
    if (to_folder) {
      std::string path = fmt::format("{}/program_{}.py", options.out, first + i);
      if (Status written = write_file(path, program.value().source()); !written.ok()) return cannot(written.error());
      if (!options.json) put("{}\n", path);
    } else if (!options.json) {
      if (options.count > 1) put("{}# program {} of {}: seed {}\n", i ? "\n" : "", i + 1, options.count, first + i);
      put("{}", program.value().source());
    }
  }
  if (options.json) put("{}\n", codec::text(rows));
  return kDidItsWork;
}

class GenerateCommand : public Command {
 public:
  std::string_view name() const override { return "generate"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("generate", "make programs from seeds, without running them");
    command->footer("example: jitprobe generate --seed 7 --count 3 --ops 10 --out -");
    command->add_option("--count", options->count, "how many, of seeds S, S+1, ... (1)")
        ->check(CLI::Range(1, 100000000));
    command->add_option("--ops", options->operators,
                        "operator calls in each program, or LOW:HIGH for a number that each seed draws (20)");
    command->add_option("--max-rank", options->generate.bounds.max_rank, "largest rank of tensors that operators read")
        ->check(CLI::Range(0, seedgen::kMaxRank));
    command->add_option("--sizes", options->sizes, "LOW:HIGH: the sizes of dimensions that operators read");
    command
        ->add_option("--dtypes", options->dtypes,
                     "dtypes of arguments (comma-separated), if the operator supports one of them")
        ->delimiter(',');
    command->add_option("--operators", options->generate.only, "draw only these operators (comma-separated)")
        ->delimiter(',');
    command
        ->add_option("--without", options->generate.without,
                     "what a torch lacks and programs therefore leave out (comma-separated): operators, and functions "
                     "like torch.qr or Tensor.qr")
        ->delimiter(',');
    command
        ->add_option("--reuse-rate", options->generate.reuse_rate,
                     "how often an input is a live value, if one fits, instead of a new argument")
        ->capture_default_str()
        ->check(CLI::Range(0.0, 1.0));
    command->add_option("--seed", options->seed,
                        "seed of the first program (random by default), or its number in the table (0 by default)");
    command->add_option("--from", options->from, "generated (default), tables or tables:NAME");
    command->add_option("--with", options->with, "a folder that harvest wrote: the programs contain its calls, too");
    command
        ->add_option(
            "--guide", options->guide,
            "draw each program for what the ones before it have not covered: none (default), paths (operators with "
            "dtypes and shapes, edges, paths of three operators)")
        ->check(CLI::IsMember({"none", "paths"}));
    command->add_option("--as", options->as, "program (default), or graph: as JSON, which import takes")
        ->check(CLI::IsMember({"program", "graph"}));
    command->add_option("--out", options->out, "a folder for the files, or - for standard output (default)");
    command->add_flag("--broken", options->broken,
                      "break one constraint of the last call on purpose (see list broken-rules)");
    command->add_flag("--metrics", options->metrics,
                      "print how varied the programs are, by Isra's eleven metrics, instead of the programs");
    command->add_flag("--json", options->json, "one JSON array of objects with seed and source");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, GenerateCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_generate_command
