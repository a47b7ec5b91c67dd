// jitprobe run: judges one program file.
#include <fmt/format.h>

#include <memory>

#include "app/command.h"
#include "app/judging.h"
#include "app/render.h"
#include "app/tools.h"
#include "codec/codec.h"

namespace jp::app {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> backends = {"inductor"};
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::string isolation = "fork";
  double seconds = 0;
  int threads = 1;
  bool no_gradients = false;
  bool json = false;
};

int exit_of(const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::kAgree) return kDidItsWork;
  return verdict.kind == Verdict::Kind::kDiverge ? kFound : kCannot;
}

codec::Json json_of(const std::string& backend, const Judged& judged) {
  codec::Json json = {{"backend", backend},
                      {"verdict", codec::to_json(judged.verdict)},
                      {"plan", codec::to_json(judged.plan)},
                      {"outcomes", codec::Json::array()}};
  if (judged.verdict.kind == Verdict::Kind::kDiverge) json["signature"] = codec::to_json(judged.signature);
  for (const Outcome& outcome : judged.outcomes) json["outcomes"].push_back(codec::to_json(outcome));
  return json;
}

// A divergence on one backend weighs more than that another could not be judged.
int worse(int one, int other) {
  if (one == kFound || other == kFound) return kFound;
  return std::max(one, other);
}

int run(const Options& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return cannot(program.error());
  std::vector<std::string> backends;
  for (const std::string& text : options.backends) {
    if (text == "ladder") {
      backends.insert(backends.end(), built_in_backends().begin(), built_in_backends().end());
      continue;
    }
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return cannot(backend.error());
    backends.push_back(backend.value());
  }
  Result<pyrunner::RunnerOptions> runner_settings = runner_options(backends);
  if (!runner_settings.ok()) return cannot(runner_settings.error());
  if (options.seconds > 0) runner_settings.value().limits.seconds = options.seconds;
  auto runner = pyrunner::Runner::start(runner_settings.value());
  if (!runner.ok()) return cannot(runner.error());

  const oracle::Oracle& oracle = need_oracle("eager_vs_compiled");
  auto isolation = options.isolation == "exec" ? pyrunner::Isolation::kExec : pyrunner::Isolation::kFresh;
  int exit_code = kDidItsWork;
  codec::Json rows = codec::Json::array();
  for (const std::string& backend : backends) {
    oracle::PlanOptions plan{
        .backend = backend, .gradients = !options.no_gradients, .threads = options.threads, .full = true};
    Judged judged = judge(*runner.value(), oracle, program.value(), plan, isolation);
    exit_code = worse(exit_code, exit_of(judged.verdict));
    if (options.json)
      rows.push_back(json_of(backend, judged));
    else
      fmt::print("{}", render_verdict(backend, judged.verdict, judged.outcomes, colours()));
  }
  if (options.json) fmt::print("{}\n", codec::text(backends.size() == 1 ? rows[0] : rows));
  return exit_code;
}

class RunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "run", "judge a program file: exit 0 agrees, 1 diverges, 2 can't be judged (the reason is said)");
    command->footer("example: jitprobe run program.py --backend aot_eager");
    command->add_option("file", options->file, "a program file: defines program(), and make_inputs() for arguments")
        ->required();
    command
        ->add_option(
            "--backend", options->backends,
            "inductor (default), aot_eager, ..., file.py, module:callable, torch:NAME, or ladder for all four; "
            "may be repeated")
        ->allow_extra_args(false);
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    command->add_option("--threads", options->threads, "torch threads in each run")->check(CLI::Range(1, 256));
    command->add_option("--limit", options->seconds, "seconds for each run (measured by default)")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--isolation", options->isolation, "fork (from a warm process) or exec (a new interpreter a run)")
        ->check(CLI::IsMember({"fork", "exec"}));
    command->add_flag("--no-gradients", options->no_gradients, "leave backward out");
    command->add_flag("--json", options->json, "verdict, signature, plan and outcomes as one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, RunCommand> registered;

}  // namespace
}  // namespace jp::app
