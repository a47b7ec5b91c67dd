#include "oracle/judge/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/check.h"
#include "oracle/judge/compare.h"
#include "oracle/judge/elements.h"
#include "oracle/judge/limits.h"

namespace jp::oracle {
namespace {

// Makes the requests for the control runs of one pair, and finds their outcomes.
class ControlRequests {
 public:
  ControlRequests(const Runs& runs, const Sides& sides) : runs_(runs), sides_(sides) {
    const RunRequest* eager = runs.request(sides.eager);
    const RunRequest* observed = runs.request(sides.observed);
    JP_CHECK(eager && observed, "a plan without the runs {} and {}", sides.eager, sides.observed);
    eager_ = *eager;
    observed_ = *observed;
    // Rounding has nothing to do with addresses, and a new interpreter for each run takes minutes.
    further_eager_ = *eager;
    further_eager_.fixed_addresses = false;
  }

  RunRequest again() const { return once_more(eager_, runs_.plan().depends_on); }

  RunRequest higher(const std::string& precision) const {
    RunRequest run = variant(further_eager_, precision + sides_.suffix);
    run.precision = precision;
    return run;
  }

  RunRequest noise(int number) const { return drawn("monte_carlo", number); }
  RunRequest choices(int number) const { return drawn("other_choices", number); }
  RunRequest equals(int number) const { return drawn("other_equals", number); }

  std::vector<RunRequest> all_choices() const {
    std::vector<RunRequest> list;
    for (int i = 1; i <= kLimits.choice_runs; ++i) list.push_back(choices(i));
    return list;
  }

