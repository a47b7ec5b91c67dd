#include "campaign/triage/reduction.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "campaign/common/confirm.h"
#include "campaign/common/tools.h"
#include "campaign/known/told_compiled.h"
#include "campaign/sources/harvest.h"
#include "campaign/triage/reduction_path.h"
#include "codec/codec.h"
#include "core/hash.h"
#include "mutate/engine/engine.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/lineage.h"
#include "oracle/reduce/names.h"
#include "oracle/reduce/order.h"
#include "oracle/reduce/reduce_then_verify.h"
#include "oracle/signature/signature.h"

namespace jp::campaign {
namespace {

/// Most questions that tidying a deferred program may cost (chosen, not measured).
constexpr std::int64_t kTidying = 20;
constexpr std::array<std::string_view, 7> kTidy = {"drop_outputs",  "drop_dead",  "drop_arguments", "drop_imports",
                                                   "drop_comments", "join_lines", "rename_locals"};

/// The limits of candidates, as long as it lives, whatever ends the reduction.
class CandidateLimits {
 public:
  CandidateLimits(RunnerPool& pool, const pyrunner::Limits& limits) : pool_(pool), before_(pool.limits()) {
    pool_.set_limits(limits);
  }
  ~CandidateLimits() { pool_.set_limits(before_); }
  CandidateLimits(const CandidateLimits&) = delete;
  CandidateLimits& operator=(const CandidateLimits&) = delete;

