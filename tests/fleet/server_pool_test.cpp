// A pool of servers, with servers that are played.
#include "fleet/server_pool.h"

#include <gtest/gtest.h>

#include <chrono>
#include <deque>
#include <thread>

#include "codec/codec.h"
#include "fleet/without_times.h"
#include "tests/fleet/build.h"

namespace jp::fleet {
namespace {

using codec::Json;
using report::test::Folder;
using test::tested;

/// Servers that answer at once, as `plays` says.
class Played : public Servers {
 public:
  using Plays = std::function<std::vector<Said>(int server, const Json& message)>;
  Played(int count, Plays plays, bool placed = true) : count_(count), plays_(std::move(plays)), placed_(placed) {}
  int count() const override { return count_; }
  Status start(int) override { return Done{}; }
  bool send(int server, const std::string& message) override {
    const std::vector<Said> played = plays_(server, codec::unpack(message).value());
    // One that goes without a word took nothing in.
    if (played.size() == 1 && played[0].gone && played[0].bytes.empty()) return false;
    said_.insert(said_.end(), played.begin(), played.end());
    return true;
  }
  std::vector<Said> hear(double) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return std::exchange(said_, {});
  }
  void kill(int) override {}
  bool has_place(int) const override { return placed_; }

 private:
  const int count_;
  const Plays plays_;
  const bool placed_;
  std::vector<Said> said_;
};

Servers::Said says(int server, const Json& message) { return {server, false, codec::pack(message)}; }

std::vector<Servers::Said> makes(int server, const Json& lease) {
  std::vector<Servers::Said> all;
  for (auto number = lease["begin"].get<std::uint64_t>(); number < lease["end"].get<std::uint64_t>(); ++number)
    all.push_back(says(server, {{"tested", to_json(tested(number))}}));
  all.push_back(says(server, {{"done", true}}));
  return all;
}

struct Results {
  std::vector<std::uint64_t> tests;
  std::vector<std::string> broken;
  std::vector<std::string> notes;
  std::string failure;
};

/// Takes `tests` results of a campaign of so many tests, or what comes until the pool fails.
Results run(int servers, std::uint64_t tests, const Played::Plays& plays, std::size_t notes = 0,
            double start_deadline = ServerPool::kStartDeadline) {
  const Folder folder;
  const Patience patience{.deadline = 600, .least_long = 0.01};
  ServerPool pool(std::make_unique<Played>(servers, plays),
                  {.terms = {{"settings", {{"limits", {{"seconds", 1}}}}}},
                   .epochs = campaign::Epochs(100),
                   .tests = tests,
                   .folder = folder / "campaign",
                   .ended = [](std::uint64_t) { return false; }},
                  patience, start_deadline);
  EXPECT_TRUE(pool.put_tables(0, []() -> Result<Json> { return Json{{"epoch", 0}}; }).ok());
  Results came;
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while ((came.tests.size() < tests || came.notes.size() < notes) && came.failure.empty() &&
         waited.seconds() < kPatience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Result<std::vector<campaign::Tested>> taken = pool.take();
    if (!taken.ok()) came.failure = taken.error().message;
    for (const std::string& note : pool.take_notes()) came.notes.push_back(note);
    if (!taken.ok()) break;
    for (const campaign::Tested& one : taken.value()) {
      came.tests.push_back(one.number);
      if (!one.broken.empty()) came.broken.push_back(one.broken);
    }
  }
  std::sort(came.tests.begin(), came.tests.end());
  return came;
}

std::vector<std::uint64_t> first(std::uint64_t count) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t number = 0; number < count; ++number) numbers.push_back(number);
  return numbers;
}

TEST(ServerPool, AllTestsAreMadeOnceAndTablesComeBeforeLeases) {
  std::vector<std::vector<std::string>> told(3);
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    told.at(server).push_back(message["op"]);
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    return message["op"] == "lease" ? makes(server, message) : std::vector<Servers::Said>();
  };
  const Results came = run(3, 12, plays);
  EXPECT_EQ(came.tests, first(12));
  EXPECT_TRUE(came.notes.empty());
  for (const auto& one : told) {
    ASSERT_FALSE(one.empty());
    EXPECT_EQ(one[0], "terms");
    EXPECT_TRUE(one.size() == 1 || one[1] == "tables");
    EXPECT_LE(std::count(one.begin(), one.end(), "tables"), 1);
  }
}

TEST(ServerPool, ATestInWhichServersDieIsSkippedAndSaid) {
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "lease") return {};
    std::vector<Servers::Said> all = makes(server, message);
    const auto begin = message["begin"].get<std::uint64_t>();
    if (begin > 5 || message["end"].get<std::uint64_t>() <= 5) return all;
    all.resize(5 - begin);
    all.push_back({server, true, "signal 11"});
    return all;
  };
  const Results came = run(2, 12, plays);
  EXPECT_EQ(came.tests, first(12));
  ASSERT_EQ(came.broken.size(), 1U);
  EXPECT_NE(came.broken[0].find("3 processes ended in it; the last: signal 11"), std::string::npos) << came.broken[0];
  EXPECT_EQ(came.notes.size(), 3U);
}

