// A pool of processes that see a folder.
#include "fleet/shared_folder.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "codec/codec.h"
#include "core/files.h"
#include "fleet/folder_server.h"
#include "report/files.h"
#include "tests/fleet/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;
using test::tested;

TEST(SharedFolder, UnlikeResultsAreSaidOnce) {
  const Folder folder;
  auto shared = std::move(SharedFolder::open(folder / "shared", {.terms = {{"version", "1"}},
                                                                 .epochs = campaign::Epochs(5),
                                                                 .ended = [](std::uint64_t) { return true; }}))
                    .value();
  EXPECT_TRUE(shared->take_notes().empty());
  ASSERT_TRUE(write_file(folder / "shared/unlike/0-5.3.json", "{}\n").ok());
  const std::vector<std::string> notes = shared->take_notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("tests 0-5: a second process"), std::string::npos) << notes[0];
  EXPECT_TRUE(shared->take_notes().empty());
}

TEST(SharedFolder, ResultsLieInFoldersOfAThousandTests) {
  const Folder folder;
  std::set<std::uint64_t> ended;
  auto shared = std::move(SharedFolder::open(folder / "shared",
                                             {.terms = {{"version", "1"}},
                                              .epochs = campaign::Epochs(1500),
                                              .tests = 1010,
                                              .ended = [&](std::uint64_t test) { return ended.contains(test); }}))
                    .value();
  const auto tables = []() -> Result<codec::Json> { return codec::Json{{"hash", ""}}; };
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch) ASSERT_TRUE(shared->put_tables(epoch, tables).ok());
  for (const Range& range : {Range{0, 10}, Range{1000, 1010}}) {
    EXPECT_EQ(done_file(folder / "shared", range),
              fmt::format("{}/done/{}/{}-{}.json", folder / "shared", range.first / 1000, range.first, range.second));
    std::string lines;
    for (std::uint64_t number = range.first; number < range.second; ++number)
      lines += codec::text(to_json(tested(number))) + "\n";
    ASSERT_TRUE(give_back(folder / "shared", range, "p0", lines).ok());
    const std::vector<campaign::Tested> taken = shared->take().value();
    ASSERT_EQ(taken.size(), 10U);
    for (const campaign::Tested& one : taken) ended.insert(one.number);
  }
  EXPECT_TRUE(shared->take().value().empty());
}

TEST(SharedFolder, HasOneDriver) {
  const Folder folder;
  const campaign::LeasedCampaign campaign{
      .terms = {{"version", "1"}}, .epochs = campaign::Epochs(5), .ended = [](std::uint64_t) { return true; }};
  auto shared = std::move(SharedFolder::open(folder / "shared", campaign)).value();
  ASSERT_TRUE(shared->put_case(3, R"({"case":3})").ok());
  const auto second = SharedFolder::open(folder / "shared", campaign);
  ASSERT_FALSE(second.ok());
  const std::string owner =
      fmt::format("is being written by another process ({} on {})", getpid(), report::host_name());
  EXPECT_NE(second.error().message.find(owner), std::string::npos) << second.error().message;
  EXPECT_TRUE(is_there(case_file(folder / "shared", 3)));
  shared.reset();
  EXPECT_TRUE(SharedFolder::open(folder / "shared", campaign).ok());
}

