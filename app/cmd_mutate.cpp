// jitprobe mutate: lists, applies and draws mutations of one program by hand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "answers/sites.h"
#include "answers/steps.h"
#include "app/command.h"
#include "app/interactive.h"
#include "app/mutation_flags.h"
#include "app/terminal.h"
#include "campaign/common/exactness.h"
#include "campaign/common/tools.h"
#include "campaign/making/step.h"
#include "codec/codec.h"
#include "core/files.h"
#include "mutate/engine/donor.h"
#include "mutate/engine/engine.h"
#include "report/diff.h"

namespace jp::app::cmd_mutate_command {
namespace {

struct Options {
  std::string file;
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::string donor;
  bool list = false;
  bool interactive = false;
  std::vector<std::string> apply;
  std::uint64_t random = 0;
  std::string exactness = "bitwise";
  MutationFlags drawn;
  std::optional<std::uint64_t> seed;
  bool diff = false;
  bool check = false;
  bool print_lineage = false;
  std::string lineage;
  bool json = false;
};

/// A runner for profile runs only.
Result<std::unique_ptr<pyrunner::Runner>> start_runner() {
  Result<pyrunner::RunnerOptions> options = runner_options({"plain"});
  if (!options.ok()) return options.error();
  return pyrunner::Runner::start(options.value());
}

void print_result(const Options& options, const mutate::Parsed& base, const mutate::Parsed& made) {
  if (options.print_lineage) {
    for (const std::string& step : answers::placed(made.program().lineage().steps)) put("{}\n", step);
  } else if (options.diff) {
    print_painted([&](bool colour) { return report::unified_diff(base.source(), made.source(), colour); });
  } else if (options.json) {
    put("{}\n", codec::text(codec::to_json(made.program())));
  } else {
    put("{}", made.source());
  }
}

/// Prints what answers::sites_json gives.
int list(const mutate::Parsed& parsed, const Facts& facts, bool json) {
  const codec::Json rows = answers::sites_json(parsed, facts);
  if (json) {
    put("{}\n", codec::text(rows));
    return kDidItsWork;
  }
  const auto text = [](const codec::Json& row, const char* key) { return row[key].get<std::string>(); };
  for (const codec::Json& row : rows)
    put("{:>5}  {:<40}  {:<9}  {}\n", row["line"].get<int>(), text(row, "apply"), text(row, "exactness"),
        text(row, "example"));
  return kDidItsWork;
}

/// The steps of a lineage, then those of --apply; their mutations must exist.
Result<std::vector<std::string>> given_steps(const Options& options) {
  std::vector<std::string> steps;
  if (!options.lineage.empty()) {
    Result<std::string> text = read_file(options.lineage);
    if (!text.ok()) return text.error();
    Result<std::vector<std::string>> read = answers::read_lineage(text.value());
    if (!read.ok()) return Error{fmt::format("{}: {}", options.lineage, read.error().message)};
    steps = std::move(read).value();
  }
  for (const std::string& text : options.apply) {
    if (Result<mutate::WrittenStep> step = answers::read_step(text); !step.ok()) return step.error();
    steps.push_back(text);
  }
  return steps;
}

/// The given steps and those of --random, one after the other.
Result<Profiled> make_steps(const Options& options, const std::vector<std::string>& steps,
                            const mutate::Weights& weights, pyrunner::Runner& runner, Profiled made) {
  const Choices choices(options.seed ? *options.seed : fresh_seed());
  bool known = true;  // whether the facts are those of the program: a step that records its draws needs none
  auto refresh = [&]() -> Status {
    if (std::exchange(known, true)) return Done{};
    Result<Profiled> shown = profile(runner, std::move(made.parsed));
    if (!shown.ok()) return shown.error();
    made = std::move(shown).value();
    return Done{};
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].empty()) continue;
    Result<mutate::WrittenStep> written = answers::read_step(steps[i]);
    if (!written.ok()) return written.error();
    if (!written.value().has_draws) {
      if (Status fresh = refresh(); !fresh.ok()) return fresh.error();
      if (answers::needs_moved(written.value())) made.facts.moved = moved_facts(runner, made.parsed);
    }
    Result<mutate::Parsed> next =
        answers::apply_written(made.parsed, made.facts, steps[i], written.value(), choices.fork("apply", i));
    if (next.ok()) next = answers::renumbered(made.parsed, next.value(), static_cast<int>(i));
    if (!next.ok()) return next.error();
    made.parsed = std::move(next).value();
    known = false;
  }
  if (Status fresh = refresh(); !fresh.ok()) return fresh.error();
  for (std::uint64_t i = 0; i < options.random; ++i) {
    Choices step_choices = choices.fork("step", i);
    if (std::optional<Profiled> next = checked_step(runner, made, step_choices, weights)) made = std::move(*next);
  }
  return made;
}

