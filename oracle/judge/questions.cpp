#include "oracle/judge/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "oracle/judge/compare.h"
#include "oracle/judge/elements.h"

namespace jp::oracle {
namespace {

constexpr int kFirstNoise = 4;
// A jump that one rounding decides is missed by a run in two of three cases; by twelve in less than one of a hundred.
constexpr int kAllNoise = 12;
// Of hundreds of jumps some are missed by twelve, too: where most of a tensor's are explained, a few are asked for
// further.
constexpr int kMostNoise = 36;
constexpr double kMostly = 4;
// Backwards, then at random: of three equals each is met at each place in most of them.
constexpr int kChoices = 4;
constexpr int kOtherValues = 3;
constexpr int kCompiledValues = 2;

// All further runs of one pair, by what they are for.
class CallArguments {
 public:
  CallArguments(const Runs& runs, const Sides& sides) : runs_(runs), sides_(sides) {
    const RunRequest* eager = runs.request(sides.eager);
    const RunRequest* observed = runs.request(sides.observed);
    JP_CHECK(eager && observed, "a plan without the runs {} and {}", sides.eager, sides.observed);
    eager_ = *eager;
    observed_ = *observed;
    // What rounding does has nothing to do with where things lie, and a new interpreter for each run takes minutes.
    further_eager_ = *eager;
    further_eager_.fixed_addresses = false;
  }

  RunRequest again() const { return once_more(eager_, runs_.plan().depends_on); }

  RunRequest higher(const std::string& precision) const {
    RunRequest run = variant(further_eager_, precision + sides_.suffix);
    run.precision = precision;
    return run;
  }

  RunRequest noise(int number) const {
    RunRequest run = variant(further_eager_, fmt::format("monte_carlo_{}{}", number, sides_.suffix));
    run.precision = "monte_carlo";
    run.noise_seed = static_cast<std::uint64_t>(number);
    return run;
  }

  RunRequest choices(int number) const {
    RunRequest run = variant(further_eager_, fmt::format("other_choices_{}{}", number, sides_.suffix));
    run.precision = "other_choices";
    run.noise_seed = static_cast<std::uint64_t>(number);
    return run;
  }

  RunRequest casts() const {
    RunRequest run = variant(observed_, sides_.observed + "_casts");
    run.switches.emplace_back("emulate_precision_casts");
    return run;
  }

  RunRequest other_eager(int number) const {
    RunRequest run = variant(further_eager_, fmt::format("eager_values_{}{}", number, sides_.suffix));
    run.values_seed = static_cast<std::uint64_t>(number);
    return run;
  }

  RunRequest other_float64(int number) const {
    RunRequest run = variant(further_eager_, fmt::format("float64_values_{}{}", number, sides_.suffix));
    run.precision = "float64";
    run.values_seed = static_cast<std::uint64_t>(number);
    return run;
  }

  RunRequest other_compiled(int number) const {
    RunRequest run = variant(observed_, fmt::format("{}_values_{}", sides_.observed, number));
    run.values_seed = static_cast<std::uint64_t>(number);
    return run;
  }

  const Observation* observation(const RunRequest& run) const {
    const Finished* finished = runs_.finished(run.role);
    return finished ? &finished->observation : nullptr;
  }

  bool answered(const RunRequest& run) const { return runs_.outcome(run.role) != nullptr; }

 private:
  static RunRequest variant(RunRequest run, std::string role) {
    run.role = std::move(role);
    return run;
  }