 private:
  RunnerPool& pool_;
  const pyrunner::Limits before_;
};

std::vector<std::string> mutations_of(const Program& program) {
  std::vector<std::string> names;
  for (const Step& step : program.lineage().steps) names.push_back(step.mutation);
  return names;
}

/// Stage one if the program's lineage can be replayed, then stage two unless `only_steps`. `mutations` is set to those
/// that the lineage of the last program of stage one has.
reduce::Reduced in_stages(const mutate::Parsed& start, const reduce::Problem& problem, bool only_steps,
                          std::vector<std::string>& mutations) {
  const Lineage& lineage = start.program().lineage();
  std::optional<mutate::Parsed> base;
  if (lineage.seed.origin != Seed::Origin::kFile || !lineage.steps.empty()) base = base_of(lineage.seed);
  if (!base || mutate::replay(*base, lineage.steps).source() != start.source()) return reduce::reduce(start, problem);
  reduce::Problem staged = problem;
  staged.better = [&](const Program& program, const reduce::Progress& progress) {
    mutations = mutations_of(program);
    if (problem.better) problem.better(program, progress);
  };
  reduce::Reduced first = reduce::reduce_lineage(*base, lineage.steps, staged, base_of);
  mutations = mutations_of(first.parsed.program());
  if (only_steps) return first;
  Result<mutate::Parsed> between = mutate::parse(first.parsed.program());
  JP_CHECK(between.ok(), "a replayed program does not parse");
  reduce::Reduced second = reduce::reduce(between.value(), problem);
  second.progress += first.progress;
  return second;
}

/// Tidies a deferred reduction: removes what would distract a reader.
mutate::Parsed tidied(const mutate::Parsed& parsed, const reduce::Problem& problem, reduce::Progress& progress) {
  std::vector<const reduce::Pass*> passes;
  for (const reduce::Pass* pass : reduce::passes_in_order())
    if (std::find(kTidy.begin(), kTidy.end(), pass->name()) != kTidy.end()) passes.push_back(pass);
  const reduce::Reduced tidy = reduce::reduce(parsed, problem, passes);
  progress += tidy.progress;
  return tidy.parsed;
}

codec::Json about(const Subject& subject, const Program& program, const std::string& torch) {
  const Plan plan = subject.oracle->plan(program, subject.plan);
  const std::string wanted = subject.in_any_way ? "any" : subject.signature ? subject.signature->id() : "";
  return {{"version", codec::kVersion},
          {"program", program.sha256()},
          {"plan", sha256_hex(codec::text(codec::to_json(plan)))},
          {"signatures", oracle::kSignatureVersion},
          {"signature", wanted},
          {"torch", torch}};
}

}  // namespace

std::optional<mutate::Parsed> base_of(const Seed& seed) {
  Result<Program> program =
      seed.origin == Seed::Origin::kFile ? load_program(seed.path, "program", "make_inputs") : regenerate_any(seed);
  if (!program.ok()) return std::nullopt;
  if (seed.origin == Seed::Origin::kFile && program.value().sha256() != seed.sha256) return std::nullopt;
  Result<mutate::Parsed> parsed = mutate::parse(program.value());
  return parsed.ok() ? std::optional(std::move(parsed).value()) : std::nullopt;
}

pyrunner::Limits limits_for(pyrunner::Limits limits, const JudgedProgram& judged, double asked) {
  if (asked > 0) limits.seconds = asked;
  for (const Outcome& outcome : judged.outcomes)
    if (std::holds_alternative<TimedOut>(outcome.ending)) return limits;
  double longest = 0;
  for (const Outcome& outcome : judged.outcomes) longest = std::max(longest, outcome.seconds);
  if (asked <= 0) limits.seconds = std::min(limits.seconds, 10 + 3 * longest);
  limits.hang_retry_factor = 0;
  return limits;
}

Result<bool> Reduction::open(RunnerPool& pool) {
  if (answers_) return true;
  if (subject_.answers.empty()) {
    answers_.emplace();
    return true;
  }
  Result<CandidateResults> opened =
      CandidateResults::open(subject_.answers, about(subject_, subject_.program, pool.torch()));
  if (!opened.ok()) return opened.error();
  answers_.emplace(std::move(opened).value());
  return true;
}

bool Reduction::refuted(const Program& program) const {
  if (!answers_) return false;
  const std::optional<CandidateResults::Answer> answer = answers_->find(program.sha256(), true);
  return answer && !answer->alike;
}

void Reduction::forget() {
  answers_.reset();
  starts_.clear();
  std::error_code ignored;
  if (!subject_.answers.empty()) std::filesystem::remove(subject_.answers, ignored);
}

std::optional<Reduction::Start> Reduction::started(RunnerPool& pool, const Program& program,
                                                   std::vector<std::string> mutations, const PieceEnds& ends) {
  const std::string sha256 = program.sha256();
  if (const auto known = starts_.find(sha256); known != starts_.end()) return known->second;
  Result<mutate::Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return std::nullopt;
  JudgedProgram judged;
  if (subject_.judged && sha256 == subject_.program.sha256())
    judged = *subject_.judged;
  else
    pool.work_alone(
        [&](pyrunner::Runner& runner) { judged = judge_alone(runner, *subject_.oracle, program, subject_.plan); });
  if (ends.given_up && ends.given_up()) return std::nullopt;
  const bool alike =
      judged.verdict.kind == Verdict::Kind::kDiverge &&
      (!subject_.signature || subject_.in_any_way || oracle::diverges_alike(judged.signature, *subject_.signature));
  if (!alike) {
    refusal_ = std::move(judged);
    return std::nullopt;
  }
  Start start{std::move(parsed).value(), std::move(mutations), std::move(judged)};
  return starts_.emplace(sha256, std::move(start)).first->second;
}

Result<std::optional<Piece>> Reduction::from_start(RunnerPool& pool, const PieceEnds& ends) {
  if (Result<bool> opened = open(pool); !opened.ok()) return opened.error();
  const std::optional<Start> start = started(pool, subject_.program, mutations_of(subject_.program), ends);
  if (!start) return std::optional<Piece>();
  return reduce(pool, *start, ends, {});
}

Result<std::optional<Piece>> Reduction::go_on(RunnerPool& pool, const PieceEnds& ends) {
  if (Result<bool> opened = open(pool); !opened.ok()) return opened.error();
  const std::optional<report::ReducedProgram> kept = subject_.kept ? subject_.kept() : std::nullopt;
  if (!kept || !reduce::simpler(kept->program, subject_.program)) return from_start(pool, ends);
  // The stored answers lead from the program to what is stored, and further.
  const std::string sha256 = kept->program.sha256();
  for (bool full : {true, false})
    if (const auto answer = answers_->find(sha256, full); answer && answer->alike) return from_start(pool, ends);
  if (!subject_.signature) {
    const std::optional<Start> first = started(pool, subject_.program, mutations_of(subject_.program), ends);
    if (!first) return std::optional<Piece>();
    subject_.signature = first->judged.signature;
  }
  const std::optional<Start> start = started(pool, kept->program, kept->mutations, ends);
  if (ends.given_up && ends.given_up()) return std::optional<Piece>();
  if (start) {
    report::Trail trail = subject_.trail ? subject_.trail() : report::Trail();
    return reduce(pool, *start, ends, report::ending_in(std::move(trail), kept->program.source()));
  }
  if (!subject_.replace)
    return Error{"the stored program does not diverge in the same way, so it is no reduction of this program"};
  // Where the program itself does not diverge either (another torch, a flaky run), that says nothing of the stored one.
  const report::ReducedProgram whole{subject_.program, mutations_of(subject_.program)};
  const std::optional<Start> anew = started(pool, whole.program, whole.mutations, ends);
  if (!anew) return std::optional<Piece>();
  if (Status replaced = subject_.replace(whole); !replaced.ok()) return replaced.error();
  return reduce(pool, *anew, ends, {});
}

Result<std::optional<Piece>> Reduction::reduce(RunnerPool& pool, const Start& start, const PieceEnds& ends,
                                               report::Trail earlier) {
  const CandidateLimits limits(pool, limits_for(pool.limits(), start.judged, subject_.limit));
  std::int64_t bound = ends.candidates;
  std::optional<Error> disk;
  const InterestingnessTest* asked = nullptr;
  const auto stop = [&] {
    if (disk || (asked && asked->failure())) return true;
    if (bound > 0 && asked && asked->judged() >= bound) return true;
    return (ends.stop && ends.stop()) || (ends.given_up && ends.given_up());
  };
  const std::optional<Signature> alike = subject_.in_any_way ? std::nullopt : std::optional(start.judged.signature);
  InterestingnessTest fault(pool, *subject_.oracle, subject_.plan, alike, *answers_, {stop, ends.given_up},
                            isolation_for(start.parsed, start.judged.signature, subject_.plan), subject_.behind);
  asked = &fault;
  bool on_purpose = false;
  pool.work_alone(
      [&](pyrunner::Runner& runner) { on_purpose = depends_on_being_compiled(runner, start.parsed.program()); });
  if (!on_purpose) fault.refuse_differences_on_purpose();
  std::vector<std::string> mutations = start.mutations;
  std::map<std::string, std::vector<std::string>> needs = {{start.parsed.program().sha256(), mutations}};
  ReductionPath path(std::move(earlier));
  reduce::Problem problem;
  problem.accepted = [&](const Program& before, const Program& after, std::string_view pass) {
    path.add(before, after, pass);
  };
  problem.first_interesting = [&](const std::vector<Program>& list) { return fault.first(list); };
  problem.facts = [&](const mutate::Parsed& parsed) { return fault.facts(parsed); };
  problem.stop = stop;
  problem.output = output_of(start.judged.verdict.differences.front());
  problem.better = [&](const Program& program, const reduce::Progress&) {
    needs[program.sha256()] = mutations;
    if (!subject_.better || disk) return;
    if (Status kept = subject_.better({program, mutations}); !kept.ok()) disk = kept.error();
  };
  reduce::VerificationHooks hooks{[&] {
                                    fault.judge_fully();
                                    if (ends.searched) ends.searched();
                                  },
                                  ends.given_up};
  if (subject_.only_steps)
    hooks.go_on = [](const mutate::Parsed& verified, const reduce::Problem&) {
      return reduce::Reduced{verified, {}, true};
    };
  reduce::VerifiedReduction sure = reduce::reduce_then_verify(problem, hooks, [&](const reduce::Problem& given) {
    return in_stages(start.parsed, given, subject_.only_steps, mutations);
  });
  mutations = needs.at(sure.reduced.parsed.program().sha256());
  Piece piece{.parsed = sure.reduced.parsed, .finished = sure.reduced.finished, .verified = sure.verified};
  piece.progress = std::move(sure.reduced.progress);
  problem.output.reset();
  if (!piece.finished && piece.verified && !subject_.only_steps) {
    // Whatever ended it may still hold; a reader's time is worth some more questions.
    bound = fault.judged() + kTidying;
    problem.stop = [&] { return fault.given_up() || fault.judged() >= bound; };
    piece.parsed = tidied(piece.parsed, problem, piece.progress);
  }
  if (const auto names = piece.verified && !subject_.only_steps ? reduce::plain_names(piece.parsed) : std::nullopt)
    if (std::optional<mutate::Parsed> plain = reduce::apply(piece.parsed, *names);
        plain && !(reduce::weigh(piece.parsed) < reduce::weigh(*plain)) && fault.first({plain->program()}) &&
        !fault.given_up()) {
      path.add(piece.parsed.program(), plain->program(), "plain_names");
      piece.parsed = *std::move(plain);
    }
  if (disk) return *disk;
  if (fault.failure()) return *fault.failure();
  piece.mutations = std::move(mutations);
  piece.others = fault.others();
  piece.judged = fault.judged();
  piece.runs = fault.runs();
  piece.signature = start.judged.signature;
  piece.trail = path.to(piece.parsed.program());
  return std::optional(std::move(piece));
}

Subject subject_of(const std::string& folder, const Finding& finding, bool keeps) {
  const std::string id = finding.signature.id();
  Subject subject{.program = finding.program,
                  .oracle = &need_oracle(finding.plan.oracle),
                  .plan = plan_options_of(finding.plan),
                  .signature = oracle::current_signature(finding),
                  .answers = fmt::format("{}/reducing/{}.jsonl", folder, finding.program.sha256().substr(0, 16)),
                  .kept = {},
                  .trail = {},
                  .better = {},
                  .replace = {},
                  .behind = report::load_slip(folder, id).behind};
  // Answers are kept apart from those of the bug whose avoid line is used, since the two may share the program.
  if (!subject.behind.empty()) subject.answers.insert(subject.answers.rfind('.'), "-behind");
  if (!keeps) return subject;
  subject.kept = [folder, id]() -> std::optional<report::ReducedProgram> {
    const auto form = report::load_reduced_form(folder, id);
    return form ? std::optional(form->best) : std::nullopt;
  };
  subject.trail = [folder, id] { return report::load_trail(folder, id); };
  subject.better = [folder, id](const report::ReducedProgram& small) { return keep_better(folder, id, small); };
  subject.replace = [folder, id](const report::ReducedProgram& small) {
    std::optional<report::ReducedForm> form = report::load_reduced_form(folder, id);
    JP_CHECK(form, "nothing is kept of {}", id);
    form->best = small;
    form->finished = form->verified = false;
    return report::keep_reduced_form(folder, id, *form);
  };
  return subject;
}

Subject subject_now(const std::string& folder, const Finding& finding, bool keeps) {
  Subject subject = subject_of(folder, finding, keeps);
  // Another judgement may have said what it depends on.
  if (!finding.plan.depends_on.empty()) return subject;
  const Signature signature = oracle::signature_of(subject.plan.backend, finding.verdict, finding.outcomes);
  subject.judged = {finding.plan, finding.outcomes, finding.verdict, signature};
  return subject;
}

Status keep_better(const std::string& folder, const std::string& id, const report::ReducedProgram& small) {
  std::optional<report::ReducedForm> form = report::load_reduced_form(folder, id);
  if (form && !reduce::simpler(small.program, form->best.program)) return Done{};
  if (!form) form = report::ReducedForm{.best = small, .bounded = std::nullopt};
  form->best = small;
  form->finished = form->verified = false;
  return report::keep_reduced_form(folder, id, *form);
}

Result<report::ReducedForm> keep_piece(const std::string& folder, const std::string& id, const Piece& piece,
                                       const Reduction& reducing) {
  std::optional<report::ReducedForm> form = report::load_reduced_form(folder, id);
  const report::ReducedProgram small = piece.small();
  if (!form) form = report::ReducedForm{.best = small, .bounded = std::nullopt};
  const bool same = form->best.program.source() == small.program.source();
  const bool gone = !same && reducing.refuted(form->best.program);
  const bool simpler = reduce::simpler(small.program, form->best.program);
  const bool larger = reduce::simpler(form->best.program, small.program);
  // Of two that are equally simple the one that was judged in full is better.
  const bool taken = same || gone || simpler || (!larger && piece.verified);
  if (!taken) return *std::move(form);
  form->finished = piece.finished || (same && form->finished);
  form->verified = piece.verified || (same && form->verified);
  form->best = small;
  if (Status kept = report::keep_reduced_form(folder, id, *form); !kept.ok()) return kept.error();
  if (Status kept = report::keep_trail(folder, id, piece.trail); !kept.ok()) return kept.error();
  return *std::move(form);
}

}  // namespace jp::campaign
