// A worker starts without the compiler where nothing is known to need it, and makes up for it before the first run that
// does; what runs show is the same.
#include "pyrunner/warmth.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <memory>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kAdds = R"(import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    return x + 1
)";

// Whether the compiler was there before the program: the same process if it says the same number.
constexpr const char* kAsks = R"(import os
import sys


def program():
    return f"{os.getpid()} {'torch._dynamo' in sys.modules}"
)";

// What was imported up to the second call.
constexpr const char* kTwice = R"(import sys

import torch

before = set(sys.modules)


def make_inputs():
    return [(torch.ones(3, requires_grad=True),), (torch.ones(3, requires_grad=True),)]


def program(x):
    return x * 2, " ".join(sorted(set(sys.modules) - before))
)";

// Nothing reads the numbers that it draws.
constexpr const char* kDraws = R"(import torch


def make_inputs():
    return (torch.ones(3),)


def program(x):
    torch.nn.functional.dropout(x)
    torch.rand(2)
    return x + 1
)";

constexpr const char* kImports = R"(import torch
import torch._dynamo


def make_inputs():
    return (torch.ones(3),)


def program(x):
    torch._dynamo.config.cache_size_limit = 1
    return x + 1
)";

// What warm processes leave out of compiling.
constexpr const char* kTimesGuards = R"(import torch._dynamo.guards
from torch._inductor.dtype_propagation import DtypePropagationOpsHandler


def program():
    return f"{torch._dynamo.guards.profile_guard_manager.__name__} {DtypePropagationOpsHandler.__init__.__name__}"
)";

std::string text_of(const Outcome& outcome) {
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  return finished ? finished->observation.calls.at(0).output.text : describe(outcome);
}

/// A runner of which nothing is known but that it runs programs without a compiler.
std::unique_ptr<Runner> cold_runner() {
  RunnerOptions options = shared_runner().options();
  options.backends = {"plain"};
  Result<std::unique_ptr<Runner>> started = Runner::start(options);
  EXPECT_TRUE(started.ok()) << started.error().message;
  return std::move(started).value();
}

/// A backend of which nobody knows that it compiles before it does.
std::string late_compiler() {
  const std::string path = testing::TempDir() + "compiles.py";
  std::ofstream(path) << "import torch\n\n\ndef compile(fn, **options):\n"
                         "    return torch.compile(fn, backend=\"aot_eager\")\n";
  return "file:" + path;
}

Outcome run(Runner& runner, const std::string& source, const RunRequest& request,
            Isolation isolation = Isolation::kBatch) {
  return runner.run(program_of(source), {request}, isolation).at(0);
}

std::string asked(Runner& runner) { return text_of(run(runner, kAsks, eager())); }

TEST(Warmth, OfBackends) {
  for (const char* none : {"", "plain", "file:/a/b.py", "module:compile"})
    EXPECT_EQ(warmth_for(std::string(none)), Warmth::kTorch) << none;
  for (const char* some : {"eager", "aot_eager", "aot_eager_decomp_partition", "passes", "torch:cudagraphs"})
    EXPECT_EQ(warmth_for(std::string(some)), Warmth::kCompiler) << some;
  for (const char* all : {"inductor", "torch:inductor"})
    EXPECT_EQ(warmth_for(std::string(all)), Warmth::kInductor) << all;
  EXPECT_EQ(warmth_for(std::vector<std::string>{}), Warmth::kInductor);
  EXPECT_EQ(warmth_for(std::vector<std::string>{"plain", "aot_eager", "module:compile"}), Warmth::kCompiler);
}