TEST(ServerPool, WhatAServerNeverGotIsNoTestInWhichItDied) {
  int refused = 0;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "lease") return {};
    if (++refused <= 3) return {{server, true, ""}};
    return makes(server, message);
  };
  const Results came = run(3, 12, plays);
  EXPECT_EQ(came.tests, first(12));
  EXPECT_TRUE(came.broken.empty()) << came.broken[0];
  EXPECT_TRUE(came.notes.empty()) << came.notes[0];
}

TEST(ServerPool, OneThatNeverTakesALeaseIsGivenUp) {
  const auto plays = [](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    return {{server, true, ""}};
  };
  const Results came = run(1, 12, plays);
  EXPECT_NE(came.failure.find("no process is left"), std::string::npos) << came.failure;
  ASSERT_EQ(came.notes.size(), 1U);
  EXPECT_EQ(came.notes[0], "process 0 is given up: it takes no lease");
}

TEST(ServerPool, WithoutAnyServerThatCanItFails) {
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"refused", "processor: another"}})};
    return {};
  };
  const Results came = run(2, 12, plays);
  EXPECT_TRUE(came.tests.empty());
  EXPECT_FALSE(came.failure.empty());
  ASSERT_EQ(came.notes.size(), 2U);
  EXPECT_NE(came.notes[0].find("processor: another"), std::string::npos);
}

TEST(ServerPool, OneThatNeverGetsReadyIsGivenUp) {
  int starts = 0;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "lease") return makes(server, message);
    if (message["op"] != "terms" || (server == 0 && ++starts > 0)) return {};
    return {says(server, {{"ready", true}})};
  };
  const Results came = run(2, 12, plays, 1, 0.05);
  EXPECT_EQ(came.tests, first(12)) << "by the other one";
  EXPECT_EQ(starts, ServerPool::kMostFailedStarts);
  ASSERT_EQ(came.notes.size(), 1U);
  EXPECT_NE(came.notes[0].find("process 0 is given up: it was not ready"), std::string::npos) << came.notes[0];
}

TEST(ServerPool, WhatComesBehindALostServersLastWordIsSkipped) {
  int leases = 0;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "lease") return {};
    if (++leases > 1) return makes(server, message);
    const Servers::Said nonsense{server, false, "nonsense"};
    return {nonsense, nonsense, nonsense, {server, true, "signal 9"}, says(server, {{"ready", true}})};
  };
  const Results came = run(1, 12, plays);
  EXPECT_EQ(came.tests, first(12)) << came.failure;
  EXPECT_EQ(came.notes.size(), 1U) << "it was lost once";
}

TEST(ServerPool, OneThatSpeaksNonsenseIsReplaced) {
  bool spoke = false;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "lease") return {};
    if (!std::exchange(spoke, true)) return {{server, false, "nonsense"}};
    return makes(server, message);
  };
  EXPECT_EQ(run(1, 12, plays).tests, first(12));
}

TEST(ServerPool, ASecondResultThatIsUnlikeIsSaidAndKept) {
  std::vector<Servers::Said> late;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "lease") return {};
    if (late.empty()) {  // the first one is slow, and comes to something else in one test
      late = makes(server, message);
      campaign::Tested other = tested(1);
      other.row.verdict = "agree";
      late[1] = says(server, {{"tested", to_json(other)}});
      return {};
    }
    std::vector<Servers::Said> all = makes(server, message);
    all.insert(all.end(), late.begin(), late.end());
    return all;
  };
  const Results came = run(2, 5, plays, 1);
  EXPECT_EQ(came.tests, first(5));
  ASSERT_EQ(came.notes.size(), 1U);
  EXPECT_NE(came.notes[0].find("test 1: a second process came to something else"), std::string::npos) << came.notes[0];
  EXPECT_NE(came.notes[0].find("/unlike/1.json"), std::string::npos) << came.notes[0];
}