TEST(SharedFolder, ResultsAreTakenOnceAndOfWhatHasNotEnded) {
  const Folder folder;
  std::function<bool(std::uint64_t)> ended = [](std::uint64_t) { return false; };
  const auto open = [&](const codec::Json& terms) {
    return SharedFolder::open(folder / "shared", {.terms = terms,
                                                  .epochs = campaign::Epochs(5),
                                                  .tests = 10,
                                                  .ended = [&](std::uint64_t test) { return ended(test); }});
  };
  auto shared = std::move(open({{"version", "1"}})).value();
  std::string hash = "a";
  const auto tables = [&]() -> Result<codec::Json> { return codec::Json{{"epoch", 0}, {"hash", hash}}; };
  ASSERT_TRUE(shared->put_tables(0, tables).ok());
  ASSERT_TRUE(shared->put_tables(0, tables).ok()) << "they were there";
  hash = "b";
  const Status unlike = shared->put_tables(0, tables);
  ASSERT_FALSE(unlike.ok());
  EXPECT_NE(unlike.error().message.find("0.json is unlike the tables"), std::string::npos) << unlike.error().message;
  hash = "a";
  ASSERT_TRUE(write_file(folder / "shared/tables/0.json", R"({"epoch":1,"hash":"a"})").ok());
  EXPECT_FALSE(shared->put_tables(0, tables).ok()) << "their hash is the same";
  ASSERT_TRUE(write_file(folder / "shared/tables/0.json", R"({"epoch":0,"hash":"a"})").ok());
  EXPECT_TRUE(shared->take().value().empty());
  std::string lines;
  for (std::uint64_t number = 0; number < 5; ++number) lines += codec::text(to_json(tested(number))) + "\n";
  ASSERT_TRUE(write_file(folder / "shared/done/0/0-5.json", lines).ok());
  ended = [](std::uint64_t number) { return number < 2; };
  const std::vector<campaign::Tested> taken = shared->take().value();
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken.front().number, 2U);
  ended = [](std::uint64_t) { return true; };
  EXPECT_TRUE(shared->take().value().empty());
  ended = [](std::uint64_t) { return false; };
  ASSERT_TRUE(write_file(folder / "shared/done/0/0-5.json", "{}\n").ok());
  shared.reset();
  auto again = std::move(open({{"version", "1"}})).value();
  ASSERT_TRUE(again->put_tables(0, tables).ok());
  const Result<std::vector<campaign::Tested>> damaged = again->take();
  ASSERT_FALSE(damaged.ok());
  EXPECT_NE(damaged.error().message.find("0-5.json is damaged"), std::string::npos) << damaged.error().message;
  EXPECT_NE(damaged.error().message.find("remove it"), std::string::npos) << damaged.error().message;
  ASSERT_TRUE(write_file(folder / "shared/done/0/0-5.json", codec::text(to_json(tested(0))) + "\n").ok());
  const Result<std::vector<campaign::Tested>> lacking = again->take();
  ASSERT_FALSE(lacking.ok());
  EXPECT_NE(lacking.error().message.find("0-5.json lacks test 1"), std::string::npos) << lacking.error().message;
  again.reset();
  EXPECT_FALSE(open({{"version", "2"}}).ok()) << "another campaign's";
}

/// A folder whose driver looks for deaths every five milliseconds.
class Watching {
 public:
  Watching() : shared_(open()) {
    EXPECT_TRUE(shared_->put_tables(0, []() -> Result<codec::Json> { return codec::Json{{"hash", ""}}; }).ok());
  }
  std::string operator/(const std::string& name) const { return folder_ / "shared/" + name; }
  std::string folder() const { return folder_ / "shared"; }
  SharedFolder& shared() { return *shared_; }
  std::set<std::uint64_t> ended;

