#include "campaign/triage/interestingness.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <utility>

#include "campaign/known/known_avoid.h"
#include "campaign/known/told_compiled.h"
#include "mutate/safety/introspection.h"
#include "mutate/syntax/queries.h"
#include "oracle/signature/signature.h"
#include "pyrunner/runners.h"

namespace jp::campaign {
namespace {

// Whether loading the file only binds names of its own.
bool only_defines(const mutate::Parsed& parsed) {
  const std::vector<mutate::Statement>& all = parsed.statements();
  return std::all_of(all.begin(), all.end(), [](const mutate::Statement& statement) {
    return statement.parent >= 0 || mutate::is_import(statement.node) || mutate::is_docstring(statement) ||
           statement.kind() == "function_definition" || statement.kind() == "class_definition" ||
           mutate::assignment(statement).only_name();
  });
}

}  // namespace

pyrunner::Isolation isolation_for(const mutate::Parsed& start, const Signature& signature,
                                  const oracle::PlanOptions& options) {
  constexpr Mismatch kEndsChild[] = {Mismatch::kDeath, Mismatch::kHang, Mismatch::kMemory};
  const bool ends = std::any_of(std::begin(kEndsChild), std::end(kEndsChild),
                                [&](Mismatch mismatch) { return mismatch_name(mismatch) == signature.kind; });
  return ends || !options.depends_on.empty() || !only_defines(start) ? pyrunner::Isolation::kFresh
                                                                     : pyrunner::Isolation::kBatch;
}

Result<std::unique_ptr<RunnerPool>> RunnerPool::start(const pyrunner::RunnerOptions& options, std::size_t jobs) {
  auto runners = pyrunner::start_runners(options, static_cast<int>(jobs));
  if (!runners.ok()) return runners.error();
  std::unique_ptr<RunnerPool> pool(new RunnerPool());
  pool->runners_ = std::move(runners).value();
  for (std::size_t i = 0; i < jobs; ++i) pool->threads_.emplace_back([pool = pool.get(), i] { pool->live(i); });
  return pool;
}

std::unique_ptr<RunnerPool> RunnerPool::of(pyrunner::Runner& runner) {
  std::unique_ptr<RunnerPool> pool(new RunnerPool());
  pool->borrowed_ = &runner;
  return pool;
}

RunnerPool::~RunnerPool() {
  {
    std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void RunnerPool::live(std::size_t number) {
  std::unique_lock lock(mutex_);
  for (std::uint64_t seen = 0;;) {
    changed_.wait(lock, [&] { return over_ || round_ != seen; });
    if (over_) return;
    seen = round_;
    if (number >= takers_) continue;
    lock.unlock();
    std::exception_ptr thrown;
    try {
      (*work_)(*runners_[number]);
    } catch (const std::exception&) {
      thrown = std::current_exception();
    }
    lock.lock();
    if (thrown) thrown_ = thrown;
    if (--busy_ == 0) changed_.notify_all();
  }
}

void RunnerPool::hand_out(const std::function<void(pyrunner::Runner&)>& work, std::size_t takers) {
  if (borrowed_) return work(*borrowed_);
  std::unique_lock lock(mutex_);
  work_ = &work;
  takers_ = busy_ = takers;
  ++round_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return busy_ == 0; });
  if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void RunnerPool::work(const std::function<void(pyrunner::Runner&)>& work) { hand_out(work, runners_.size()); }
void RunnerPool::work_alone(const std::function<void(pyrunner::Runner&)>& work) { hand_out(work, 1); }

void RunnerPool::set_limits(const pyrunner::Limits& limits) {
  if (borrowed_) borrowed_->set_limits(limits);
  for (auto& runner : runners_) runner->set_limits(limits);
}

std::optional<CandidateResults::Answer> InterestingnessTest::known(const std::string& sha256) {
  std::lock_guard lock(mutex_);
  return answers_.find(sha256, !options_.brief);
}

// Nothing if the runner gave up on the way.
std::optional<CandidateResults::Answer> InterestingnessTest::judged_now(pyrunner::Runner& runner,
                                                                        const Program& program) {
  const JudgedProgram judged = judge(runner, oracle_, program, options_, isolation_, Eagerness::kByNeed);
  CandidateResults::Answer answer;
  if (judged.verdict.kind == Verdict::Kind::kDiverge &&
      !(refuses_purpose_ && depends_on_being_compiled(runner, program))) {
    answer.alike = !signature_ || oracle::diverges_alike(judged.signature, *signature_);
    if (!answer.alike) answer.other = judged.signature.id();
    if (answer.alike && signature_ && !behind_.empty())
      answer.alike = stays_behind(runner, oracle_, program, options_, behind_, *signature_);
  }
  std::lock_guard lock(mutex_);
  runs_ += static_cast<std::int64_t>(judged.outcomes.size());
  if (given_up() || runner.failure()) return std::nullopt;
  if (Status kept = answers_.add(program.sha256(), !options_.brief, answer); !kept.ok() && !failure_)
    failure_ = kept.error();
  return answer;
}

bool InterestingnessTest::diverges(pyrunner::Runner& runner, const Program& program) {
  std::optional<CandidateResults::Answer> answer = known(program.sha256());
  if (!answer) answer = judged_now(runner, program);
  std::lock_guard lock(mutex_);
  ++judged_;
  if (answer && !answer->other.empty()) others_.emplace(answer->other, program);
  return answer && answer->alike;
}

std::optional<std::size_t> InterestingnessTest::first(const std::vector<Program>& programs) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> best = programs.size();
  pool_.work([&](pyrunner::Runner& runner) {
    // Candidates are handed out in order: everything before the best one has been judged, or is being judged.
    for (std::size_t at = next++; at < best; at = next++) {
      if (at > 0 && ends_.stop && ends_.stop()) break;
      if (!diverges(runner, programs[at])) continue;
      std::size_t known = best;
      while (at < known && !best.compare_exchange_weak(known, at)) {
      }
    }
  });
  if (best == programs.size()) return std::nullopt;
  return best;
}

Facts InterestingnessTest::facts(const mutate::Parsed& parsed) {
  const std::string sha256 = parsed.program().sha256();
  if (const auto kept = answers_.facts().find(sha256); kept != answers_.facts().end()) return kept->second;
  Facts facts;
  pool_.work_alone(
      [&](pyrunner::Runner& runner) { facts = runner.facts(parsed.program(), mutate::watched(parsed)).facts; });
  ++runs_;
  if (!given_up()) answers_.facts()[sha256] = facts;
  return facts;
}

std::optional<std::size_t> output_of(const Difference& difference) {
  constexpr std::string_view kOutput = "output[";
  if (!difference.where.starts_with(kOutput)) return std::nullopt;
  std::size_t at = 0;
  const char* end = difference.where.data() + difference.where.size();
  const auto read = std::from_chars(difference.where.data() + kOutput.size(), end, at);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != ']') return std::nullopt;
  return at;
}

}  // namespace jp::campaign