  std::vector<RunRequest> all_equals() const {
    std::vector<RunRequest> list;
    for (int i = 1; i <= kLimits.equal_runs; ++i) list.push_back(equals(i));
    return list;
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
  // The run of that number in which something is drawn.
  RunRequest drawn(const char* precision, int number) const {
    RunRequest run = variant(further_eager_, fmt::format("{}_{}{}", precision, number, sides_.suffix));
    run.precision = precision;
    run.noise_seed = static_cast<std::uint64_t>(number);
    return run;
  }

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

void listen_to_choices(ControlRuns& controls, const ControlRequests& asked) {
  int number = 0;
  bool tried = false;
  for (const RunRequest& run : asked.all_choices()) {
    tried = tried || asked.answered(run);
    listen(controls, ControlKind::kChoices, ++number, asked.observation(run));
  }
  controls.choices_failed = tried && !controls.has(ControlKind::kChoices);
}

ControlRuns make_controls(const Runs& runs, const Sides& sides, const ControlRequests& asked) {
  ControlRuns controls;
  controls.reference = sides.reference;
  controls.plain_reference = sides.reference == sides.eager;
  controls.observed = sides.observed;
  controls.dead_lines = runs.plan().dead_lines;
  controls.straight = runs.plan().straight;
  listen(controls, ControlKind::kFloat32, 0, asked.observation(asked.higher("float32")));
  listen(controls, ControlKind::kFloat64, 0, asked.observation(asked.higher("float64")));
  controls.small_numbers = true;
  controls.float64_tried = asked.answered(asked.higher("float64"));
  bool tried = false;
  for (int i = 1; i <= kLimits.most_noise_runs; ++i) {
    tried = tried || asked.answered(asked.noise(i));
    listen(controls, ControlKind::kNoise, i, asked.observation(asked.noise(i)));
  }
  controls.noise_failed = tried && !controls.has(ControlKind::kNoise);
  listen_to_choices(controls, asked);
  for (int i = 1; i <= kLimits.equal_runs; ++i)
    listen(controls, ControlKind::kEquals, i, asked.observation(asked.equals(i)));
  listen(controls, ControlKind::kCasts, 0, asked.observation(asked.casts()));
  for (int i = 1; i <= kLimits.other_value_runs; ++i) {
    listen(controls, ControlKind::kOtherEager, i, asked.observation(asked.other_eager(i)));
    listen(controls, ControlKind::kOtherFloat64, i, asked.observation(asked.other_float64(i)));
  }
  return controls;
}

// Whether rounding can be involved: a float is visible somewhere, or noise moved something.
bool may_round(const Observation& eager, const ControlRuns& controls) {
  if (any_tensor(eager, is_inexact)) return true;
  return std::any_of(controls.runs.begin(), controls.runs.end(), [&](const ControlRun& run) {
    if (run.kind != ControlKind::kNoise) return false;
    const Comparison moved = compare(eager, *run.observation);
    return !moved.strong.empty() || moved.agreement != RuleName("bitwise");
  });
}

// The two must differ on other values too, otherwise a small difference can't be demonstrated.
bool vanishes(const ControlRequests& asked) {
  int pairs = 0;
  for (int i = 1; i <= kLimits.compiled_value_runs; ++i) {
    const Observation* eager = asked.observation(asked.other_eager(i));
    const Observation* observed = asked.observation(asked.other_compiled(i));
    if (!eager || !observed) continue;
    ++pairs;
    ControlRuns controls;
    controls.small_numbers = true;
    controls.float64_tried = true;
    // The values differ from pair to pair, and the roundings inside one operator are of one size.
    listen(controls, ControlKind::kFloat64, 0, asked.observation(asked.other_float64(i)));
    for (int j = 1; j <= kLimits.other_value_runs; ++j) {
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

// Rounding after each operator as eager does moves a value about as far as moved roundings do: a difference much larger
// than they allow is not explained by it.
bool casts_may_settle(const Mark& mark) {
  const auto& numbers = mark.difference.numbers;
  const auto spread = numbers.find("monte_carlo_spread");
  const auto distance = numbers.find("max_abs");
  if (!mark.open || spread == numbers.end() || distance == numbers.end()) return mark.open;
  return !(distance->second > kLimits.casts_reach * spread->second);
}

// All but a few of the elements that differ are explained already.
bool mostly_explained(const Mark& mark) {
  const auto& numbers = mark.difference.numbers;
  const auto differing = numbers.find("differing");
  const auto left = numbers.find("elements");
  return mark.open && differing != numbers.end() && left != numbers.end() &&
         left->second * kLimits.differing_to_left <= differing->second;
}

class Rounds {
 public:
  Rounds(const Runs& runs, const Sides& sides)
      : runs_(runs), sides_(sides), asked_(runs, sides), controls_(make_controls(runs, sides, asked_)) {}

  ComparisonRound run() {
    ComparisonRound compared{compare(reference(), observed(), controls_), {}};
    Comparison& comparison = compared.comparison;
    if (comparison.strong.empty() && comparison.unlisted) compared.wanted = runs_.unanswered(asked_.all_equals());
    if (!compared.wanted.empty()) return compared;
    if (comparison.strong.empty()) {
      // Is eager wrong or merely rounded, and do terms of half types cancel? Its own spread tells.
      if (comparison.eager_wrong || (halves() && !comparison.unstable.empty()))
        compared.wanted = runs_.unanswered(noise(1, kLimits.first_noise_runs));
      return compared;
    }
    for (const auto round : {&Rounds::precision, &Rounds::first_noise, &Rounds::choices, &Rounds::equals, &Rounds::more,
                             &Rounds::most, &Rounds::casts, &Rounds::compiled_values}) {
      compared.wanted = runs_.unanswered((this->*round)(comparison));
      if (!compared.wanted.empty() || runs_.plan().brief) return compared;
    }
    if (comparison.all_borderline() && vanishes(asked_)) drop_borderline(comparison);
    return compared;
  }

 private:
  const Observation& reference() const { return runs_.finished(sides_.reference)->observation; }
  const Observation& observed() const { return runs_.finished(sides_.observed)->observation; }
  bool halves() const { return shows_halves(reference()) || shows_halves(observed()); }

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
    return comparison.any_open() ? noise(1, kLimits.first_noise_runs) : std::vector<RunRequest>{};
  }

  std::vector<RunRequest> choices(const Comparison& comparison) const {
    return comparison.any_open() ? asked_.all_choices() : std::vector<RunRequest>{};
  }

  std::vector<RunRequest> equals(const Comparison& comparison) const {
    return comparison.unlisted ? asked_.all_equals() : std::vector<RunRequest>{};
  }

  std::vector<RunRequest> more(const Comparison& comparison) const {
    if (!comparison.any_open() || !may_round(reference(), controls_)) return {};
    std::vector<RunRequest> list;
    if (!controls_.noise_failed) list = noise(kLimits.first_noise_runs + 1, kLimits.all_noise_runs);
    for (int i = 1; i <= kLimits.other_value_runs; ++i) {
      list.push_back(asked_.other_eager(i));
      list.push_back(asked_.other_float64(i));
    }
    return list;
  }

  std::vector<RunRequest> most(const Comparison& comparison) const {
    const bool wanted = !controls_.noise_failed && comparison.any_open() &&
                        std::all_of(comparison.strong.begin(), comparison.strong.end(), mostly_explained);
    return wanted ? noise(kLimits.all_noise_runs + 1, kLimits.most_noise_runs) : std::vector<RunRequest>{};
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
    for (int i = 1; i <= kLimits.compiled_value_runs; ++i) list.push_back(asked_.other_compiled(i));
    return list;
  }

  const Runs& runs_;
  const Sides& sides_;
  ControlRequests asked_;
  ControlRuns controls_;
};

}  // namespace

ComparisonRound compare_with_controls(const Runs& runs, const Sides& sides) { return Rounds(runs, sides).run(); }

RunRequest again_request(const Runs& runs, const Sides& sides) { return ControlRequests(runs, sides).again(); }

std::vector<RunRequest> choice_requests(const Runs& runs, const Sides& sides) {
  return ControlRequests(runs, sides).all_choices();
}

ControlRuns choice_controls(const Runs& runs, const Sides& sides) {
  ControlRuns controls;
  listen_to_choices(controls, ControlRequests(runs, sides));
  return controls;
}

}  // namespace jp::oracle