  const Runs& runs_;
  const Sides& sides_;
  RunRequest eager_;
  RunRequest observed_;
  RunRequest further_eager_;
};

bool is_half(const TensorRecord& record) { return record.dtype == "float16" || record.dtype == "bfloat16"; }

bool is_inexact(const TensorRecord& record) {
  const std::optional<Dtype> dtype = parse_dtype(record.dtype);
  return !dtype || is_floating(*dtype) || is_complex(*dtype);
}

bool any_tensor(const Observation& observation, bool (*holds)(const TensorRecord&)) {
  return std::any_of(observation.tensors.begin(), observation.tensors.end(), holds);
}

void listen(ControlRuns& controls, ControlKind kind, int number, const Observation* observation) {
  if (observation) controls.runs.push_back({kind, number, observation});
}

ControlRuns make_panel(const Runs& runs, const Sides& sides, const CallArguments& asked) {
  ControlRuns controls;
  controls.reference = sides.reference;
  controls.observed = sides.observed;
  controls.any_device = sides.any_device;
  controls.dead_lines = runs.plan().dead_lines;
  listen(controls, ControlKind::kFloat32, 0, asked.observation(asked.higher("float32")));
  listen(controls, ControlKind::kFloat64, 0, asked.observation(asked.higher("float64")));
  bool tried = false;
  for (int i = 1; i <= kMostNoise; ++i) {
    tried = tried || asked.answered(asked.noise(i));
    listen(controls, ControlKind::kNoise, i, asked.observation(asked.noise(i)));
  }
  controls.noise_failed = tried && !controls.has(ControlKind::kNoise);
  for (int i = 1; i <= kChoices; ++i) listen(controls, ControlKind::kChoices, i, asked.observation(asked.choices(i)));
  listen(controls, ControlKind::kCasts, 0, asked.observation(asked.casts()));
  for (int i = 1; i <= kOtherValues; ++i) {
    listen(controls, ControlKind::kOtherEager, i, asked.observation(asked.other_eager(i)));
    listen(controls, ControlKind::kOtherFloat64, i, asked.observation(asked.other_float64(i)));
  }
  return controls;
}

// Whether rounding can have a part in it: a float is to be seen somewhere, or noise moved something.
bool may_round(const Observation& eager, const ControlRuns& controls) {
  if (any_tensor(eager, is_inexact)) return true;
  return std::any_of(controls.runs.begin(), controls.runs.end(), [&](const ControlRun& run) {
    if (run.kind != ControlKind::kNoise) return false;
    const Comparison moved = compare(eager, *run.observation);
    return !moved.strong.empty() || moved.agreement != RuleName("bitwise");
  });
}

// On other values the two must differ too, or a small difference is none that can be shown.
bool vanishes(const Sides& sides, const CallArguments& asked) {
  int pairs = 0;
  for (int i = 1; i <= kCompiledValues; ++i) {
    const Observation* eager = asked.observation(asked.other_eager(i));
    const Observation* observed = asked.observation(asked.other_compiled(i));
    if (!eager || !observed) continue;
    ++pairs;
    ControlRuns controls;
    controls.any_device = sides.any_device;
    // The values differ from pair to pair, and the roundings inside one operator are of one size.
    listen(controls, ControlKind::kFloat64, 0, asked.observation(asked.other_float64(i)));
    for (int j = 1; j <= kOtherValues; ++j) {
      listen(controls, ControlKind::kOtherEager, j, asked.observation(asked.other_eager(j)));
      listen(controls, ControlKind::kOtherFloat64, j, asked.observation(asked.other_float64(j)));
    }
    if (!compare(*eager, *observed, controls).strong.empty()) return false;
  }
  return pairs > 0;
}

void drop_borderline(Comparison& comparison) {
  for (const Mark& mark : comparison.strong) {
    const Difference& difference = mark.difference;
    comparison.skip(place(difference.call, difference.where), "borderline");
    comparison.decide(
        {RuleName("borderline").str(), difference.call, difference.where, "unstable", difference.numbers});
  }
  comparison.strong.clear();
}

// Rounding after each operator as eager does moves a value about as far as moved roundings do: what is much further off
// than these allow is not explained by it.
constexpr double kCastsReach = 32;

bool casts_may_settle(const Mark& mark) {
  const auto& numbers = mark.difference.numbers;
  const auto spread = numbers.find("monte_carlo_spread");
  const auto distance = numbers.find("max_abs");
  if (!mark.open || spread == numbers.end() || distance == numbers.end()) return mark.open;
  return !(distance->second > kCastsReach * spread->second);
}

// All but a few of the elements that differ are explained already.
bool mostly_explained(const Mark& mark) {
  const auto& numbers = mark.difference.numbers;
  const auto differing = numbers.find("differing");
  const auto left = numbers.find("elements");
  return mark.open && differing != numbers.end() && left != numbers.end() &&
         left->second * kMostly <= differing->second;
}

class Rounds {
 public:
  Rounds(const Runs& runs, const Sides& sides)
      : runs_(runs), sides_(sides), asked_(runs, sides), panel_(make_panel(runs, sides, asked_)) {}