  void note(const Note& note) {
    ASSERT_TRUE(write_file(begun_file(folder_ / "shared", note.process), codec::text(to_json(note)) + "\n").ok());
  }
  void dies(const std::string& process, std::optional<std::uint64_t> test, std::optional<std::uint64_t> of_case) {
    note({.process = process, .beat = 1, .test = test, .of_case = of_case});
    note_death(folder_ / "shared", {.process = process});
  }
  /// What `take` gives once there is something, or after a second.
  std::vector<campaign::Tested> taken() {
    const campaign::Stopwatch waited;
    std::vector<campaign::Tested> results;
    while (results.empty() && waited.seconds() < 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      results = shared_->take().value();
    }
    return results;
  }
  /// Takes results, of which there are none, until `done` holds, or a minute has passed; `meanwhile` before each.
  void take_until(
      const std::function<bool()>& done, const std::function<void()>& meanwhile = [] {}) {
    const campaign::Stopwatch waited;
    constexpr double kPatience = 60;
    while (!done() && waited.seconds() < kPatience) {
      meanwhile();
      EXPECT_TRUE(shared_->take().value().empty());
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  }
  void reopen() {
    shared_.reset();
    shared_ = open();
  }

 private:
  std::unique_ptr<SharedFolder> open() {
    return std::move(SharedFolder::open(folder_ / "shared",
                                        {.terms = {{"version", "1"}},
                                         .epochs = campaign::Epochs(5),
                                         .tests = 10,
                                         .ended = [this](std::uint64_t test) { return ended.contains(test); }},
                                        std::chrono::milliseconds(5)))
        .value();
  }

  const Folder folder_;
  std::unique_ptr<SharedFolder> shared_;
};

// A campaign that is resumed in another folder begins there with a later epoch.
TEST(SharedFolder, EpochsAreThoseThatHaveTables) {
  Watching watching;
  for (const char* name : {"12.json", "4.json", "5.json.new"})
    ASSERT_TRUE(write_file(watching / "tables/" + name, "{}\n").ok());
  using Epochs = std::vector<std::uint64_t>;
  EXPECT_EQ(epochs_in(watching.folder(), 0), (Epochs{0, 4, 12}));
  EXPECT_EQ(epochs_in(watching.folder(), 4), (Epochs{4, 12}));
  EXPECT_EQ(epochs_in(watching.folder() + "/nowhere", 0), Epochs{});
}

TEST(SharedFolder, ATestInWhichThreeDiedIsSkipped) {
  Watching watching;
  watching.dies("a", 3, std::nullopt);
  watching.dies("b", 3, std::nullopt);
  watching.dies("c", 2, std::nullopt);
  EXPECT_TRUE(watching.taken().empty());
  watching.dies("d", 3, std::nullopt);
  for (const bool again : {false, true}) {
    if (again) watching.reopen();
    const std::vector<campaign::Tested> taken = again ? watching.shared().take().value() : watching.taken();
    EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](const campaign::Tested& one) { return one.skipped; }));
    ASSERT_EQ(taken.size(), 1U) << (again ? "its driver was killed before it was stored" : "");
    EXPECT_EQ(taken[0].number, 3U);
    EXPECT_NE(taken[0].broken.find("3 processes ended in it"), std::string::npos) << taken[0].broken;
  }
  EXPECT_TRUE(read_file(watching / "skipped/3").ok());
  std::string lines;
  for (const std::uint64_t number : {0, 1, 2, 4}) lines += codec::text(to_json(tested(number))) + "\n";
  ASSERT_TRUE(write_file(watching / "done/0/0-5.json", lines).ok());
  watching.ended = {3};
  EXPECT_TRUE(watching.shared().put_tables(0, []() -> Result<codec::Json> { return codec::Json{{"hash", ""}}; }).ok());
  EXPECT_EQ(watching.taken().size(), 4U) << "the others of its range";
}

// It ended in another folder, perhaps because processes died in it there; its range is made again in this one.
TEST(SharedFolder, ATestThatHasEndedIsSkippedOnceThreeDiedInIt) {
  Watching watching;
  watching.ended = {3};
  for (const char* process : {"a", "b", "d"}) watching.dies(process, 3, std::nullopt);
  watching.take_until([&] { return is_there(watching / "skipped/3"); });
  EXPECT_TRUE(is_there(watching / "skipped/3"));
}

TEST(SharedFolder, AResultOfATestThatIsSkippedCounts) {
  Watching watching;
  std::string lines;
  for (const std::uint64_t number : {0, 1, 2, 3, 4}) lines += codec::text(to_json(tested(number))) + "\n";
  ASSERT_TRUE(write_file(watching / "done/0/0-5.json", lines).ok());
  for (const char* process : {"a", "b", "d"}) watching.dies(process, 3, std::nullopt);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  const std::vector<campaign::Tested> taken = watching.taken();
  EXPECT_TRUE(read_file(watching / "skipped/3").ok());
  ASSERT_EQ(taken.size(), 5U);
  for (const campaign::Tested& one : taken) EXPECT_EQ(one.broken, "") << one.number;
}

