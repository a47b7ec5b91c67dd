// Avoid lines of known bugs patch torch when a file is loaded. What eager does under them must be the same, or nothing
// that they explain would count (campaign/known/known_avoid.cpp).
#include <filesystem>
#include <set>
#include <sstream>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

std::string avoid_lines() {
  constexpr std::string_view kAvoid = "# avoid: ";
  const fs::path corpus = fs::path(shared_runner().options().runtime_dir).parent_path() / "corpus";
  std::set<std::string> found;
  for (const char* folder : {"known", "trophies"})
    for (const fs::directory_entry& file : fs::directory_iterator(corpus / folder)) {
      std::istringstream text(read(file.path().string()));
      for (std::string line; std::getline(text, line) && line.starts_with("#");)
        if (line.starts_with(kAvoid) && !line.starts_with("# avoid: switch ")) found.insert(line.substr(kAvoid.size()));
    }
  std::string lines;
  for (const std::string& line : found) lines += line + "\n";
  return lines;
}

// In a process of its own, so that none is left for the tests that follow.
Observation observed_alone(const std::string& source) {
  const Outcome outcome = run_one(source, eager(), Isolation::kFresh);
  const auto* finished = std::get_if<Finished>(&outcome.ending);
  EXPECT_NE(finished, nullptr) << describe(outcome);
  return finished == nullptr ? Observation{} : finished->observation;
}

TEST(AvoidLines, LeaveEagerAsItIs) {
  const std::string program =
      "\n\ndef make_inputs():\n    return (torch.ones(2, 3).requires_grad_(),)\n\n\n"
      "def program(x):\n    return x.relu() * 2, [x.sum()]\n";
  const Outcome under = run_one("import torch\n" + avoid_lines() + program, eager(), Isolation::kFresh);
  const auto* seen = std::get_if<Finished>(&under.ending);
  if (seen == nullptr) GTEST_SKIP() << "some lines are not for this torch: " << describe(under);
  EXPECT_EQ(seen->observation.calls, observed_alone("import torch\n" + program).calls);
}

// Lines of known bugs patch torch by such names; the program under them is the same.
TEST(AvoidLines, WhatPatchesTorchWhenAFileIsLoadedSetsNoModes) {
  const auto sets = [](const std::string& top, const std::string& inside) {
    return observed_alone("import torch\n" + top + "\n\n\ndef program():\n    " + inside + "\n    return 1\n")
        .calls.at(0)
        .mode.at("set_by_the_program");
  };
  EXPECT_EQ(sets("import types as t; t.none = (lambda: torch.set_grad_enabled)", "pass"), "False");
  EXPECT_EQ(sets("exec('def f(ctx): ctx.set_materialize_grads(True)', {})", "pass"), "False");
  EXPECT_EQ(sets("", "torch.set_grad_enabled(True)"), "True");
  EXPECT_EQ(sets("class Mode:\n    def __enter__(self): pass", "pass"), "True");
}

}  // namespace
}  // namespace jp::pyrunner::test
