// jitprobe mutate: lists, applies and draws mutations of one program by hand.
#include <fmt/format.h>

#include <memory>

#include "app/command.h"
#include "app/diff.h"
#include "app/exactness.h"
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

/// A program with what its eager run shows. The runner is started once, when first needed.
class Bench {
 public:
  Status start() {
    Result<pyrunner::RunnerOptions> options = runner_options({"eager"});
    if (!options.ok()) return options.error();
    auto started = pyrunner::Runner::start(options.value());
    if (!started.ok()) return started.error();
    runner_ = std::move(started).value();
    return Done{};
  }
  /// Facts and the observation of an eager run; an Error when there is none.
  Result<Observation> profile(const mutate::Parsed& parsed, Facts& facts) {
    auto profile = runner_->profile(parsed.program(), mutate::statement_places(parsed));
    facts = std::move(profile.facts);
    if (auto* finished = std::get_if<Finished>(&profile.outcome.ending)) return std::move(finished->observation);
    if (auto* raised = std::get_if<Raised>(&profile.outcome.ending))
      return Error{fmt::format("the program can't be run: {}", raised->reason)};
    return Error{fmt::format("the program can't be run in eager: it {}", ending_name(profile.outcome.ending))};
  }

 private:
  std::unique_ptr<pyrunner::Runner> runner_;
};

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

int print_result(const Options& options, const mutate::Parsed& base, const mutate::Parsed& made) {
  if (options.lineage) {
    for (const Step& step : made.program().lineage().steps) fmt::print("{}\n", mutate::print_step(step));
  } else if (options.diff) {
    fmt::print("{}", unified_diff(base.source(), made.source(), colours()));
  } else if (options.json) {
    fmt::print("{}\n", codec::text(codec::to_json(made.program())));
  } else {
    fmt::print("{}", made.source());
  }
  return kDidItsWork;
}

/// The strongest thing that can be promised after all steps.
mutate::Exactness promised(const mutate::Parsed& made) {
  mutate::Exactness weakest = mutate::Exactness::kBitwise;
  for (const Step& step : made.program().lineage().steps)
    weakest = std::max(weakest, mutate::Mutations::instance().find(step.mutation)->exactness());
  return weakest;
}

int run(const Options& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return cannot(program.error());
  Result<mutate::Parsed> base = mutate::parse(program.value());
  if (!base.ok()) return cannot({fmt::format("{} {}", options.file, base.error().message)});
  Bench bench;
  if (Status started = bench.start(); !started.ok()) return cannot(started.error());
  Facts facts;
  Result<Observation> before = bench.profile(base.value(), facts);
  if (!before.ok()) return cannot(before.error());
  if (options.list) return list(base.value(), facts, options.json);

  Choices choices(options.seed ? *options.seed : fresh_seed());
  mutate::Parsed made = base.value();
  Result<Observation> after = before;
  for (std::size_t i = 0; i < options.apply.size(); ++i) {
    Result<mutate::Parsed> next = apply_written(made, facts, options.apply[i], choices.fork("apply", i));
    if (!next.ok()) return cannot(next.error());
    made = std::move(next).value();
    after = bench.profile(made, facts);
    if (!after.ok()) return cannot(after.error());
  }
  for (std::uint64_t i = 0; i < options.random; ++i) {
    Choices step_choices = choices.fork("step", i);
    std::optional<mutate::Parsed> next = mutate::random_step(made, facts, step_choices);
    if (!next) continue;
    Facts next_facts;
    Result<Observation> shown = bench.profile(*next, next_facts);
    const std::string& id = next->program().lineage().steps.back().mutation;
    const mutate::Exactness exactness = mutate::Mutations::instance().find(id)->exactness();
    if (!shown.ok() || !broken_promise(exactness, after.value(), shown.value()).empty()) continue;
    made = std::move(*next);
    facts = std::move(next_facts);
    after = std::move(shown);
  }
  print_result(options, base.value(), made);
  if (!options.check) return kDidItsWork;
  const mutate::Exactness exactness = promised(made);
  std::string broken = broken_promise(exactness, before.value(), after.value());
  fmt::print(stderr, "{} in eager: {}\n", mutate::exactness_name(exactness), broken.empty() ? "holds" : broken);
  return broken.empty() ? kDidItsWork : kFound;
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
