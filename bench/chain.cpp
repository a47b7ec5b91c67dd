// Consecutive steps of some mutations on one program, some of which are compiled and judged against the original
// program, all from one warm process: for bench/papers/chains.py.
//
//   chain FILE MUTATIONS STEPS BACKENDS FOLDER LIMIT
//
// MUTATIONS: names, comma-separated, or "exact" for all that keep the result. BACKENDS: "aot_eager:10,inductor:50":
// each tenth program is compiled with the one, each fiftieth with the other, the last with both. LIMIT: seconds for a
// run. The folder is the journal, so that a chain that was stopped goes on and comes to the same programs: after each
// ten steps (the least of the periods) STEP.py is the program, STEP.steps its lineage, STEP.json what it took, and
// STEP.BACKEND.json the verdict; existing ones are not made again. The steps behind a program that diverges, or that a
// backend refuses as it declares, are drawn upon the last one before it that agreed with all backends that were due:
// what was found once is not found again in all programs that follow. Prints the JSON, one line each:
// {"step", "kept": steps that held, "length": steps of the program, "lines", "mutating": seconds for the steps, each
// run in eager, "undone": {mutation: steps that broke their promise}} and {"step", "backend", "compiling": seconds of
// the run that compiles, "verdict", "rule", "reason", "explained": differences that a rule settled}. Exits with 2 and a
// sentence if it can't.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "answers/steps.h"
#include "campaign/common/judging.h"
#include "campaign/common/tools.h"
#include "campaign/making/step.h"
#include "core/files.h"
#include "oracle/judge/compared_runs.h"