int check(const Profiled& base, const Profiled& made) {
  if (made.parsed.program().lineage().steps.size() == base.parsed.program().lineage().steps.size()) {
    fmt::print(
        stderr,
        "no step was made, so nothing was checked: there is no site, or --exactness leaves out what --only names\n");
    return kDidItsWork;
  }
  const mutate::Exactness exactness = answers::promised(made.parsed);
  std::string broken = broken_promise(exactness, base.observation, made.observation);
  fmt::print(stderr, "{} in eager: {}\n", mutate::exactness_name(exactness),
             broken.empty() ? "holds" : for_errors(broken));
  return broken.empty() ? kDidItsWork : kFound;
}

/// A program file with its eager profile, with `entry` and `inputs` of the command line.
Result<Profiled> load_profiled(const Options& options, const std::string& file, pyrunner::Runner& runner) {
  Result<Program> program = load_program(file, options.entry, options.inputs);
  if (!program.ok()) return program.error();
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return Error{fmt::format("{} {}", file, parsed.error().message)};
  return profile(runner, std::move(parsed).value());
}

int explore(const Options& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return cannot(program.error());
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return cannot({fmt::format("{} {}", options.file, parsed.error().message)});
  return interactive(parsed.value(), options.seed ? *options.seed : fresh_seed());
}

int run(const Options& options) {
  if (options.interactive) return explore(options);
  // Checked early: starting a runner takes seconds.
  for (const std::string& file : {options.file, options.donor})
    if (Result<std::string> text = file.empty() ? Result<std::string>("") : read_file(file); !text.ok())
      return cannot(text.error());
  Result<std::vector<std::string>> steps = given_steps(options);
  if (!steps.ok()) return cannot(steps.error());
  Result<mutate::Weights> drawn = weights(options.drawn, options.exactness);
  if (!drawn.ok()) return cannot(drawn.error());
  Result<std::unique_ptr<pyrunner::Runner>> runner = start_runner();
  if (!runner.ok()) return cannot(runner.error());
  Result<Profiled> base = load_profiled(options, options.file, *runner.value());
  if (!base.ok()) return cannot(base.error());
  if (!options.donor.empty()) {
    Result<Profiled> donor = load_profiled(options, options.donor, *runner.value());
    if (!donor.ok()) return cannot(donor.error());
    base.value().parsed = base.value().parsed.with_donor(std::make_shared<const mutate::Donor>(
        mutate::Donor{std::move(donor.value().parsed), std::move(donor.value().facts)}));
  }
  if (options.list) return list(base.value().parsed, base.value().facts, options.json);
  Result<Profiled> made = make_steps(options, steps.value(), drawn.value(), *runner.value(), base.value());
  if (!made.ok()) return cannot(made.error());
  print_result(options, base.value().parsed, made.value().parsed);
  return options.check ? check(base.value(), made.value()) : kDidItsWork;
}

class MutateCommand : public Command {
 public:
  std::string_view name() const override { return "mutate"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("mutate", "list, apply or draw mutations of a program file");
    command->footer("example: jitprobe mutate program.py --random 3 --seed 1 --diff");
    command->add_option("file", options->file, "a program file")->required();
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    CLI::Option* list = command->add_flag("--list", options->list, "print every site of every mutation");
    CLI::Option* apply =
        command->add_option("--apply", options->apply, "steps to make, in order: ID@SITE or ID@SITE=DRAWS")
            ->excludes(list);
    CLI::Option* random =
        command->add_option("--random", options->random, "how many steps to draw (after --apply)")->excludes(list);
    command->add_option("--seed", options->seed, "seed of the draws (random by default)");
    command
        ->add_option("--exactness", options->exactness,
                     "what --random may do to the result: bitwise (nothing), rounding, variation (a new program)")
        ->capture_default_str()
        ->check(CLI::IsMember({"bitwise", "rounding", "variation"}));
    add_flags(*command, options->drawn);
    CLI::Option* donor =
        command->add_option("--donor", options->donor, "a program file that splice takes statements from");
    CLI::Option* diff =
        command->add_flag("--diff", options->diff, "print the difference instead of the program")->excludes(list);
    CLI::Option* lineage = command
                               ->add_option("--lineage", options->lineage,
                                            "print the steps, one a line; with a FILE of such lines make them first")
                               ->type_name("[FILE]")
                               ->expected(0, 1)
                               ->excludes(list);
    CLI::Option* check =
        command
            ->add_flag("--check", options->check, "check in eager whether the promised exactness holds; exit 1 if not")
            ->excludes(list);
    CLI::Option* json = command->add_flag("--json", options->json, "sites or program as JSON");
    command
        ->add_flag("--interactive", options->interactive,
                   "mutate step by step: commands from the terminal or a pipe (help lists them)")
        ->excludes(list, apply, random, lineage, donor, diff, check, json);
    command->callback([=, &exit_code] {
      options->print_lineage = !lineage->empty() && options->lineage.empty();
      if (!options->list && !options->interactive && apply->empty() && random->empty() && options->lineage.empty())
        throw CLI::RequiredError("one of --list, --apply, --random, --lineage FILE and --interactive");
      exit_code = run(*options);
    });
  }
};

const Register<Command, MutateCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_mutate_command
