// jitprobe run: judges one program file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <set>

#include "answers/judged.h"
#include "app/command.h"
#include "app/oracle_flags.h"
#include "app/render.h"
#include "app/terminal.h"
#include "campaign/common/device.h"
#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/compile_report.h"
#include "campaign/start_probes.h"
#include "codec/codec.h"
#include "report/compile_summary.h"

namespace jp::app::cmd_run_command {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> backends = {"inductor"};
  std::string entry = "program";
  std::string inputs = "make_inputs";
  std::string isolation = "fork";
  OracleFlags judging;
  std::vector<std::string> switches;
  std::string against;
  double seconds = 0;
  bool explain = false;
  bool json = false;
};

int exit_of(const Verdict& verdict) {
  if (verdict.kind == Verdict::Kind::kAgree) return kDidItsWork;
  return verdict.kind == Verdict::Kind::kDiverge ? kFound : kCannot;
}

// What the user has not given: `--oracle all` leaves out the oracles that need it.
std::set<oracle::Needs> lacking(const Options& options) {
  std::set<oracle::Needs> needs = lacking_device(options.judging);
  needs.insert(oracle::Needs::kBroken);
  if (options.switches.empty()) needs.insert(oracle::Needs::kSwitches);
  if (options.against.empty()) needs.insert(oracle::Needs::kSeed);
  return needs;
}

// A divergence on one backend outweighs that another backend could not be judged.
int worse(int one, int other) {
  if (one == kFound || other == kFound) return kFound;
  return std::max(one, other);
}

// All cheap control runs are made from the start, since there is only one program.
Result<oracle::PlanOptions> plan_for(const Options& options) {
  Result<oracle::PlanOptions> plan = plan_options(options.judging);
  if (!plan.ok()) return plan;
  plan.value().full = true;
  plan.value().switches = options.switches;
  if (options.against.empty()) return plan;
  Result<Program> seed = load_program(options.against, options.entry, options.inputs);
  if (!seed.ok()) return seed.error();
  plan.value().seed_text = seed.value().source();
  return plan;
}

// A program that may not reach something raises this, in eager too.
void hint_at_sandbox(const Verdict& verdict, bool confined) {
  if (confined && verdict.kind == Verdict::Kind::kRejected &&
      verdict.reason.find("PermissionError") != std::string::npos)
    fmt::print(
        stderr,
        "programs are confined (docs/security.md): --allow-read FOLDER or --no-sandbox lets this one reach more\n");
}

// What compiling the program did, as text or into `rows`: one object for each backend. A run of its own, made after the
// judged ones; where it fails, the sentence is shown in its place.
void explain(pyrunner::Runner& runner, const Program& program, const RunRequest& run, codec::Json* rows) {
  const std::string& backend = run.backend;
  const Result<codec::Json> report = compile_report(runner, program, backend, run.device);
  if (rows == nullptr)
    return put("{}", report.ok() ? report::compile_summary(backend, report.value())
                                 : fmt::format("{}: no compile report: {}\n", backend, report.error().message));
  for (codec::Json& row : *rows)
    if (row["backend"] == backend)
      row["compiled"] = report.ok() ? report.value() : codec::Json{{"error", report.error().message}};
}

int run(const Options& options) {
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return cannot(program.error());
  std::vector<std::string> backends;
  for (const std::string& text : options.backends) {
    if (text == "ladder") {
      backends.insert(backends.end(), ladder().begin(), ladder().end());
      continue;
    }
    Result<std::string> backend = resolve_backend(text);
    if (!backend.ok()) return cannot(backend.error());
    backends.push_back(backend.value());
  }
  Result<std::vector<std::string>> oracles = chosen_oracles(options.judging, lacking(options));
  if (!oracles.ok()) return cannot(oracles.error());
  Result<oracle::PlanOptions> plan = plan_for(options);
  if (!plan.ok()) return cannot(plan.error());
  Result<pyrunner::RunnerOptions> runner_settings = runner_options(backends, device_of(oracles.value(), plan.value()));
  if (!runner_settings.ok()) return cannot(runner_settings.error());
  if (options.seconds > 0) runner_settings.value().limits.seconds = options.seconds;
  auto runner = pyrunner::Runner::start(runner_settings.value());
  if (!runner.ok()) return cannot(runner.error());
  if (Status probed = probe_once(*runner.value()); !probed.ok()) return cannot(probed.error());

  auto isolation = options.isolation == "exec" ? pyrunner::Isolation::kExec : pyrunner::Isolation::kFresh;
  int exit_code = kDidItsWork;
  codec::Json rows = codec::Json::array();
  for (const std::string& backend : backends) {
    plan.value().backend = backend;
    for (const std::string& oracle : oracles.value()) {
      JudgedProgram judged = judge(*runner.value(), need_oracle(oracle), program.value(), plan.value(), isolation);
      exit_code = worse(exit_code, exit_of(judged.verdict));
      hint_at_sandbox(judged.verdict, runner_settings.value().sandbox);
      const std::string title = oracles.value().size() == 1 ? backend : backend + ", " + oracle;
      if (options.json)
        rows.push_back(answers::judged_json(backend, judged));
      else
        print_painted([&](bool colour) { return render_verdict(title, judged, colour); });
    }
    if (options.explain)
      explain(*runner.value(), program.value(), {.backend = backend, .device = plan.value().device},
              options.json ? &rows : nullptr);
  }
  if (options.json) put("{}\n", codec::text(rows.size() == 1 ? rows[0] : rows));
  return exit_code;
}

class RunCommand : public Command {
 public:
  std::string_view name() const override { return "run"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "run", "judge a program file: exit 0 agrees, 1 diverges, 2 can't be judged (with the reason)");
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
    add_flags(*command, options->judging);
    command
        ->add_option(
            "--switches", options->switches,
            "configuration switches, in order (comma-separated), for --oracle config_vs_config: see list switches")
        ->delimiter(',');
    command->add_option("--against", options->against,
                        "the program that this one was made from, for --oracle seed_vs_mutant and cost");
    command
        ->add_option("--limit", options->seconds,
                     "seconds for each run (60 by default); a compiled run that takes longer gets three times as many, "
                     "alone, before it counts as a hang")
        ->check(CLI::PositiveNumber);
    command
        ->add_option("--isolation", options->isolation,
                     "fork (from a warm process) or exec (a new interpreter for each run)")
        ->check(CLI::IsMember({"fork", "exec"}));
    command->add_flag("--explain", options->explain,
                      "also what compiling did: graphs, guards, graph breaks, recompilations (one more run)");
    command->add_flag("--json", options->json, "verdict, signature, plan and outcomes as one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, RunCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_run_command
