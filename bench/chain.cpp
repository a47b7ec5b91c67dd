// Consecutive steps of some mutations on one program, some of which are compiled and judged against the original
// program, all from one warm process: for bench/papers/chains.py.
//
//   chain FILE MUTATIONS STEPS EVERY BACKEND FOLDER LIMIT
//
// MUTATIONS: names, comma-separated. LIMIT: seconds for a run. The folder stores the program after each EVERY steps
// (STEP.py) and its result (STEP.json); existing ones are not made again. Prints that JSON, one line per program:
// {"step", "kept": steps that held, "lines", "mutating": seconds for the steps, each run in eager, "compiling": seconds
// of the run that compiles, "verdict", "rule", "reason"}. Exits with 2 and a sentence if it can't.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "answers/steps.h"
#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "campaign/making/step.h"
#include "oracle/judge/compared_runs.h"

namespace {

using namespace jp;
using Json = nlohmann::json;

struct Chain {
  Program seed;
  mutate::Weights weights;
  int steps = 0;
  int every = 0;
  std::string backend;
  std::filesystem::path folder;
  double limit = 0;  // seconds
};

[[noreturn]] void give_up(const std::string& sentence) {
  fmt::print(stderr, "chain: {}\n", sentence);
  std::exit(2);
}

template <typename T>
T need(Result<T> result) {
  if (!result.ok()) give_up(result.error().message);
  return std::move(result).value();
}

int number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value <= 0)
    give_up(fmt::format("'{}' is no number above 0", text));
  return value;
}

Program load(const std::filesystem::path& file) { return need(campaign::load_program(file, "program", "make_inputs")); }

void keep(const std::filesystem::path& file, std::string_view text) {
  if (Status kept = write_file(file, text); !kept.ok()) give_up(kept.error().message);
}

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The steps up to `step`, drawn from its number alone, so that a chain that was stopped continues as it would have.
Program mutated(pyrunner::Runner& runner, const Chain& chain, const Program& before, int step) {
  campaign::Profiled made = need(campaign::profile(runner, need(mutate::parse(before))));
  const Choices choices(static_cast<std::uint64_t>(step));
  for (int i = 0; i < chain.every; ++i) {
    Choices drawn = choices.fork("step", static_cast<std::uint64_t>(i));
    if (auto next = campaign::checked_step(runner, made, drawn, chain.weights)) made = std::move(*next);
  }
  return made.parsed.program();
}

bool is_of_seed(const Plan& plan, const Outcome& outcome) {
  return std::any_of(plan.runs.begin(), plan.runs.end(),
                     [&](const RunRequest& run) { return run.role == outcome.role && !run.source.empty(); });
}

// `of_seed`: what runs of the chain's own seed came to, which are the same for all of its programs.
campaign::JudgedProgram judged(pyrunner::Runner& runner, const Chain& chain, const Program& program,
                               std::vector<Outcome>& of_seed) {
  oracle::PlanOptions options;
  options.backend = chain.backend;
  options.full = true;
  options.seed_text = chain.seed.source();
  campaign::JudgedProgram told = campaign::judge(runner, campaign::need_oracle("seed_vs_mutant"), program, options,
                                                 pyrunner::Isolation::kFresh, campaign::Eagerness::kAll, of_seed);
  for (const Outcome& outcome : told.outcomes) {
    auto same_run = [&](const Outcome& known) { return known.role == outcome.role; };
    if (is_of_seed(told.plan, outcome) && std::none_of(of_seed.begin(), of_seed.end(), same_run))
      of_seed.push_back(outcome);
  }
  return told;
}

Json found(pyrunner::Runner& runner, const Chain& chain, const Program& before, int step,
           std::vector<Outcome>& of_seed) {
  const auto began = std::chrono::steady_clock::now();
  const Program program = mutated(runner, chain, before, step);
  const double mutating = seconds_since(began);
  keep(chain.folder / fmt::format("{}.py", step), program.source());
  const campaign::JudgedProgram told = judged(runner, chain, program, of_seed);
  const Outcome* compiled = oracle::outcome_of(told.outcomes, oracle::sides_of(told.plan).observed);
  const double compiling = compiled ? compiled->seconds : 0;
  const std::string& text = program.source();
  return {{"step", step},
          {"kept", program.lineage().steps.size()},
          {"lines", std::count(text.begin(), text.end(), '\n')},
          {"mutating", mutating},
          {"compiling", compiling},
          {"verdict", verdict_name(told.verdict.kind)},
          {"rule", told.verdict.rule},
          {"reason", told.verdict.reason}};
}

void run(const Chain& chain) {
  pyrunner::RunnerOptions options = need(campaign::runner_options({chain.backend}));
  options.limits.seconds = chain.limit;
  auto runner = need(pyrunner::Runner::start(options));
  Program before = chain.seed;
  std::vector<Outcome> of_seed;
  for (int step = chain.every; step <= chain.steps; step += chain.every) {
    const std::filesystem::path told = chain.folder / fmt::format("{}.json", step);
    if (!std::filesystem::exists(told)) keep(told, found(*runner, chain, before, step, of_seed).dump() + "\n");
    fmt::print("{}", need(campaign::read_file(told)));
    std::fflush(stdout);
    before = load(chain.folder / fmt::format("{}.py", step));
  }
}

std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) found.push_back(word);
  return found;
}

}  // namespace

int main(int count, char** words) {
  if (count != 8) give_up("chain FILE MUTATIONS STEPS EVERY BACKEND FOLDER LIMIT");
  Chain chain{.seed = load(words[1]),
              .weights = need(answers::weights({.only = names(words[2]), .without = {}})),
              .steps = number(words[3]),
              .every = number(words[4]),
              .backend = need(campaign::resolve_backend(words[5])),
              .folder = words[6],
              .limit = static_cast<double>(number(words[7]))};
  if (Status made = campaign::make_folder(chain.folder); !made.ok()) give_up(made.error().message);
  run(chain);
}
