// Configuration switches: each gives what eager gives, in the order in which they are set.
#include <fmt/format.h>

#include <fstream>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kSource = R"(
import torch
def make_inputs():
    x = torch.arange(12.0).reshape(3, 4) - 5
    y = x[1:].clone()
    return [(x.clone().requires_grad_(), y), (x[:2].clone().requires_grad_(), y)]
def program(x, y):
    y.add_(1)
    z = torch.relu(x)[1:] + x[1:]
    return z * 2 + z * 2, (x + 0).sum(0), y.view(-1)[2:]
)";

const Finished& finished(const Outcome& outcome) {
  static const Finished none;
  const Finished* found = std::get_if<Finished>(&outcome.ending);
  EXPECT_NE(found, nullptr) << describe(outcome);
  return found == nullptr ? none : *found;
}

Outcome with(const std::string& backend, const std::vector<std::string>& switches,
             const std::string& source = kSource) {
  RunRequest request = compiled(backend);
  request.switches = switches;
  return run_one(source, request);
}

// Everything but identities: bytes of all tensors in order.
std::string bytes_of(const Observation& seen) {
  std::string all;
  for (const TensorRecord& record : seen.tensors) all += record.bytes;
  return all;
}

std::vector<std::string> switches_of(const std::string& backend) {
  Result<BackendInfo> info = shared_runner().backend(backend);
  EXPECT_TRUE(info.ok());
  return info.ok() ? info.value().switches : std::vector<std::string>{};
}

TEST(Switches, AreListedInTheFilesOrder) {
  Result<BackendInfo> info = shared_runner().backend("inductor");
  ASSERT_TRUE(info.ok()) << info.error().message;
  const std::vector<std::string>& names = info.value().switches;
  ASSERT_GT(names.size(), 40u);
  EXPECT_EQ(names[0], "dynamic");
  EXPECT_EQ(names.back(), "aoti");
  EXPECT_EQ(info.value().configs.at("unfused").at("options"), "{'max_fusion_size': 1}");
  EXPECT_FALSE(info.value().configs.contains("export")) << "no options: another way to compile";
}

TEST(Switches, ThatDoNotExistAreOneSentence) {
  Outcome outcome = with("eager", {"dynamic", "sideways"});
  const Raised* raised = std::get_if<Raised>(&outcome.ending);
  ASSERT_NE(raised, nullptr) << describe(outcome);
  EXPECT_EQ(raised->stage, "backend");
  EXPECT_TRUE(raised->reason.starts_with("the backend has no switch 'sideways': dynamic, ")) << raised->reason;
}

TEST(Switches, OfAotEagerGiveWhatEagerGives) {
  std::string expected = bytes_of(observe(kSource));
  for (const std::string& name : switches_of("aot_eager")) {
    Outcome outcome = with("aot_eager", {name});
    EXPECT_EQ(bytes_of(finished(outcome).observation), expected) << name;
    EXPECT_GT(finished(outcome).counters.frames_compiled, 0) << name;
  }
}

TEST(Switches, MergeInOrderAndFunctionsReplaceTheCall) {
  std::string path = testing::TempDir() + "switching_backend.py";
  std::ofstream(path) << R"(
def compile(fn, **options):
    return lambda *arguments: (sorted(options.items()), "plain")
def another(compile):
    return lambda fn, **options: lambda *arguments: (sorted(options.items()), "another")
SWITCHES = {
    "one": {"options": {"a": 1, "b": 1}, "list": [1]},
    "two": {"options": {"b": 2}, "list": [2]},
    "another": another,
}
)";
  auto result = [&](const std::vector<std::string>& switches) {
    Outcome outcome = with("file:" + path, switches, "def program():\n    pass\n");
    const Value& output = finished(outcome).observation.calls.at(0).output;
    std::string text = output.items.at(1).text;
    for (const Value& pair : output.items.at(0).items) {
      for (const Value& item : pair.items.at(1).items) text += fmt::format(" {}", item.text);
    }
    return text;
  };
  EXPECT_EQ(result({}), "plain");
  EXPECT_EQ(result({"one", "two"}), "plain 1 2 1 2");
  EXPECT_EQ(result({"two", "one"}), "plain 2 1 1 1");
  EXPECT_EQ(result({"two", "another"}), "another 2 2");
}

