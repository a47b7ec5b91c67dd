// /api/hunt: mutants of a program, one after the other, until one diverges.
#include <fmt/format.h>

#include <memory>
#include <utility>

#include "answers/steps.h"
#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "codec/codec.h"
#include "explore/mutating.h"
#include "explore/request.h"
#include "explore/running.h"

namespace jp::explore {
namespace {

using campaign::Profiled;
using codec::Json;

/// Steps of a mutant at most: as many as a campaign takes.
constexpr std::uint64_t kStepsOfMutant = 6;
/// So many mutants in a row without a step, and no further one is expected to have any. Chosen, not measured.
constexpr int kMostWithoutStep = 50;

struct Hunt {
  Asked asked;
  std::string backend;
  std::uint64_t seed = 0;
  mutate::Weights weights;
};

class Hunter {
 public:
  Hunter(Stream& stream, pyrunner::Runner& runner, const Hunt& hunt)
      : stream_(stream), runner_(runner), hunt_(hunt), oracle_(campaign::need_oracle("eager_vs_compiled")) {}

  /// Until a mutant diverges, no mutation applies, or somebody cancels.
  void hunt(const Profiled& base) {
    const Choices choices(hunt_.seed);
    if (diverges(base.parsed.program())) return tell(base.parsed);
    int without_step = 0;  // in a row
    for (std::uint64_t drawn = 0; goes_on() && without_step < kMostWithoutStep; ++drawn) {
      const Profiled mutant = mutant_of(base, choices.fork("mutant", drawn));
      if (!goes_on()) break;
      if (steps_of(mutant) == steps_of(base)) {
        ++without_step;  // it is the program itself, which is judged already
        continue;
      }
      without_step = 0;
      if (diverges(mutant.parsed.program())) return tell(mutant.parsed);
      stream_.count("tried", ++tried_);
    }
    if (stream_.cancel().asked()) return;
    fail(runner_.failure() ? runner_.failure()->message : "no mutation that was asked for applies to this program");
  }

 private:
  static std::size_t steps_of(const Profiled& made) { return made.parsed.program().lineage().steps.size(); }
  bool goes_on() const { return !stream_.cancel().asked() && !runner_.failure(); }
  void fail(const std::string& why) { stream_.emit("failed", {{"error", why}}); }

  Profiled mutant_of(const Profiled& base, const Choices& choices) {
    Profiled current = base;
    Choices drawn = choices.fork("steps");
    const std::uint64_t steps = 1 + drawn.below(kStepsOfMutant);
    int number = hunt_.asked.next;
    for (std::uint64_t i = 0; i < steps && goes_on(); ++i) {
      Choices own = choices.fork("step", i);
      if (auto next = numbered_step(runner_, current, own, hunt_.weights, number)) {
        current = std::move(*next);
        ++number;
      }
    }
    return current;
  }

  /// A divergence counts if it shows again alone: a batch may carry state from one program to the next.
  bool diverges(const Program& program) {
    const oracle::PlanOptions options{.backend = hunt_.backend};
    judged_ = campaign::judge(runner_, oracle_, program, options, pyrunner::Isolation::kBatch);
    if (judged_.verdict.kind != Verdict::Kind::kDiverge || !goes_on()) return false;
    judged_ = campaign::judge_alone(runner_, oracle_, program, options);
    return judged_.verdict.kind == Verdict::Kind::kDiverge && goes_on();
  }

  void tell(const mutate::Parsed& made) {
    Json steps = Json::array();
    for (const Step& step : made.program().lineage().steps)
      if (step.number >= hunt_.asked.next) steps.push_back(mutate::print_step(step));
    stream_.emit("diverged",
                 {{"steps", steps}, {"source", made.source()}, {"verdict", codec::to_json(judged_.verdict)}});
  }

  Stream& stream_;
  pyrunner::Runner& runner_;
  const Hunt& hunt_;
  const oracle::Oracle& oracle_;
  campaign::JudgedProgram judged_;
  std::uint64_t tried_ = 0;  // mutants that were judged
};

void make_hunt(Explorer& explorer, Stream& stream, const Hunt& hunt) {
  const auto say = [&](const std::string& what) { stream.say(what); };
  stream.count("tried", 0);
  Result<Runners::Lease> lease = explorer.runners().take(stream.cancel(), run_limits(explorer), say);
  if (!lease.ok()) {
    if (!stream.cancel().asked()) stream.emit("failed", {{"error", lease.error().message}});
    return;
  }
  stream.say(fmt::format("mutates and compares under {}", hunt.backend));
  Result<Profiled> base = profiled(explorer, lease.value().runner(), hunt.asked.made);
  if (base.ok()) return Hunter(stream, lease.value().runner(), hunt).hunt(base.value());
  if (!stream.cancel().asked()) stream.emit("failed", {{"error", base.error().message}});
}

}  // namespace

Result<Stream::Work> hunt_work(Explorer& explorer, const Json& body) {
  Result<Asked> asked = read_asked(body, explorer);
  if (!asked.ok()) return asked.error();
  Result<std::string> backend = read_backend(body, explorer);
  if (!backend.ok()) return backend.error();
  Result<std::vector<std::string>> only = read_texts(body, "only");
  if (!only.ok()) return only.error();
  Result<mutate::Weights> weights = answers::weights({only.value(), {}});
  if (!weights.ok()) return weights.error();
  Result<std::optional<std::uint64_t>> seed = read_number(body, "seed", kLargestSeed);
  if (!seed.ok()) return seed.error();
  auto hunt =
      std::make_shared<const Hunt>(Hunt{std::move(asked).value(), backend.value(),
                                        seed.value().value_or(campaign::fresh_seed()), std::move(weights).value()});
  return Stream::Work([&explorer, hunt](Stream& stream) { make_hunt(explorer, stream, *hunt); });
}

}  // namespace jp::explore