TEST(SharedFolder, CasesOfADriverThatWasKilledAreForgottenAndTheirAnswersStay) {
  Watching watching;
  ASSERT_TRUE(watching.shared().put_case(3, R"({"asked":1})").ok());
  ASSERT_TRUE(write_file(watching / "cases/3.answers.json", "{\"answers\": 1}\n").ok());
  watching.reopen();
  EXPECT_FALSE(read_file(watching / "cases/3.json").ok());
  ASSERT_TRUE(watching.shared().put_case(3, R"({"asked":1})").ok());
  const std::vector<campaign::LeasePool::StudiedCase> studied = watching.shared().take_cases();
  ASSERT_EQ(studied.size(), 1U);
  EXPECT_TRUE(studied[0].answers);
}

TEST(SharedFolder, WhoSaysNothingAnyMoreHasDied) {
  Watching watching;
  watching.note({.process = "silent", .beat = 1, .test = 3});
  std::uint64_t beat = 0;
  watching.take_until([&] { return read_file(watching / "deaths/silent.json").ok(); },
                      [&] { watching.note({.process = "alive", .beat = ++beat, .test = 4}); });
  EXPECT_TRUE(read_file(watching / "deaths/silent.json").ok());
  EXPECT_FALSE(read_file(watching / "deaths/alive.json").ok());
  EXPECT_EQ(watching.shared().take_notes().size(), 1U);
}

TEST(SharedFolder, ACaseInWhichThreeDiedIsLeftToTheDriver) {
  Watching watching;
  ASSERT_TRUE(watching.shared().put_case(3, R"({"case":3})").ok());
  ASSERT_TRUE(watching.shared().put_case(4, R"({"case":4})").ok());
  EXPECT_TRUE(watching.shared().take_cases().empty());
  ASSERT_TRUE(write_file(watching / "cases/4.answers.json", "{\"test\": 4}\n").ok());
  std::vector<campaign::LeasePool::StudiedCase> studied = watching.shared().take_cases();
  ASSERT_EQ(studied.size(), 1U);
  EXPECT_EQ(studied[0].test, 4U);
  EXPECT_TRUE(studied[0].answers);
  EXPECT_FALSE(is_there(watching / "cases/4.json"));
  for (const char* process : {"a", "b", "c"}) watching.dies(process, std::nullopt, 3);
  watching.taken();
  studied = watching.shared().take_cases();
  ASSERT_EQ(studied.size(), 1U);
  EXPECT_EQ(studied[0].test, 3U);
  EXPECT_FALSE(studied[0].answers);
  EXPECT_NE(watching.shared().take_notes().back().find("is studied by the driver"), std::string::npos);
  EXPECT_TRUE(watching.shared().take_cases().empty());
}

TEST(SharedFolder, ACaseForWhichNobodyIsThereIsLeftToTheDriver) {
  Watching watching;
  ASSERT_TRUE(watching.shared().put_case(3, R"({"case":3})").ok());
  EXPECT_TRUE(watching.shared().take_cases().empty());
  std::vector<campaign::LeasePool::StudiedCase> studied;
  watching.take_until([&] { return !(studied = watching.shared().take_cases()).empty(); });
  ASSERT_EQ(studied.size(), 1U);
  EXPECT_EQ(studied[0].test, 3U);
  EXPECT_FALSE(studied[0].answers);
  const std::vector<std::string> notes = watching.shared().take_notes();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_NE(notes[0].find("jitprobe lease --of"), std::string::npos) << notes[0];
}

TEST(SharedFolder, SecondAnswersAreComparedWithTheFirst) {
  Watching watching;
  const auto answers = [](int answer, double seconds) {
    return codec::Json{{"test", 3}, {"answers", {{"q", answer}, {"seconds", seconds}}}, {"files", {{"a", seconds}}}};
  };
  const codec::Json asked = {{"place", true}, {"rest", true}};
  const codec::Json later = {{"place", true}, {"rest", false}};
  ASSERT_TRUE(watching.shared().put_case(3, R"({"case":3})").ok());
  ASSERT_TRUE(answer(watching.folder(), 3, "p0", asked, answers(1, 1)).ok());
  EXPECT_EQ(watching.shared().take_cases().size(), 1U);
  ASSERT_TRUE(answer(watching.folder(), 3, "p1", asked, answers(1, 2)).ok()) << "the driver has the first ones";
  ASSERT_TRUE(answer(watching.folder(), 3, "p3", later, answers(3, 2)).ok()) << "less was asked";
  EXPECT_TRUE(watching.shared().take_notes().empty());
  ASSERT_TRUE(answer(watching.folder(), 3, "p2", asked, answers(2, 1)).ok());
  EXPECT_FALSE(is_there(watching / "cases/3.answers.json"));
  const std::vector<std::string> notes = watching.shared().take_notes();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("case-3: a second process"), std::string::npos) << notes[0];
  EXPECT_TRUE(is_there(watching / "unlike/case-3.p2.json"));
}

