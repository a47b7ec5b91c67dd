// jitprobe mutate: lists, applies and draws mutations of one program by hand.
#include <fmt/format.h>

#include <memory>

#include "app/command.h"
#include "app/diff.h"
#include "app/exactness.h"
#include "app/step.h"
#include "app/tools.h"
#include "codec/codec.h"
#include "mutate/engine.h"

namespace jp::app {
namespace {

struct Options {
  std::string file;
  std::string entry = "program";
  std::string inputs = "make_inputs";
  bool list = false;
  std::vector<std::string> apply;
  std::uint64_t random = 0;
  std::optional<std::uint64_t> seed;
  bool diff = false;
  bool check = false;
  bool lineage = false;
  bool json = false;
};

/// A runner for profiles only.
Result<std::unique_ptr<pyrunner::Runner>> start_runner() {
  Result<pyrunner::RunnerOptions> options = runner_options({"eager"});
  if (!options.ok()) return options.error();
  return pyrunner::Runner::start(options.value());
}

std::string line_of(const mutate::Parsed& parsed, const std::string& statement) {
  for (const StatementPlace& place : mutate::statement_places(parsed))
    if (place.id == statement) return std::to_string(place.line);
  return "?";
}

int list(const mutate::Parsed& parsed, const Facts& facts, bool json) {
  codec::Json rows = codec::Json::array();
  for (const mutate::Candidate& candidate : mutate::candidates(parsed, facts)) {
    Step step{.mutation = std::string(candidate.mutation->name()), .site = candidate.site};
    std::string written = mutate::print_step(step);
    std::string line = line_of(parsed, candidate.site.statement);
    if (json)
      rows.push_back({{"apply", written},
                      {"mutation", step.mutation},
                      {"statement", step.site.statement},
                      {"path", step.site.path},
                      {"line", std::atoi(line.c_str())},
                      {"exactness", mutate::exactness_name(candidate.mutation->exactness())}});
    else
      fmt::print("{:>5}  {:<40}  {}\n", line, written, mutate::exactness_name(candidate.mutation->exactness()));
  }
  if (json) fmt::print("{}\n", codec::text(rows));
  return kDidItsWork;
}

Result<mutate::Parsed> apply_written(const mutate::Parsed& parsed, const Facts& facts, const std::string& text,
                                     Choices live) {
  Result<mutate::WrittenStep> written = mutate::parse_step(text);
  if (!written.ok()) return written.error();
  const Step& step = written.value().step;
  const mutate::Mutation* mutation = mutate::Mutations::instance().find(step.mutation);
  if (!mutation) return Error{fmt::format("there is no mutation '{}': see jitprobe list mutations", step.mutation)};
  if (!parsed.find(step.site.statement))
    return Error{fmt::format("the program has no statement {}: see jitprobe mutate FILE --list", step.site.statement)};
  Choices choices = written.value().has_draws ? Choices::replay(step.draws) : std::move(live);
  std::optional<mutate::Parsed> made = mutate::apply(parsed, facts, *mutation, step.site, choices);
  if (!made) return Error{fmt::format("'{}' does not apply there: see jitprobe mutate FILE --list", text)};
  return std::move(*made);
}

void print_result(const Options& options, const mutate::Parsed& base, const mutate::Parsed& made) {
  if (options.lineage) {
    for (const Step& step : made.program().lineage().steps) fmt::print("{}\n", mutate::print_step(step));
  } else if (options.diff) {
    fmt::print("{}", unified_diff(base.source(), made.source(), colours()));
  } else if (options.json) {
    fmt::print("{}\n", codec::text(codec::to_json(made.program())));
  } else {
    fmt::print("{}", made.source());
  }
}

/// The strongest thing that can be promised after all steps.
mutate::Exactness promised(const mutate::Parsed& made) {
  mutate::Exactness weakest = mutate::Exactness::kBitwise;
  for (const Step& step : made.program().lineage().steps)
    weakest = std::max(weakest, mutate::Mutations::instance().find(step.mutation)->exactness());
  return weakest;
}

/// The steps of --apply and then of --random, one after the other.
Result<Profiled> make_steps(const Options& options, pyrunner::Runner& runner, Profiled made) {
  const Choices choices(options.seed ? *options.seed : fresh_seed());
  for (std::size_t i = 0; i < options.apply.size(); ++i) {
    Result<mutate::Parsed> next = apply_written(made.parsed, made.facts, options.apply[i], choices.fork("apply", i));
    if (!next.ok()) return next.error();
    Result<Profiled> shown = profile(runner, std::move(next).value());
    if (!shown.ok()) return shown.error();
    made = std::move(shown).value();
  }
  for (std::uint64_t i = 0; i < options.random; ++i) {
    Choices step_choices = choices.fork("step", i);
    if (std::optional<Profiled> next = checked_step(runner, made, step_choices)) made = std::move(*next);
  }
  return made;
}

int check(const Profiled& base, const Profiled& made) {
  const mutate::Exactness exactness = promised(made.parsed);
  std::string broken = broken_promise(exactness, base.observation, made.observation);
  fmt::print(stderr, "{} in eager: {}\n", mutate::exactness_name(exactness), broken.empty() ? "holds" : broken);
  return broken.empty() ? kDidItsWork : kFound;
}

int run(const Options& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return cannot(program.error());
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  if (!parsed.ok()) return cannot({fmt::format("{} {}", options.file, parsed.error().message)});
  Result<std::unique_ptr<pyrunner::Runner>> runner = start_runner();
  if (!runner.ok()) return cannot(runner.error());
  Result<Profiled> base = profile(*runner.value(), std::move(parsed).value());
  if (!base.ok()) return cannot(base.error());
  if (options.list) return list(base.value().parsed, base.value().facts, options.json);
  Result<Profiled> made = make_steps(options, *runner.value(), base.value());
  if (!made.ok()) return cannot(made.error());
  print_result(options, base.value().parsed, made.value().parsed);
  return options.check ? check(base.value(), made.value()) : kDidItsWork;
}

class MutateCommand : public Command {
 public:
  std::string_view name() const override { return "mutate"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand("mutate", "list, apply or draw mutations of a program file");
    command->footer("example: jitprobe mutate program.py --random 3 --seed 1 --diff");
    command->add_option("file", options->file, "a program file")->required();
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    CLI::Option* list = command->add_flag("--list", options->list, "print every place where a mutation may act");
    CLI::Option* apply =
        command->add_option("--apply", options->apply, "steps to make, in order: ID@SITE or ID@SITE=DRAWS")
            ->excludes(list);
    CLI::Option* random =
        command->add_option("--random", options->random, "how many steps to draw (after --apply)")->excludes(list);
    command->add_option("--seed", options->seed, "seed of what is drawn (random by default)");
    command->add_flag("--diff", options->diff, "print the difference instead of the program")->excludes(list);
    command->add_flag("--lineage", options->lineage, "print the steps, as --apply takes them")->excludes(list);
    command->add_flag("--check", options->check, "say whether eager keeps what was promised; exit 1 if not")
        ->excludes(list);
    command->add_flag("--json", options->json, "sites or program as JSON");
    command->callback([=, &exit_code] {
      if (!options->list && apply->empty() && random->empty())
        throw CLI::RequiredError("one of --list, --apply and --random");
      exit_code = run(*options);
    });
  }
};

const Register<Command, MutateCommand> registered;

}  // namespace
}  // namespace jp::app