/// A pool that has one case, of test 3, and no tests; what came of it.
std::optional<campaign::LeasePool::StudiedCase> studied(const Played::Plays& plays, std::vector<std::string>& notes,
                                                        int servers = 1, std::size_t enough = 0) {
  const Folder folder;
  ServerPool pool(std::make_unique<Played>(servers, plays),
                  {.terms = {{"settings", {{"limits", {{"seconds", 1}}}}}},
                   .epochs = campaign::Epochs(100),
                   .tests = 0,
                   .folder = folder / "campaign",
                   .ended = [](std::uint64_t) { return false; }},
                  Patience{.deadline = 600, .least_long = 0.01});
  EXPECT_TRUE(pool.put_case(3, R"({"case":{"test":3}})").ok());
  std::vector<campaign::LeasePool::StudiedCase> all;
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while (waited.seconds() < kPatience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_TRUE(pool.take().ok());
    for (std::string& note : pool.take_notes()) notes.push_back(std::move(note));
    for (campaign::LeasePool::StudiedCase& one : pool.take_cases()) all.push_back(std::move(one));
    if (!all.empty() && notes.size() >= enough) break;
  }
  EXPECT_LE(all.size(), 1U) << "the first answers count";
  return all.empty() ? std::nullopt : std::optional(all.front());
}

TEST(ServerPool, ACaseIsStudiedBeforeTestsAreMade) {
  std::vector<std::string> asked;
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    asked.push_back(message["op"]);
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "case") return {};
    const std::uint64_t test = codec::parse_text(message["asked"].get<std::string>()).value()["case"]["test"];
    return {says(server, {{"alive", true}}), says(server, {{"studied", {{"test", test}, {"answers", {{"q", 1}}}}}})};
  };
  std::vector<std::string> notes;
  const auto came = studied(plays, notes);
  ASSERT_TRUE(came);
  EXPECT_EQ(came->test, 3U);
  EXPECT_EQ((*came->answers)["answers"]["q"], 1);
  EXPECT_EQ(asked, (std::vector<std::string>{"terms", "case"}));
  EXPECT_TRUE(notes.empty());
}

TEST(ServerPool, ASlowStudyIsMadeASecondTimeAndCompared) {
  for (const bool same : {false, true}) {
    std::vector<int> asked;
    const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
      if (message["op"] == "terms") return {says(server, {{"ready", true}})};
      if (message["op"] != "case") return {};
      asked.push_back(server);
      const auto answers = [&](int of, int answer) {
        return says(of, {{"studied", {{"test", 3}, {"answers", {{"q", answer}, {"seconds", of}}}}}});
      };
      if (asked.size() == 1) return {};  // the first one is slow
      return {answers(server, 1), answers(asked[0], same ? 1 : 2)};
    };
    std::vector<std::string> notes;
    const auto came = studied(plays, notes, 2, same ? 0 : 1);
    ASSERT_TRUE(came);
    EXPECT_EQ((*came->answers)["answers"]["q"], 1);
    EXPECT_EQ(asked.size(), 2U);
    const std::string said = notes.empty() ? "" : notes[0];
    EXPECT_EQ(said.find("the study of test 3: a second process") == 0, !same) << said;
  }
}

TEST(ServerPool, AServerWithoutAMachineIsWaitedFor) {
  const Folder folder;
  ServerPool pool(std::make_unique<Played>(
                      2, [](int, const Json&) { return std::vector<Servers::Said>(); }, false),
                  {.terms = {{"settings", {{"limits", {{"seconds", 1}}}}}},
                   .epochs = campaign::Epochs(100),
                   .tests = 1,
                   .folder = folder / "campaign",
                   .ended = [](std::uint64_t) { return false; }},
                  Patience{.deadline = 600}, 0.01);
  std::vector<std::string> notes;
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while (notes.size() < 5 && waited.seconds() < kPatience) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(pool.take().ok());
    for (std::string& note : pool.take_notes()) notes.push_back(std::move(note));
  }
  EXPECT_GE(notes.size(), 5U);
  for (const std::string& note : notes) EXPECT_EQ(note, "2 of 2 processes wait for a machine to run on");
}

TEST(ServerPool, ACaseInWhichServersDieIsLeftToTheDriver) {
  const auto plays = [&](int server, const Json& message) -> std::vector<Servers::Said> {
    if (message["op"] == "terms") return {says(server, {{"ready", true}})};
    if (message["op"] != "case") return {};
    return {{server, true, "signal 9"}};
  };
  std::vector<std::string> notes;
  const auto came = studied(plays, notes);
  ASSERT_TRUE(came);
  EXPECT_EQ(came->test, 3U);
  EXPECT_FALSE(came->answers);
  ASSERT_EQ(notes.size(), 4U);
  EXPECT_EQ(std::count_if(notes.begin(), notes.end(),
                          [](const std::string& note) {
                            return note.find("test 3 showed is studied by the driver") != std::string::npos;
                          }),
            1);
}

TEST(WithoutTimes, LeavesTheRest) {
  const Json json = {{"a", {{"seconds", 1.5}, {"b", {1, {{"peak_bytes", 3}, {"c", "x"}}}}}}, {"start_seconds", 1}};
  EXPECT_EQ(without_times(json), (Json{{"a", {{"b", {1, {{"c", "x"}}}}}}}));
}

}  // namespace
}  // namespace jp::fleet