TEST(SharedFolder, WhatNobodyCanReadIsWrittenAgain) {
  Watching watching;
  const std::string tables = read_file(watching / "tables/0.json").value();
  const std::string terms = read_file(watching / "campaign.json").value();
  ASSERT_TRUE(write_file(watching / "tables/0.json", "{").ok());
  std::filesystem::remove(watching / "campaign.json");
  std::uint64_t beat = 0;
  watching.take_until([&] { return is_there(watching / "campaign.json"); },
                      [&] { watching.note({.process = "alive", .beat = ++beat, .test = 4}); });  // others can't start
  EXPECT_EQ(read_file(watching / "tables/0.json").value(), tables);
  EXPECT_EQ(read_file(watching / "campaign.json").value(), terms);
  const std::vector<std::string> notes = watching.shared().take_notes();
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_NE(notes[0].find("campaign.json was unlike"), std::string::npos) << notes[0];
  EXPECT_NE(notes[1].find("tables/0.json was unlike"), std::string::npos) << notes[1];
}

TEST(SharedFolder, AFolderInWhichNothingCanBeWrittenIsRefused) {
  const Status refused = SharedFolder::check("/proc/self", {{"build", "1"}}, {{"seed", 1}});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("/proc/self"), std::string::npos) << refused.error().message;
}

TEST(SharedFolder, AFolderThatIsNotThereIsRefused) {
  const Folder folder;
  std::vector<std::string> notes;
  std::atomic<bool> stop = false;
  const auto note = [&](const std::string& line) { notes.push_back(line); };
  const Result<Served> served = serve(folder / "nowhere", 0, 1, stop, note, 0.01);
  ASSERT_FALSE(served.ok());
  EXPECT_NE(served.error().message.find("there is no folder"), std::string::npos) << served.error().message;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_NE(notes[0].find("waiting for folder"), std::string::npos) << notes[0];
  ASSERT_TRUE(make_folder(folder / "empty").ok());
  const Result<Served> empty = serve(folder / "empty", 0, 1, stop, note, 0.01);
  ASSERT_FALSE(empty.ok());
  EXPECT_NE(empty.error().message.find("there is no campaign in"), std::string::npos) << empty.error().message;
  stop = true;
  EXPECT_TRUE(serve(folder / "nowhere", 0, 1, stop, note).value().stopped);
}

TEST(SharedFolder, ACampaignOfOtherSettingsIsRefusedBeforeItIsMade) {
  const Folder folder;
  const codec::Json build = {{"build", "1"}};
  EXPECT_TRUE(SharedFolder::check(folder / "nowhere", build, {{"seed", 1}}).ok());
  ASSERT_TRUE(make_folder(folder / "shared").ok());
  const codec::Json terms = {{"fingerprint", build}, {"settings", {{"seed", 1}, {"limits", {{"seconds", 10}}}}}};
  ASSERT_TRUE(write_file(folder / "shared/campaign.json", codec::text(terms)).ok());
  EXPECT_TRUE(SharedFolder::check(folder / "shared", build, {{"seed", 1}}).ok());
  EXPECT_FALSE(SharedFolder::check(folder / "shared", build, {{"seed", 2}}).ok());
  EXPECT_FALSE(SharedFolder::check(folder / "shared", {{"build", "2"}}, {{"seed", 1}}).ok());
}

}  // namespace
}  // namespace jp::fleet