// A child that has imported it nevertheless serves no other run.
TEST(Warmth, WithoutTheCompiler) {
  const std::unique_ptr<Runner> runner = cold_runner();
  const std::string first = asked(*runner);
  EXPECT_NE(first.find("False"), std::string::npos) << first;
  for (RunRequest request : {eager(), compiled("plain")})
    for (const char* precision : {"native", "float64", "monte_carlo", "other_choices"}) {
      request.precision = precision;
      request.noise_seed = 1;
      const Outcome outcome = run(*runner, kAdds, request);
      EXPECT_TRUE(std::holds_alternative<Finished>(outcome.ending)) << precision << ": " << describe(outcome);
      EXPECT_EQ(asked(*runner), first) << precision;
    }
  // No child needs to import what an ordinary run needs, such as a backward.
  const Outcome twice = run(*runner, kTwice, eager());
  const auto* finished = std::get_if<Finished>(&twice.ending);
  ASSERT_NE(finished, nullptr) << describe(twice);
  EXPECT_EQ(finished->observation.calls.at(1).output.items.at(1).text, "");
  EXPECT_EQ(asked(*runner), first) << "a run without the compiler imports it";
  EXPECT_EQ(runner->warmth(), Warmth::kTorch);

  const Outcome imports = run(*runner, kImports, eager());
  EXPECT_TRUE(std::holds_alternative<Finished>(imports.ending)) << describe(imports);
  EXPECT_EQ(runner->warmth(), Warmth::kTorch);
  const std::string second = asked(*runner);
  EXPECT_NE(second, first);
  EXPECT_NE(second.find("True"), std::string::npos) << "the zygote does not make up for it: " << second;
  EXPECT_EQ(text_of(run(*runner, kTimesGuards, eager())), "<lambda> fill_once");
  runner->use_plain_compiler(true);
  EXPECT_EQ(text_of(run(*runner, kTimesGuards, eager())), "profile_guard_manager __init__");
  runner->use_plain_compiler(false);
  EXPECT_EQ(runner->warmth(), Warmth::kCompiler);
}

TEST(Warmth, FindingsAreConfirmedByACompilerThatLeavesNothingOut) {
  Runner& runner = shared_runner();
  const std::string whole = "profile_guard_manager __init__";
  EXPECT_EQ(text_of(run(runner, kTimesGuards, eager())), "<lambda> fill_once");
  runner.use_plain_compiler(true);
  for (const Isolation isolation : {Isolation::kBatch, Isolation::kFresh})
    EXPECT_EQ(text_of(run(runner, kTimesGuards, eager(), isolation)), whole);
  runner.use_plain_compiler(false);
  EXPECT_EQ(text_of(run(runner, kTimesGuards, eager(), Isolation::kExec)), whole);
  EXPECT_EQ(text_of(run(runner, kTimesGuards, eager())), "<lambda> fill_once");
}

TEST(Warmth, RandomNumbersAreAskedForWhenTheCompilerIsImported) {
  const std::unique_ptr<Runner> runner = cold_runner();
  const RunRequest late = compiled(late_compiler());
  std::vector<std::string> states;
  for (const RunRequest& request : {eager(), late, late}) {
    const Outcome outcome = run(*runner, kDraws, request, Isolation::kFresh);
    const auto* finished = std::get_if<Finished>(&outcome.ending);
    ASSERT_NE(finished, nullptr) << describe(outcome);
    states.push_back(finished->observation.calls.at(0).mode.at("rng_torch"));
  }
  EXPECT_EQ(states.at(1), states.at(0));
  EXPECT_EQ(states.at(2), states.at(0));
}

TEST(Warmth, MakesUpForWhatABackendNeeds) {
  const std::unique_ptr<Runner> runner = cold_runner();
  const std::string late = late_compiler();
  for (const Warmth before : {Warmth::kTorch, Warmth::kCompiler}) {
    const Outcome outcome = run(*runner, kAdds, compiled(late), Isolation::kFresh);
    EXPECT_TRUE(std::holds_alternative<Finished>(outcome.ending)) << describe(outcome);
    EXPECT_EQ(runner->warmth(), before);
  }
  const Outcome outcome = run(*runner, kAdds, compiled("inductor"), Isolation::kFresh);
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  ASSERT_NE(finished, nullptr) << describe(outcome);
  EXPECT_GT(finished->counters.frames_compiled, 0);
  EXPECT_EQ(runner->warmth(), Warmth::kInductor);
  EXPECT_EQ(runner->info().missing.size(), shared_runner().info().missing.size());
  EXPECT_TRUE(becomes_clean(*runner));
}

}  // namespace
}  // namespace jp::pyrunner::test
