// Several runners on one zygote: they run side by side, what ends one's child is nothing to the others, and a zygote
// that is gone is replaced for all of them.
#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "common.h"
#include "pyrunner/runners.h"

namespace jp::pyrunner::test {
namespace {

constexpr const char* kOne = "def program():\n    return 1\n";
constexpr const char* kDies = "import os\n\n\ndef program():\n    os.abort()\n";
constexpr const char* kSays = "import os\n\n\ndef program():\n    return os.getppid()\n";

RunnerOptions cold_options() {
  RunnerOptions options = shared_runner().options();
  options.backends = {"plain"};
  return options;
}

std::vector<std::unique_ptr<Runner>> several(int count) {
  auto runners = start_runners(cold_options(), count);
  EXPECT_TRUE(runners.ok()) << runners.error().message;
  return std::move(runners).value();
}

std::string ended(Runner& runner, const std::string& source) {
  return std::string(ending_name(runner.run(program_of(source), {eager()}, Isolation::kBatch).at(0).ending));
}

TEST(Sharing, SideBySideOnOneZygote) {
  const auto runners = several(3);
  std::vector<std::string> wrong(runners.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < runners.size(); ++i)
      threads.emplace_back([&, i] {
        for (int round = 0; round < 20; ++round) {
          const bool dies = round % 3 == static_cast<int>(i);
          const std::string ending = ended(*runners[i], dies ? kDies : kOne);
          if (ending != (dies ? "died" : "finished")) wrong[i] += ending + " ";
        }
      });
  }
  for (const std::string& what : wrong) EXPECT_EQ(what, "");
  for (const auto& runner : runners) {
    EXPECT_EQ(runner->zygote_pid(), runners.front()->zygote_pid());
    const Outcome says = runner->run(program_of(kSays), {eager()}, Isolation::kFresh).at(0);
    EXPECT_EQ(std::get<Finished>(says.ending).observation.calls.at(0).output.text,
              std::to_string(runner->zygote_pid()));
  }
}

// Who needed less of it has it import the rest.
TEST(Sharing, WithOneThatRanBefore) {
  auto first = Runner::start(cold_options());
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(ended(*first.value(), kOne), "finished");
  const pid_t zygote = first.value()->zygote_pid();
  RunnerOptions options = cold_options();
  options.backends = {"aot_eager"};
  const auto runners = start_runners(options, 2, first.value().get());
  ASSERT_TRUE(runners.ok()) << runners.error().message;
  first.value().reset();
  for (const auto& runner : runners.value()) {
    EXPECT_EQ(runner->zygote_pid(), zygote);
    EXPECT_EQ(runner->warmth(), Warmth::kCompiler);
    EXPECT_EQ(ended(*runner, kOne), "finished");
  }
}

TEST(Sharing, ADeadZygoteIsReplacedForAll) {
  const auto runners = several(2);
  const pid_t former = runners.front()->zygote_pid();
  for (const auto& runner : runners) EXPECT_EQ(ended(*runner, kOne), "finished");
  kill(former, SIGKILL);
  for (const auto& runner : runners) {
    const Outcome fresh = runner->run(program_of(kOne), {eager()}, Isolation::kFresh).at(0);
    EXPECT_EQ(ending_name(fresh.ending), "finished") << describe(fresh);
    EXPECT_NE(runner->zygote_pid(), former);
    EXPECT_FALSE(runner->failure());
  }
  EXPECT_EQ(runners.front()->zygote_pid(), runners.back()->zygote_pid());
}

// The first one may go first. Who goes leaves neither processes nor files to those who stay.
TEST(Sharing, EachGoesByItself) {
  auto runners = several(2);
  Runner& stays = *runners.back();
  for (const auto& runner : runners) EXPECT_EQ(ended(*runner, kOne), "finished");
  const std::size_t both = strays(stays).size();
  runners.front().reset();
  EXPECT_LT(strays(stays).size(), both);
  EXPECT_EQ(ended(stays, kOne), "finished");
  const std::string said =
      std::get<Finished>(
          stays.run(program_of("def program():\n    return __file__\n"), {eager()}, Isolation::kBatch).at(0).ending)
          .observation.calls.at(0)
          .output.text;
  std::set<std::string> left;
  const auto home = std::filesystem::path(said).parent_path().parent_path().parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(home)) left.insert(entry.path().filename().string());
  EXPECT_EQ(left, (std::set<std::string>{"log", "runner-1"})) << home;
}

// It reports no ends while it imports the compiler. What one of them has it import is there for the others' next
// children.
TEST(Sharing, EndsAreWaitedForWhileItGetsWarmer) {
  const auto runners = several(2);
  std::vector<std::string> ends;
  std::atomic<bool> warm = false;
  std::jthread dies([&] {
    while (!warm) {
      const Outcome outcome = runners.front()->run(program_of(kDies), {eager()}, Isolation::kBatch).at(0);
      const auto* died = std::get_if<Died>(&outcome.ending);
      if (died == nullptr || died->signal != SIGABRT) ends.push_back(describe(outcome));
    }
  });
  const Outcome outcome = runners.back()->run(program_of(kOne), {compiled("aot_eager")}, Isolation::kFresh).at(0);
  warm = true;
  dies.join();
  EXPECT_EQ(ending_name(outcome.ending), "finished") << describe(outcome);
  EXPECT_EQ(ends, std::vector<std::string>{});
  EXPECT_EQ(runners.front()->warmth(), Warmth::kCompiler) << "what the other one had imported";
  for (const auto& runner : runners) {
    const Outcome compiles = runner->run(program_of(kOne), {compiled("aot_eager")}, Isolation::kBatch).at(0);
    EXPECT_EQ(ending_name(compiles.ending), "finished") << describe(compiles);
    EXPECT_EQ(runner->warmth(), Warmth::kCompiler);
  }
}

// Who gives up meanwhile is heard, and the zygote stays for the others.
TEST(Sharing, WhoGivesUpWaitsForNobody) {
  const auto runners = several(1);
  std::atomic<bool> over = false;
  auto gives_up = runners.front()->another([&] { return over.load(); });
  ASSERT_TRUE(gives_up.ok());
  const pid_t zygote = runners.front()->zygote_pid();
  std::jthread warms([&] { runners.front()->run(program_of(kOne), {compiled("inductor")}, Isolation::kFresh); });
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  std::jthread stops([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    over = true;
  });
  const auto began = std::chrono::steady_clock::now();
  (void)gives_up.value()->run(program_of(kOne), {eager()}, Isolation::kFresh);
  const bool soon = std::chrono::steady_clock::now() - began < std::chrono::seconds(2);
  const bool meanwhile = runners.front()->warmth() != Warmth::kInductor;
  EXPECT_TRUE(soon || !meanwhile);
  warms.join();
  EXPECT_EQ(runners.front()->zygote_pid(), zygote);
}

TEST(Sharing, AsManyZygotesAsAreNeeded) {
  const auto runners = several(kRunnersOfAZygote + 1);
  std::set<pid_t> zygotes;
  for (const auto& runner : runners) zygotes.insert(runner->zygote_pid());
  EXPECT_EQ(zygotes.size(), 2U);
}

}  // namespace
}  // namespace jp::pyrunner::test