namespace {

using namespace jp;
using Json = nlohmann::json;

struct Compiled {
  std::string backend;
  int every = 0;
  // What runs of the chain's own seed came to, which are the same for all of its programs.
  std::vector<Outcome> of_seed = {};
};

struct Chain {
  Program seed;
  mutate::Weights weights;
  int steps = 0;
  int every = 0;  // steps between two programs that are stored
  std::vector<Compiled> compiled;
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

std::filesystem::path file_of(const Chain& chain, int step, std::string_view ending) {
  return chain.folder / fmt::format("{}.{}", step, ending);
}

/// The steps up to `step`, drawn from its number alone, so that a chain that was stopped continues as it would have.
Json mutated(pyrunner::Runner& runner, const Chain& chain, mutate::Parsed& now, int step) {
  const auto began = std::chrono::steady_clock::now();
  campaign::Profiled made = need(campaign::profile(runner, std::move(now)));
  campaign::StepCounts counts;
  const Choices choices(static_cast<std::uint64_t>(step));
  const std::size_t before = made.parsed.program().lineage().steps.size();
  for (int i = 0; i < chain.every; ++i) {
    Choices drawn = choices.fork("step", static_cast<std::uint64_t>(i));
    if (auto next = campaign::checked_step(runner, made, drawn, chain.weights, &counts)) made = std::move(*next);
  }
  now = std::move(made.parsed);
  const std::string& text = now.source();
  keep(file_of(chain, step, "py"), text);
  std::string steps;
  for (const Step& one : now.program().lineage().steps) steps += mutate::print_step(one) + "\n";
  keep(file_of(chain, step, "steps"), steps);
  return {{"step", step},
          {"kept", now.program().lineage().steps.size() - before},
          {"length", now.program().lineage().steps.size()},
          {"lines", std::count(text.begin(), text.end(), '\n')},
          {"mutating", seconds_since(began)},
          {"undone", counts.undone}};
}

/// The program that stands in the folder, made again from the seed by its lineage; at 0 the seed.
mutate::Parsed stored(const Chain& chain, const mutate::Parsed& base, int step) {
  if (step == 0) return base;
  std::vector<Step> steps;
  std::istringstream lines(need(read_file(file_of(chain, step, "steps"))));
  for (std::string line; std::getline(lines, line);) {
    steps.push_back(need(mutate::parse_step(line)).step);
    steps.back().number = static_cast<int>(steps.size()) - 1;
  }
  mutate::Parsed made = mutate::replay(base, steps);
  if (made.source() != need(read_file(file_of(chain, step, "py"))))
    give_up(fmt::format("the steps of {} don't give its program", file_of(chain, step, "py").string()));
  return made;
}

bool is_of_seed(const Plan& plan, const Outcome& outcome) {
  return std::any_of(plan.runs.begin(), plan.runs.end(),
                     [&](const RunRequest& run) { return run.role == outcome.role && !run.source.empty(); });
}

campaign::JudgedProgram judged(pyrunner::Runner& runner, const Chain& chain, const Program& program,
                               Compiled& compiled) {
  std::vector<Outcome>& of_seed = compiled.of_seed;
  oracle::PlanOptions options;
  options.backend = compiled.backend;
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

/// Differences that a rule settled, by rule and answer.
std::map<std::string, int> explained(const Verdict& verdict) {
  std::map<std::string, int> found;
  for (const Decision& decision : verdict.decisions)
    if (decision.answer != "wrong") ++found[fmt::format("{} {}", decision.rule, decision.answer)];
  return found;
}

Json compiled_row(pyrunner::Runner& runner, const Chain& chain, const Program& program, Compiled& how, int step) {
  const campaign::JudgedProgram told = judged(runner, chain, program, how);
  const Outcome* compiled = oracle::outcome_of(told.outcomes, oracle::sides_of(told.plan).observed);
  return {{"step", step},
          {"backend", how.backend},
          {"compiling", compiled ? compiled->seconds : 0},
          {"verdict", verdict_name(told.verdict.kind)},
          {"rule", told.verdict.rule},
          {"reason", told.verdict.reason},
          {"explained", explained(told.verdict)}};
}

Json show(const std::filesystem::path& file) {
  const std::string text = need(read_file(file));
  fmt::print("{}", text);
  std::fflush(stdout);
  return Json::parse(text);
}

/// The steps whose programs agreed: with the backends that were due, and with all of them.
struct Agreed {
  int any = 0;
  int all = 0;
};

/// The row says that the compiled program did what the model's does. One that the backend refused as it declares shows
/// nothing, and all programs made from it would be refused too.
bool agrees(const Json& row) { return row.at("verdict") == "agree" && row.at("rule") != "expected_refusal"; }

/// Compiles and judges a program with each backend that is due, and says from where the chain goes on.
void compile(pyrunner::Runner& runner, Chain& chain, int step, Agreed& agreed) {
  const Program program = load(file_of(chain, step, "py"));
  Agreed next{step, step};
  for (Compiled& how : chain.compiled) {
    const bool due = step % how.every == 0 || step == chain.steps;
    if (!due) next.all = std::min(next.all, agreed.all);
    if (!due) continue;
    const std::filesystem::path row = file_of(chain, step, how.backend + ".json");
    if (!std::filesystem::exists(row)) keep(row, compiled_row(runner, chain, program, how, step).dump() + "\n");
    if (agrees(show(row))) continue;
    // A backend that is due more seldom may have diverged since it last agreed.
    const bool often = how.every == chain.every;
    next.any = std::min(next.any, often ? agreed.any : agreed.all);
    next.all = agreed.all;
  }
  agreed = next;
}

void run(Chain& chain) {
  pyrunner::RunnerOptions options;
  std::vector<std::string> backends;
  for (const Compiled& how : chain.compiled) backends.push_back(how.backend);
  options = need(campaign::runner_options(backends));
  options.limits.seconds = chain.limit;
  auto runner = need(pyrunner::Runner::start(options));
  const mutate::Parsed base = need(mutate::parse(chain.seed));
  // The last program that was made, if the chain goes on from it.
  std::optional<mutate::Parsed> now = base;
  Agreed agreed;
  for (int step = chain.every; step <= chain.steps; step += chain.every) {
    const std::filesystem::path told = file_of(chain, step, "json");
    if (std::filesystem::exists(told)) {
      now = std::nullopt;  // made again only if it is needed
    } else {
      if (!now) now = stored(chain, base, agreed.any);
      keep(told, mutated(*runner, chain, *now, step).dump() + "\n");
    }
    show(told);
    compile(*runner, chain, step, agreed);
    if (agreed.any != step) now = std::nullopt;
  }
}

std::vector<std::string> names(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream words(list);
  for (std::string word; std::getline(words, word, ',');) found.push_back(word);
  return found;
}

std::vector<Compiled> compiled(const std::string& list) {
  std::vector<Compiled> found;
  for (const std::string& one : names(list)) {
    const std::size_t colon = one.find(':');
    if (colon == std::string::npos) give_up(fmt::format("'{}' is not BACKEND:EVERY", one));
    found.push_back(
        {.backend = need(campaign::resolve_backend(one.substr(0, colon))), .every = number(one.substr(colon + 1))});
  }
  if (found.empty()) give_up("no backend");
  return found;
}

mutate::Weights weights(const std::string& list) {
  if (list == "exact") return need(answers::weights({}, "rounding"));
  return need(answers::weights({.only = names(list), .without = {}}));
}

}  // namespace

int main(int count, char** words) {
  if (count != 7) give_up("chain FILE MUTATIONS STEPS BACKENDS FOLDER LIMIT");
  Chain chain{.seed = load(words[1]),
              .weights = weights(words[2]),
              .steps = number(words[3]),
              .compiled = compiled(words[4]),
              .folder = words[5],
              .limit = static_cast<double>(number(words[6]))};
  const auto sooner = [](const Compiled& one, const Compiled& other) { return one.every < other.every; };
  chain.every = std::min_element(chain.compiled.begin(), chain.compiled.end(), sooner)->every;
  for (const Compiled& how : chain.compiled)
    if (how.every % chain.every != 0) give_up("a period is no multiple of the least one");
  if (Status made = make_folder(chain.folder); !made.ok()) give_up(made.error().message);
  run(chain);
}
