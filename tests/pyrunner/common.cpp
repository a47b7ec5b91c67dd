#include "common.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "pyrunner/processes.h"

namespace jp::pyrunner::test {
namespace {

std::unique_ptr<Runner> start() {
  Result<RunnerOptions> options = default_options();
  if (options.ok()) {
    options.value().limits = short_limits();
    Result<std::unique_ptr<Runner>> runner = Runner::start(options.value());
    if (runner.ok()) return std::move(runner.value());
    std::cerr << runner.error().message << "\n";
  } else {
    std::cerr << options.error().message << "\n";
  }
  std::exit(1);
}

std::unique_ptr<Runner>& holder() {
  static std::unique_ptr<Runner> runner = start();
  return runner;
}

}  // namespace

Limits short_limits() {
  return {.seconds = 20, .hang_retry_factor = 0, .memory_bytes = std::int64_t{1} << 30, .tests_per_child = 50};
}

Runner& shared_runner() { return *holder(); }

Program program_of(const std::string& source) {
  Result<Program> program = Program::make(source, {});
  if (!program.ok()) {
    ADD_FAILURE() << program.error().message;
    return Program::make("def program(): pass\n", {}).value();
  }
  return program.value();
}

RunRequest eager() { return {.role = "eager"}; }

RunRequest compiled(const std::string& backend) { return {.role = "compiled", .compiled = true, .backend = backend}; }

RunRequest in(const std::string& precision, std::uint64_t noise_seed) {
  RunRequest request = eager();
  request.precision = precision;
  request.noise_seed = noise_seed;
  return request;
}

const Value& out(const Observation& seen, std::size_t number) { return seen.calls.at(0).output.items.at(number); }

Outcome run_one(const std::string& source, const RunRequest& request, Isolation isolation) {
  return shared_runner().run(program_of(source), {request}, isolation).at(0);
}

Observation observe(const std::string& source, const RunRequest& request) {
  Outcome outcome = run_one(source, request);
  const Finished* finished = std::get_if<Finished>(&outcome.ending);
  EXPECT_NE(finished, nullptr) << describe(outcome);
  return finished == nullptr ? Observation{} : finished->observation;
}

const TensorRecord& tensor(const Observation& observation, const Value& value) {
  EXPECT_EQ(value.kind, Value::Kind::kTensor) << value.type << " " << value.text;
  return observation.tensors.at(static_cast<std::size_t>(value.index));
}

const Value& labelled(const Value& value, const std::string& label) {
  static const Value none{.kind = Value::Kind::kOpaque, .text = "no such label"};
  auto found = std::find(value.labels.begin(), value.labels.end(), label);
  return found == value.labels.end() ? none : value.items.at(static_cast<std::size_t>(found - value.labels.begin()));
}

Facts facts_of(const std::string& source, const std::vector<StatementPlace>& places) {
  Runner::Profile profile = shared_runner().profile(program_of(source), {places, std::nullopt});
  EXPECT_TRUE(std::holds_alternative<Finished>(profile.outcome.ending)) << describe(profile.outcome);
  return profile.facts;
}

std::string describe(const Outcome& outcome) {
  std::string text(ending_name(outcome.ending));
  if (const Died* died = std::get_if<Died>(&outcome.ending)) {
    int number = died->how == "signal" ? died->signal : died->exit_code;
    text += died->how == "protocol" ? " protocol" : fmt::format(" {} {}", died->how, number);
    text += ": " + died->last_words;
  }
  if (const Raised* raised = std::get_if<Raised>(&outcome.ending)) text += ": " + raised->reason;
  return text;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<pid_t> strays(const Runner& runner) {
  std::vector<pid_t> found;
  for (pid_t process : tree_of(runner.guard_pid())) {
    if (process != runner.guard_pid() && process != runner.zygote_pid()) found.push_back(process);
  }
  return found;
}

bool becomes_clean(const Runner& runner, double seconds) {
  for (int i = 0; i < seconds * 100; ++i) {
    if (strays(runner).empty()) return true;
    usleep(10'000);
  }
  return false;
}

}  // namespace jp::pyrunner::test
