// jitprobe reduce: makes a program as small as possible while it diverges in the same way.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <memory>

#include "answers/findings.h"
#include "app/command.h"
#include "app/oracle_flags.h"
#include "app/reduce_target.h"
#include "app/stop.h"
#include "app/terminal.h"
#include "campaign/common/device.h"
#include "campaign/common/judging.h"
#include "campaign/common/stop_condition.h"
#include "campaign/common/stopwatch.h"
#include "campaign/common/tools.h"
#include "campaign/evidence/cause.h"
#include "campaign/start_probes.h"
#include "campaign/triage/interestingness.h"
#include "campaign/triage/reduction.h"
#include "campaign/triage/reduction_file.h"
#include "campaign/triage/slips.h"
#include "codec/codec.h"
#include "core/files.h"
#include "mutate/engine/engine.h"
#include "oracle/reduce/engine.h"
#include "oracle/reduce/order.h"
#include "oracle/signature/signature.h"
#include "report/store.h"

namespace jp::app::cmd_reduce_command {
namespace {

struct Options : ReduceSubject {
  std::string time = "5m";
  std::string out;
  std::string others;
  double limit = 0;
  int jobs = 1;
  bool in_any_way = false;
  bool only_steps = false;
  bool json = false;
};

/// What the command reports at the end.
struct Report {
  const mutate::Parsed& before;
  const Piece& piece;
  Signature reduced_signature;
  std::optional<report::Intermediate> first_wrong;
  double seconds = 0;
  std::vector<std::string> others;
  bool resumable = false;  // whether what was asked so far is kept
};

codec::Json json_of(const Report& report) {
  const mutate::Parsed& after = report.piece.parsed;
  codec::Json passes = codec::Json::object();
  for (const auto& [name, count] : report.piece.progress.passes)
    passes[name] = {{"asked", count.asked}, {"accepted", count.accepted}};
  return {{"source", after.source()},
          {"finished", report.piece.finished},
          {"verified", report.piece.verified},
          {"statements_before", reduce::statements_in_entry(report.before)},
          {"statements", reduce::statements_in_entry(after)},
          {"bytes_before", report.before.source().size()},
          {"bytes", after.source().size()},
          {"candidates", report.piece.judged},
          {"runs", report.piece.runs},
          {"seconds", report.seconds},
          {"signature", codec::to_json(report.piece.signature)},
          {"reduced_signature", codec::to_json(report.reduced_signature)},
          {"passes", std::move(passes)},
          {"mutations", report.piece.mutations},
          {"reductions", answers::reductions_json(report.before.source(), after.source(), report.piece.trail)},
          {"first_wrong", report.first_wrong ? codec::Json{{"name", report.first_wrong->name},
                                                           {"statement", report.first_wrong->statement},
                                                           {"line", report.first_wrong->line},
                                                           {"words", report.first_wrong->words}}
                                             : codec::Json()},
          {"others", report.others}};
}

std::string sentence_of(const Report& report) {
  const mutate::Parsed& after = report.piece.parsed;
  std::string text = fmt::format(
      "{} -> {} in {}, {} -> {} bytes; {} candidates, {} runs, {:.1f} s", reduce::statements_in_entry(report.before),
      plural(reduce::statements_in_entry(after), "statement"), after.program().entry(), report.before.source().size(),
      after.source().size(), report.piece.judged, report.piece.runs, report.seconds);
  if (!report.piece.mutations.empty()) text += fmt::format("; mutations: {}", fmt::join(report.piece.mutations, ", "));
  if (report.first_wrong)
    text += fmt::format("; first wrong: {}, line {}", report.first_wrong->words, report.first_wrong->line);
  if (!report.piece.finished)
    text += report.resumable ? "; stopped before the end: run it again to continue"
                             : "; stopped before the end: with --out FILE it could be continued";
  if (!report.piece.verified) text += "; not verified: it was stopped before the result was judged in full";
  return text;
}

/// The result as a finding, with its own signature and calls; nothing if it does not diverge this time.
std::optional<Finding> reduced_finding(RunnerPool& pool, const oracle::Oracle& oracle, const Program& program,
                                       const oracle::PlanOptions& plan) {
  JudgedProgram judged;
  pool.work_alone([&](pyrunner::Runner& runner) { judged = judge_alone(runner, oracle, program, plan); });
  if (judged.verdict.kind != Verdict::Kind::kDiverge) return std::nullopt;
  Signature signature = oracle::signature_of(plan.backend, judged.verdict, judged.outcomes, &program, &judged.plan);
  return Finding{.program = program,
                 .plan = std::move(judged.plan),
                 .outcomes = std::move(judged.outcomes),
                 .verdict = std::move(judged.verdict),
                 .signature = std::move(signature)};
}

std::optional<report::Intermediate> first_wrong(RunnerPool& pool, const Finding& finding) {
  std::optional<report::Intermediate> found;
  pool.work_alone([&](pyrunner::Runner& runner) { found = first_wrong_value(runner, finding, Thorough::kBriefly); });
  return found;
}

/// Writes files for programs that diverge in other ways: findings of their own.
Result<std::vector<std::string>> write_others(const Piece& piece, const std::string& folder) {
  std::vector<std::string> written;
  if (folder.empty()) return written;
  for (const auto& [id, program] : piece.others) {
    std::string path = (std::filesystem::path(folder) / (id + ".py")).string();
    if (Status done = write_file(path, program.source()); !done.ok()) return done.error();
    written.push_back(std::move(path));
  }
  return written;
}

/// For a program of the user's: the best one so far is in --out, if that exists.
Subject subject_of_file(const Options& options, const ReduceTarget& target) {
  Subject subject{.program = target.program,
                  .oracle = &need_oracle(target.oracle),
                  .plan = target.plan,
                  .signature = {},
                  .answers = answers_beside(options.out),
                  .kept = {},
                  .trail = {},
                  .better = {},
                  .replace = {}};
  if (options.out.empty()) return subject;
  subject.kept = [&options]() -> std::optional<report::ReducedProgram> {
    std::error_code error;
    if (!std::filesystem::exists(options.out, error)) return std::nullopt;
    Result<Program> program = load_program(options.out, options.entry, options.inputs);
    return program.ok() ? std::optional(report::ReducedProgram{program.value(), {}}) : std::nullopt;
  };
  subject.better = [&options, kept = subject.kept](const report::ReducedProgram& small) -> Status {
    const std::optional<report::ReducedProgram> best = kept();
    if (best && !reduce::simpler(small.program, best->program)) return Done{};
    return write_file(options.out, small.program.source());
  };
  return subject;
}

/// Stores the result: in the campaign, or in --out. A simpler program that was verified is never lost.
Status keep_result(const Options& options, const ReduceTarget& target, const Reduction& reducing, const Piece& piece) {
  if (!target.finding && !options.out.empty()) {
    const std::optional<report::ReducedProgram> kept = subject_of_file(options, target).kept();
    // It was stopped before it got there again, or an equally simple one was verified before.
    if (kept && !reducing.refuted(kept->program) &&
        (reduce::simpler(kept->program, piece.parsed.program()) ||
         (!piece.verified && !reduce::simpler(piece.parsed.program(), kept->program))))
      return Done{};
  }
  if (target.finding) {
    Result<report::ReducedForm> kept = keep_piece(target.folder, target.id(), piece, reducing);
    if (!kept.ok()) return kept.error();
  }
  return options.out.empty() ? Status(Done{}) : write_file(options.out, piece.parsed.source());
}

int run_with(const Options& options, ReduceTarget& target, const mutate::Parsed& before, double seconds) {
  const Stopwatch watch;
  const std::atomic<bool>& stop_asked = listen_to_signals();
  StopCondition stop_condition(stop_asked);
  stop_condition.start(seconds);
  // When time is up, the runs under way end; then the result is judged, unless somebody asked for the end.
  std::atomic<bool> searching = true;
  const auto given_up = [&] { return stop_asked || (searching && stop_condition.reached()); };
  Result<pyrunner::RunnerOptions> settings =
      runner_options({target.plan.backend}, device_of({target.oracle}, target.plan));
  if (!settings.ok()) return cannot(settings.error());
  settings.value().given_up = given_up;
  auto pool = RunnerPool::start(settings.value(), static_cast<std::size_t>(options.jobs));
  if (!pool.ok()) return cannot(pool.error());
  Status probed = Done{};
  pool.value()->work_alone([&](pyrunner::Runner& runner) { probed = probe_once(runner); });
  if (!probed.ok()) return cannot(probed.error());

  Subject subject =
      target.finding ? subject_of(target.folder, *target.finding, true) : subject_of_file(options, target);
  subject.limit = options.limit;
  subject.in_any_way = options.in_any_way;
  subject.only_steps = options.only_steps;
  Reduction reducing(std::move(subject));
  PieceEnds ends;
  ends.stop = [&] { return stop_condition.reached(); };
  ends.searched = [&] { searching = false; };
  ends.given_up = given_up;
  Result<std::optional<Piece>> made = reducing.go_on(*pool.value(), ends);
  if (!made.ok())
    return cannot(
        {options.out.empty() ? made.error().message : fmt::format("{}: {}", options.out, made.error().message)});
  if (!made.value()) {
    if (stop_condition.reached()) return cannot({"stopped before the program was judged once: give it more --time"});
    const Verdict& verdict = reducing.refusal().verdict;
    return cannot({fmt::format("{} does not diverge with {}: {} ({})", options.file, target.plan.backend,
                               verdict_name(verdict.kind), verdict.reason)});
  }
  const Piece& piece = *made.value();
  if (Status kept = keep_result(options, target, reducing, piece); !kept.ok()) return cannot(kept.error());
  if (target.finding && !stop_condition.asked()) {
    Status slips = Done{};
    pool.value()->work_alone([&](pyrunner::Runner& runner) {
      slips =
          keep_slips(*target.store, target.folder, *target.finding, runner, piece.others,
                     [](const Finding& finding) { fmt::print(stderr, "{}\n", for_errors(slip_sentence(finding))); });
    });
    if (!slips.ok()) return cannot(slips.error());
  }
  if (piece.finished && piece.verified) reducing.forget();

  const double took = watch.seconds();
  Result<std::vector<std::string>> others = write_others(piece, options.others);
  std::optional<Finding> small;
  if (!stop_condition.asked())
    small = reduced_finding(*pool.value(), need_oracle(target.oracle), piece.parsed.program(), target.plan);
  const Report report{before,
                      piece,
                      small ? small->signature : piece.signature,
                      small ? first_wrong(*pool.value(), *small) : std::nullopt,
                      took,
                      others.ok() ? others.value() : std::vector<std::string>{},
                      target.finding || !options.out.empty()};
  if (options.json)
    put("{}\n", codec::text(json_of(report)));
  else if (options.out.empty())
    put("{}", piece.parsed.source());
  if (!options.json) fmt::print(stderr, "{}\n", for_errors(sentence_of(report)));
  return others.ok() ? static_cast<int>(kDidItsWork) : cannot(others.error());
}

int run(const Options& options) {
  Result<double> seconds = parse_duration(options.time);
  if (!seconds.ok()) return cannot(seconds.error());
  Result<ReduceTarget> target = reduce_target(options);
  if (!target.ok()) return cannot(target.error());
  Result<mutate::Parsed> parsed = mutate::parse(target.value().program);
  if (!parsed.ok()) return cannot({fmt::format("{} {}", options.file, parsed.error().message)});
  if (!options.others.empty())
    if (Status made = make_folder(options.others); !made.ok()) return cannot(made.error());
  const Program* own = target.value().finding ? nullptr : &target.value().program;
  if (Status fits = fits_reduction(options.out, own); !fits.ok()) return cannot(fits.error());
  return run_with(options, target.value(), parsed.value(), seconds.value());
}

class ReduceCommand : public Command {
 public:
  std::string_view name() const override { return "reduce"; }
  bool runs_programs() const override { return true; }
  void attach(CLI::App& parent, int& exit_code) const override {
    auto options = std::make_shared<Options>();
    CLI::App* command = parent.add_subcommand(
        "reduce",
        "make a diverging program small: exit 0 it still diverges in the same way, 2 there was nothing to reduce");
    command->footer(
        "example: jitprobe reduce program.py --backend aot_eager --out small.py\n         jitprobe reduce 3f2a");
    command
        ->add_option("file", options->file,
                     "a program file that diverges, or the id of a finding, which is reduced as it was found (without "
                     "flags that say how a program is judged)")
        ->required();
    command->add_option("--campaign", options->campaign,
                        "folder of the finding's campaign (the newest in ./campaigns by default)");
    command->add_option("--backend", options->backend,
                        "inductor (default), aot_eager, ..., file.py, module:callable or torch:NAME");
    command->add_option("--entry", options->entry, "name of the function or module to compile");
    command->add_option("--inputs", options->inputs, "name of the function that makes the arguments");
    command->add_option(
        "--lineage", options->lineage,
        "a file of steps, as mutate --lineage prints them, that are made first: they are dropped first");
    add_flags(*command, options->judging);
    command->add_option("--switches", options->switches, "configuration switches, in order (comma-separated)")
        ->delimiter(',');
    command->add_option("--against", options->against,
                        "the program that this one was made from, for oracles that compare two programs");
    command->add_option("--time", options->time,
                        "time limit, after which the best program so far is the result (default 5m)");
    command->add_option(
        "--out", options->out,
        "the file for the result, kept up to date with the best so far, from which an unfinished reduction of the "
        "same program goes on (default: standard output)");
    command->add_option("--others", options->others,
                        "a folder for programs found during the reduction that diverge in another way");
    command
        ->add_option(
            "--limit", options->limit,
            "seconds for each run (by default 10 s more than three times the program's own time, 60 s at most)")
        ->check(CLI::PositiveNumber);
    command->add_option("--jobs", options->jobs, "candidates at a time; the result is the same for any number")
        ->check(CLI::Range(1, 16));
    command->add_flag("--any", options->in_any_way, "a candidate may diverge in any way, not only as the program does");
    command->add_flag("--only-steps", options->only_steps,
                      "drop and simplify steps, and leave the text as they make it");
    command->add_flag("--json", options->json, "the result with its figures as one JSON object");
    command->callback([=, &exit_code] {
      for (const char* flag : kFlagsOfFiles)
        if (command->count(flag) > 0) options->of_files.emplace_back(flag);
      exit_code = run(*options);
    });
  }
};

const Register<Command, ReduceCommand> registered;

}  // namespace
}  // namespace jp::app::cmd_reduce_command