TEST(Switches, GraphPassesRunInAnyOrderForwardAndBackward) {
  std::string expected = bytes_of(observe(kSource));
  std::vector<std::string> passes = switches_of("passes");
  ASSERT_GE(passes.size(), 10u);
  std::vector<std::string> backwards(passes.rbegin(), passes.rend());
  for (const std::vector<std::string>& order : {std::vector<std::string>{}, passes, backwards}) {
    Outcome outcome = with("passes", order);
    EXPECT_EQ(bytes_of(finished(outcome).observation), expected) << order.size();
    EXPECT_EQ(finished(outcome).counters.frames_compiled, 2);
    EXPECT_GT(finished(outcome).counters.others.at("fx_nodes"), 10);
  }
}

TEST(Switches, ExportIsAWayAndRefusesWhatItMay) {
  Outcome outcome = with("inductor", {"export"});
  EXPECT_EQ(bytes_of(finished(outcome).observation), bytes_of(observe(kSource)));
  EXPECT_EQ(finished(outcome).counters.frames_compiled, 2);
  Outcome refused = with("inductor", {"export"}, R"(
import torch
def make_inputs():
    return (torch.ones(3),)
def program(x):
    return x + 1 if x.sum() > 0 else x
)");
  ASSERT_EQ(finished(refused).observation.calls.size(), 1u);
  ASSERT_TRUE(finished(refused).observation.calls[0].exception);
  EXPECT_TRUE(finished(refused).observation.calls[0].exception->expected_refusal);
  EXPECT_TRUE(finished(refused).observation.calls[0].exception->while_compiling);
}

TEST(After, TheProcessHasCompiledAndTheRunIsPlain) {
  RunRequest request = eager();
  request.after = "aot_eager";
  std::string source = R"(
import torch
made = 0
def make_inputs():
    global made
    made += 1
    return (torch.ones(2, requires_grad=True),)
def program(x):
    print("once")
    return x * 2, torch.compiler.is_compiling()
def observe():
    return made, torch._dynamo.utils.counters["stats"]["unique_graphs"]
)";
  Observation after = observe(source, request);
  EXPECT_EQ(after.observed.items.at(0).text, "1");
  EXPECT_EQ(after.observed.items.at(1).text, "1");
  EXPECT_EQ(after.calls.at(0).output.items.at(1).text, "False");
  Observation plain = observe(source);
  EXPECT_EQ(plain.observed.items.at(1).text, "0");
  EXPECT_EQ(after.calls, plain.calls);
  EXPECT_EQ(after.tensors, plain.tensors);
}

TEST(After, WhatTheCompilerLeavesBehindIsSeen) {
  std::string path = testing::TempDir() + "leaking_backend.py";
  std::ofstream(path) << "import torch\n\n\ndef compile(fn, **options):\n"
                         "    torch.set_num_threads(2)\n    torch.set_flush_denormal(True)\n    return fn\n";
  RunRequest request = eager();
  request.after = "file:" + path;
  Observation seen = observe("def program():\n    return 1\n", request);
  EXPECT_EQ(seen.calls.at(0).mode.at("threads"), "2");
  Observation later = observe("def program():\n    return 1\n");
  EXPECT_EQ(later.calls.at(0).mode.at("threads"), "1");
  EXPECT_EQ(later.calls.at(0).mode.at("flush_denormal"), "False");
}

TEST(Counters, CountNodesGuardsAndOperators) {
  Outcome small = with("aot_eager", {},
                       "import torch\ndef make_inputs():\n    return (torch.ones(2),)\n"
                       "def program(x):\n    return x + 1\n");
  Outcome large = with("aot_eager", {});
  const auto& few = finished(small).counters.others;
  const auto& many = finished(large).counters.others;
  EXPECT_EQ(few.at("fx_nodes"), 3);
  EXPECT_EQ(few.at("captured_operators"), 1);
  for (const char* name : {"fx_nodes", "guards", "captured_operators"}) EXPECT_GT(many.at(name), few.at(name)) << name;
  EXPECT_EQ(finished(with("aot_eager", {})).counters, finished(large).counters) << "the same each time";
}

// Inductor's own random numbers are documented to differ.
TEST(Inductor, DrawsTheNumbersThatEagerDraws) {
  const std::string draws =
      "import torch\n\n\ndef make_inputs():\n    return (torch.ones(8),)\n\n\n"
      "def program(x):\n    return torch.nn.functional.dropout(x + torch.rand(8))\n";
  const Observation one = observe(draws);
  const Observation other = observe(draws, compiled("inductor"));
  ASSERT_FALSE(other.calls.at(0).exception);
  const auto bytes = [](const Observation& seen) {
    return seen.tensors.at(static_cast<std::size_t>(seen.calls.at(0).output.index)).bytes;
  };
  EXPECT_EQ(bytes(one), bytes(other));
}

}  // namespace
}  // namespace jp::pyrunner::test
