// What torch does with broken calls: breaks_soak BACKEND FIRST SEEDS BEFORE [EACH [ONE_IN [OPERATOR…]]].
//
// Each constraint of each operator that torch has too is broken in both ways, as often as it is new by dtype and shape
// class in so many seeds but at most EACH times (1), behind BEFORE valid calls, and judged by rejects_alike. Of all
// these calls, in the order of operators, each ONE_IN-th is judged (1: all). What became of each is a line when it is
// met; a difference is judged again alone before it counts as one, and its program follows the line. The table at the
// end counts the answers. Exit 1 if there is a difference. `./dev soak breaks` calls it, and compares the lines with
// breaks_expected.tsv (breaks.py).
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "campaign/common/judging.h"
#include "pyrunner/paths.h"
#include "pyrunner/runner.h"
#include "seedgen/bases/members.h"
#include "seedgen/broken.h"

namespace jp::soak {
namespace {

using pyrunner::Isolation;
using pyrunner::Runner;

enum class Answer { kAlike, kOtherClass, kAccepted, kCompilerError, kCrash, kHang, kEagerAccepts, kUndecided };
constexpr std::array<std::string_view, 8> kAnswers = {"refused alike", "refused with another class",
                                                      "accepted",      "compiler error",
                                                      "crash",         "hang or memory",
                                                      "eager accepts", "undecided"};

struct Options {
  std::string backend;
  std::uint64_t first = 0;
  std::uint64_t seeds = 1;
  int before = 0;
  int each = 1;
  int one_in = 1;
};

[[noreturn]] void leave(const Error& error) {
  fmt::print(stderr, "breaks_soak: {}\n", error.message);
  std::exit(2);
}

std::unique_ptr<Runner> start(const std::string& backend) {
  Result<pyrunner::RunnerOptions> options = pyrunner::default_options();
  if (!options.ok()) leave(options.error());
  options.value().backends = {backend};
  Result<std::unique_ptr<Runner>> runner = Runner::start(options.value());
  if (!runner.ok()) leave(runner.error());
  return std::move(runner).value();
}

Answer answer_of(const Verdict& verdict) {
  if (verdict.rule == "not_broken") return Answer::kEagerAccepts;
  if (verdict.kind == Verdict::Kind::kDiverge && !verdict.differences.empty()) {
    switch (verdict.differences.front().mismatch) {
      case Mismatch::kDeath:
        return Answer::kCrash;
      case Mismatch::kHang:
      case Mismatch::kMemory:
        return Answer::kHang;
      case Mismatch::kCompilerError:
        return Answer::kCompilerError;
      case Mismatch::kErrorClass:
        return Answer::kOtherClass;
      default:
        return Answer::kAccepted;
    }
  }
  if (verdict.kind == Verdict::Kind::kAgree) return Answer::kAlike;
  return Answer::kUndecided;
}

/// Judges calls and counts the answers.
class Sweep {
 public:
  Sweep(Runner& runner, const Options& options) : runner_(runner), options_(options) {}

  void judge(const seedgen::BrokenCall& call) {
    Result<Program> program = Program::make(call.source, {});
    if (!program.ok()) leave(program.error());
    oracle::PlanOptions plan{.backend = options_.backend};
    plan.report = {"error_class"};
    const oracle::Oracle& oracle = campaign::need_oracle("rejects_alike");
    Verdict verdict = campaign::judge(runner_, oracle, program.value(), plan, Isolation::kBatch).verdict;
    if (answer_of(verdict) > Answer::kOtherClass)
      verdict = campaign::judge_alone(runner_, oracle, program.value(), plan).verdict;
    const Answer answer = answer_of(verdict);
    ++answers_[answer];
    const std::string name = seedgen::feature_name(call.feature);
    fmt::print("{}: {}: {}\n", kAnswers[static_cast<std::size_t>(answer)], name, verdict.reason);
    if (answer > Answer::kOtherClass) fmt::print("{}\n", call.source);
    std::fflush(stdout);
  }

  /// Everything that is new of the operator.
  void sweep(const std::string& op) {
    std::map<std::string, int> times;  // constraint, place and way
    seedgen::Coverage done;
    for (std::uint64_t seed = options_.first; seed < options_.first + options_.seeds; ++seed)
      for (const seedgen::BrokenCall& call : seedgen::broken_calls(op, seed, options_.before)) {
        if (!call.only_ours.empty() || done.has(call.feature)) continue;
        const std::string name = seedgen::feature_name(call.feature);
        const std::size_t from = name.find(' ', name.find(' ') + 1) + 1;
        if (times[name.substr(from, name.find(' ', from) - from)]++ >= options_.each) continue;
        done.add(call.feature);
        if (++calls_ % options_.one_in == 0) judge(call);
      }
  }

  int finish() const {
    int differences = 0;
    for (const auto& [answer, count] : answers_) {
      fmt::print("{:8} {}\n", count, kAnswers[static_cast<std::size_t>(answer)]);
      if (answer > Answer::kOtherClass) differences += count;
    }
    return differences == 0 ? 0 : 1;
  }

 private:
  Runner& runner_;
  Options options_;
  std::map<Answer, int> answers_;
  std::int64_t calls_ = 0;
};

int run(const Options& options, std::vector<std::string> operators) {
  if (operators.empty())
    for (const seedgen::Member& member : seedgen::all_members()) operators.emplace_back(member.id);
  std::unique_ptr<Runner> runner = start(options.backend);
  Sweep sweep(*runner, options);
  for (const std::string& op : operators) sweep.sweep(op);
  return sweep.finish();
}

}  // namespace
}  // namespace jp::soak

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: breaks_soak BACKEND FIRST SEEDS BEFORE [EACH [ONE_IN [OPERATOR...]]]\n");
    return 2;
  }
  jp::soak::Options options{.backend = argv[1],
                            .first = std::strtoull(argv[2], nullptr, 10),
                            .seeds = std::strtoull(argv[3], nullptr, 10),
                            .before = std::atoi(argv[4])};
  if (argc > 5) options.each = std::atoi(argv[5]);
  if (argc > 6) options.one_in = std::max(1, std::atoi(argv[6]));
  std::vector<std::string> operators(argv + std::min(argc, 7), argv + argc);
  return jp::soak::run(options, std::move(operators));
}
