// jitprobe reduce: makes a program that diverges as small as it gets while it diverges in the same way.
#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <memory>

#include "app/command.h"
#include "app/confirm.h"
#include "app/oracle_flags.h"
#include "app/reducing.h"
#include "app/reduction.h"
#include "app/stop.h"
#include "app/terminal.h"
#include "app/tools.h"
#include "app/until.h"
#include "codec/codec.h"
#include "mutate/engine.h"
#include "oracle/reduce/engine.h"
#include "oracle/reduce/lineage.h"
#include "oracle/reduce/surely.h"
#include "oracle/signature.h"
#include "report/evidence.h"
#include "report/store.h"

namespace jp::app {
namespace {

struct Options {
  std::string file;
  std::string campaign;
  std::string backend = "inductor";
  std::string entry = "program";
  std::string inputs = "make_inputs";
  OracleFlags judging;
  std::vector<std::string> switches;
  std::string against;
  std::string time = "5m";
  std::string out;
  std::string others;
  double limit = 0;
  int jobs = 1;
  bool json = false;
};

/// What the command says at the end.
struct Report {
  const mutate::Parsed& before;
  const reduce::Reduced& reduced;
  const SameFault& fault;
  const Signature& signature;
  const Signature& reduced_signature;
  double seconds = 0;
};

codec::Json json_of(const Report& report, const std::vector<std::string>& others) {
  const mutate::Parsed& after = report.reduced.parsed;
  codec::Json passes = codec::Json::object();
  for (const auto& [name, count] : report.reduced.progress.passes)
    passes[name] = {{"asked", count.asked}, {"accepted", count.accepted}};
  return {{"source", after.source()},
          {"finished", report.reduced.finished},
          {"statements_before", reduce::statements_in_entry(report.before)},
          {"statements", reduce::statements_in_entry(after)},
          {"bytes_before", report.before.source().size()},
          {"bytes", after.source().size()},
          {"candidates", report.fault.judged()},
          {"runs", report.fault.runs()},
          {"seconds", report.seconds},
          {"signature", codec::to_json(report.signature)},
          {"reduced_signature", codec::to_json(report.reduced_signature)},
          {"passes", std::move(passes)},
          {"others", others}};
}

std::string sentence_of(const Report& report) {
  const mutate::Parsed& after = report.reduced.parsed;
  return fmt::format("{} -> {} in {}, {} -> {} bytes; {} candidates, {} runs, {:.1f} s{}",
                     reduce::statements_in_entry(report.before),
                     plural(reduce::statements_in_entry(after), "statement"), after.program().entry(),
                     report.before.source().size(), after.source().size(), report.fault.judged(), report.fault.runs(),
                     report.seconds, report.reduced.finished ? "" : "; stopped before the end: run it again to go on");
}

/// The result's own signature, with what it calls; nothing when it does not diverge this time.
std::optional<Signature> reduced_signature(Crew& crew, const oracle::Oracle& oracle, const Program& program,
                                           const oracle::PlanOptions& plan) {
  Judged judged;
  crew.work_alone([&](pyrunner::Runner& runner) { judged = judge_alone(runner, oracle, program, plan); });
  if (judged.verdict.kind != Verdict::Kind::kDiverge) return std::nullopt;
  return oracle::signature_of(plan.backend, judged.verdict, judged.outcomes, &program, &judged.plan);
}

/// Files for programs that diverge in other ways: findings of their own.
std::vector<std::string> write_others(const SameFault& fault, const std::string& folder) {
  std::vector<std::string> written;
  if (folder.empty()) return written;
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  for (const auto& [id, program] : fault.others()) {
    std::string path = (std::filesystem::path(folder) / (id + ".py")).string();
    if (write_file(path, program.source()).ok()) written.push_back(std::move(path));
  }
  return written;
}

/// What is to be reduced, and how to judge it.
struct Target {
  Program program;
  std::string oracle;
  oracle::PlanOptions plan;
  /// The finding's id in its campaign, which then keeps what the program comes to; "" for a file.
  std::string finding;
};

int run_with(const Options& options, const Target& target, const mutate::Parsed& start, double seconds) {
  const oracle::PlanOptions& plan = target.plan;
  const auto started = std::chrono::steady_clock::now();
  Until until(listen_to_signals());
  until.start(seconds);
  Result<pyrunner::RunnerOptions> settings = runner_options({plan.backend});
  if (!settings.ok()) return cannot(settings.error());
  settings.value().given_up = [&until] { return until.reached(); };
  auto crew = Crew::start(settings.value(), static_cast<std::size_t>(options.jobs));
  if (!crew.ok()) return cannot(crew.error());

  const oracle::Oracle& oracle = need_oracle(target.oracle);
  Judged judged;
  crew.value()->work_alone(
      [&](pyrunner::Runner& runner) { judged = judge_alone(runner, oracle, start.program(), plan); });
  if (until.reached()) return cannot({"stopped before the program was judged once: give it more --time"});
  if (judged.verdict.kind != Verdict::Kind::kDiverge)
    return cannot({fmt::format("{} does not diverge with {}: {} ({})", options.file, plan.backend,
                               verdict_name(judged.verdict.kind), judged.verdict.reason)});
  crew.value()->set_limits(limits_for(settings.value().limits, judged, options.limit));

  SameFault fault(*crew.value(), oracle, plan, judged.signature);
  reduce::Problem problem;
  problem.first_interesting = [&](const std::vector<Program>& list) { return fault.first(list); };
  problem.facts = [&](const mutate::Parsed& parsed) { return fault.facts(parsed); };
  problem.stop = [&] { return until.reached(); };
  std::optional<Error> disk;
  const auto keep = [&](const Program& program) {
    if (options.out.empty() || disk) return;
    if (Status written = write_file(options.out, program.source()); !written.ok()) disk = written.error();
  };
  problem.better = [&](const Program& program, const reduce::Progress&) { keep(program); };
  keep(start.program());
  if (disk) return cannot(*disk);
  problem.output = output_of(judged.verdict.differences.front());
  std::vector<std::string> mutations;
  for (const Step& step : start.program().lineage().steps) mutations.push_back(step.mutation);
  const reduce::Reduced reduced = reduce::reduce_surely(
      problem, [&] { fault.judge_fully(); },
      [&](const reduce::Problem& asked) { return both_stages(start, asked, &mutations); });
  if (disk) return cannot(*disk);
  if (!target.finding.empty())
    if (Status kept = report::keep_reduced(options.campaign, target.finding, reduced.parsed.program(), mutations);
        !kept.ok())
      return cannot(kept.error());

  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
  const Signature small =
      reduced_signature(*crew.value(), oracle, reduced.parsed.program(), plan).value_or(judged.signature);
  const Report report{start, reduced, fault, judged.signature, small, took.count()};
  const std::vector<std::string> others = write_others(fault, options.others);
  if (options.json)
    put("{}\n", codec::text(json_of(report, others)));
  else if (options.out.empty())
    put("{}", reduced.parsed.source());
  if (!options.json) fmt::print(stderr, "{}\n", sentence_of(report));
  return kDidItsWork;
}

Result<oracle::PlanOptions> plan_for(const Options& options) {
  Result<std::string> backend = resolve_backend(options.backend);
  if (!backend.ok()) return backend.error();
  Result<oracle::PlanOptions> made = plan_options(options.judging);
  if (!made.ok()) return made.error();
  oracle::PlanOptions plan = std::move(made).value();
  plan.backend = backend.value();
  plan.switches = options.switches;
  if (options.against.empty()) return plan;
  Result<std::string> seed = read_file(options.against);
  if (!seed.ok()) return seed.error();
  plan.seed_source = seed.value();
  return plan;
}

/// A finding is judged as its plan says.
Result<Target> target_of_finding(const Options& options) {
  Result<Finding> finding = report::load_finding(options.campaign, options.file);
  if (!finding.ok()) return finding.error();
  Target target{finding.value().program, finding.value().plan.oracle, plan_options_of(finding.value().plan),
                finding.value().signature.id()};
  if (!oracle::find_oracle(target.oracle))
    return Error{fmt::format("the finding was judged by the oracle '{}', which this version lacks", target.oracle)};
  return target;
}

Result<Target> target_of(const Options& options) {
  if (!options.campaign.empty()) return target_of_finding(options);
  Result<Program> program = load_program(options.file, options.entry, options.inputs);
  if (!program.ok()) return program.error();
  Result<oracle::PlanOptions> plan = plan_for(options);
  if (!plan.ok()) return plan.error();
  Result<std::vector<std::string>> oracles = chosen_oracles(options.judging, {});
  if (!oracles.ok()) return oracles.error();
  if (oracles.value().size() != 1) return Error{"a program is reduced under one --oracle: name that which diverges"};
  return Target{program.value(), oracles.value().front(), plan.value(), ""};
}

int run(const Options& options) {
  Result<double> seconds = parse_duration(options.time);
  if (!seconds.ok()) return cannot(seconds.error());
  Result<Target> target = target_of(options);
  if (!target.ok()) return cannot(target.error());
  Result<mutate::Parsed> parsed = mutate::parse(target.value().program);
  if (!parsed.ok()) return cannot({fmt::format("{} {}", options.file, parsed.error().message)});
  return run_with(options, target.value(), parsed.value(), seconds.value());
}

class ReduceCommand : public Command {
 public:
  std::string_view name() const override { return "reduce"; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "reduce",
        "make a program that diverges small: exit 0 it diverges in the same way, 2 there was nothing to reduce");
    command->footer("example: jitprobe reduce program.py --backend aot_eager --out small.py");
    command->add_option("file", options->file, "a program file that diverges; with --campaign, a finding's id")
        ->required();
    command->add_option("--campaign", options->campaign, "the campaign's folder: FILE is the id of a finding in it");
    command->add_option("--backend", options->backend,
                        "inductor (default), aot_eager, ..., file.py, module:callable or torch:NAME");
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    add_flags(*command, options->judging);
    command->add_option("--switches", options->switches, "ways to compile, in order (comma-separated)")->delimiter(',');
    command->add_option("--against", options->against, "the program that this one was made from, for oracles of two");
    command->add_option("--time", options->time, "when to end with the best so far (default 5m)");
    command->add_option("--out", options->out,
                        "the file for the result, kept up to date with the best so far (default: standard output)");
    command->add_option("--others", options->others,
                        "a folder for programs met on the way that diverge in another way");
    command->add_option("--limit", options->limit, "seconds for each run (measured by default)")
        ->check(CLI::PositiveNumber);
    command->add_option("--jobs", options->jobs, "candidates at a time; the result is the same for any number")
        ->check(CLI::Range(1, 16));
    command->add_flag("--json", options->json, "the result with its figures as one JSON object");
    command->callback([options, &exit_code] { exit_code = run(*options); });
  }
};

const Register<Command, ReduceCommand> registered;

}  // namespace
}  // namespace jp::app