  ComparisonRound run() {
    ComparisonRound compared{compare(reference(), observed(), panel_), {}};
    Comparison& comparison = compared.comparison;
    if (comparison.strong.empty()) {
      // Eager wrong or merely rounded? Its own spread tells.
      if (comparison.eager_wrong) compared.wanted = runs_.unanswered(noise(1, kFirstNoise));
      return compared;
    }
    for (const auto round : {&Rounds::precision, &Rounds::first_noise, &Rounds::choices, &Rounds::more, &Rounds::most,
                             &Rounds::casts, &Rounds::compiled_values}) {
      compared.wanted = runs_.unanswered((this->*round)(comparison));
      if (!compared.wanted.empty() || runs_.plan().brief) return compared;
    }
    if (comparison.all_borderline() && vanishes(sides_, asked_)) drop_borderline(comparison);
    return compared;
  }

 private:
  const Observation& reference() const { return runs_.finished(sides_.reference)->observation; }
  const Observation& observed() const { return runs_.finished(sides_.observed)->observation; }
  bool halves() const { return any_tensor(reference(), is_half) || any_tensor(observed(), is_half); }

  std::vector<RunRequest> noise(int first, int last) const {
    std::vector<RunRequest> list;
    for (int i = first; i <= last; ++i) list.push_back(asked_.noise(i));
    return list;
  }

  std::vector<RunRequest> precision(const Comparison& comparison) const {
    std::vector<RunRequest> list = {asked_.again()};
    if (!comparison.any_open()) return list;
    list.push_back(asked_.higher("float64"));
    if (halves()) list.push_back(asked_.higher("float32"));
    return list;
  }

  std::vector<RunRequest> first_noise(const Comparison& comparison) const {
    return comparison.any_open() ? noise(1, kFirstNoise) : std::vector<RunRequest>{};
  }

  std::vector<RunRequest> choices(const Comparison& comparison) const {
    std::vector<RunRequest> list;
    if (!comparison.any_open()) return list;
    for (int i = 1; i <= kChoices; ++i) list.push_back(asked_.choices(i));
    return list;
  }

  std::vector<RunRequest> more(const Comparison& comparison) const {
    if (!comparison.any_open() || !may_round(reference(), panel_)) return {};
    std::vector<RunRequest> list;
    if (!panel_.noise_failed) list = noise(kFirstNoise + 1, kAllNoise);
    for (int i = 1; i <= kOtherValues; ++i) {
      list.push_back(asked_.other_eager(i));
      list.push_back(asked_.other_float64(i));
    }
    return list;
  }

  std::vector<RunRequest> most(const Comparison& comparison) const {
    const bool wanted = !panel_.noise_failed && comparison.any_open() &&
                        std::all_of(comparison.strong.begin(), comparison.strong.end(), mostly_explained);
    return wanted ? noise(kAllNoise + 1, kMostNoise) : std::vector<RunRequest>{};
  }

  // Costs a compilation, which is most of what a mismatch costs on Inductor.
  std::vector<RunRequest> casts(const Comparison& comparison) const {
    const bool wanted = halves() && comparison.any_open() &&
                        std::all_of(comparison.strong.begin(), comparison.strong.end(), casts_may_settle);
    return wanted ? std::vector<RunRequest>{asked_.casts()} : std::vector<RunRequest>{};
  }

  std::vector<RunRequest> compiled_values(const Comparison& comparison) const {
    std::vector<RunRequest> list;
    if (!comparison.all_borderline()) return list;
    for (int i = 1; i <= kCompiledValues; ++i) list.push_back(asked_.other_compiled(i));
    return list;
  }

  const Runs& runs_;
  const Sides& sides_;
  CallArguments asked_;
  ControlRuns panel_;
};

}  // namespace

ComparisonRound compare_with_controls(const Runs& runs, const Sides& sides) { return Rounds(runs, sides).run(); }

RunRequest again_request(const Runs& runs, const Sides& sides) { return CallArguments(runs, sides).again(); }

}  // namespace jp::oracle
