// A pool of processes that see a folder.
#include "fleet/shared_folder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

#include "codec/codec.h"
#include "core/files.h"
#include "report/files.h"
#include "tests/fleet/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;
using test::tested;

TEST(SharedFolder, RangesAreThoseOfAnEpoch) {
  using Ranges = std::vector<Range>;
  using campaign::Epochs;
  EXPECT_EQ(ranges_of(Epochs(25), 5, std::nullopt), (Ranges{{50, 60}, {60, 70}, {70, 75}}))
      << "epoch 5 is the third whole one";
  EXPECT_EQ(ranges_of(Epochs(25), 5, 63), (Ranges{{50, 60}, {60, 63}}));
  EXPECT_TRUE(ranges_of(Epochs(25), 5, 50).empty());
}

TEST(SharedFolder, SecondResultsAreComparedWithoutTheirTimes) {
  const auto line = [](std::uint64_t number, double seconds, const char* verdict) {
    campaign::Tested one = tested(number);
    one.row.seconds = seconds;
    one.row.verdict = verdict;
    return codec::text(to_json(one)) + "\n";
  };
  const std::string first = line(0, 1, "agree") + line(1, 1, "agree");
  EXPECT_TRUE(same_results(first, line(0, 2, "agree") + line(1, 3, "agree")).value());
  EXPECT_FALSE(same_results(first, line(0, 2, "agree") + line(1, 3, "diverge")).value());
  EXPECT_FALSE(same_results(first, line(0, 2, "agree")).value());
  EXPECT_FALSE(same_results(line(0, 2, "agree"), first).value());
  EXPECT_FALSE(same_results(first, "{\n{\n").ok()) << "damaged";
}

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

TEST(SharedFolder, ADriverIsHeardOfWhileItDoesSomethingElse) {
  using std::chrono::milliseconds;
  const Folder folder;
  DriverWatch patient(folder / "shared", 60);
  DriverWatch hasty(folder / "shared", 0.01);
  EXPECT_TRUE(patient.lives());
  auto shared = std::move(SharedFolder::open(folder / "shared",
                                             {.terms = {{"version", "1"}},
                                              .epochs = campaign::Epochs(5),
                                              .ended = [](std::uint64_t) { return true; }},
                                             milliseconds(5)))
                    .value();
  const std::string first = report::read_file(folder / "shared/driver").value();
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while (report::read_file(folder / "shared/driver").value() == first && waited.seconds() < kPatience)
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_NE(report::read_file(folder / "shared/driver").value(), first) << "nobody called take";
  shared.reset();
  EXPECT_TRUE(hasty.lives()) << "it said something new";
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(hasty.lives());
}

TEST(SharedFolder, TheFirstOfTwoResultsStays) {
  const Folder folder;
  for (const char* part : {"done", "unlike"}) ASSERT_TRUE(report::make_folder(folder / part).ok());
  const auto lines = [](double seconds, const char* verdict) {
    campaign::Tested one = tested(0);
    one.row.seconds = seconds;
    one.row.verdict = verdict;
    return codec::text(to_json(one)) + "\n";
  };
  const std::string first = lines(1, "agree");
  ASSERT_TRUE(give_back(folder / "", {0, 1}, 0, first).ok());
  ASSERT_TRUE(give_back(folder / "", {0, 1}, 1, lines(2, "agree")).ok());
  EXPECT_FALSE(report::read_file(folder / "unlike/0-1.1.json").ok());
  ASSERT_TRUE(give_back(folder / "", {0, 1}, 2, lines(1, "diverge")).ok());
  EXPECT_EQ(report::read_file(folder / "done/0-1.json").value(), first);
  EXPECT_EQ(report::read_file(folder / "unlike/0-1.2.json").value(), lines(1, "diverge"));
  const std::filesystem::directory_iterator done(folder / "done");
  EXPECT_EQ(std::distance(begin(done), end(done)), 1) << "nothing stays beside it";
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
  int made = 0;
  const auto tables = [&]() -> Result<codec::Json> { return codec::Json{{"epoch", ++made}}; };
  ASSERT_TRUE(shared->put_tables(0, tables).ok());
  ASSERT_TRUE(shared->put_tables(0, tables).ok());
  EXPECT_EQ(made, 1) << "they were there";
  EXPECT_TRUE(shared->take().value().empty());
  std::string lines;
  for (std::uint64_t number = 0; number < 5; ++number) lines += codec::text(to_json(tested(number))) + "\n";
  ASSERT_TRUE(write_file(folder / "shared/done/0-5.json", lines).ok());
  ended = [](std::uint64_t number) { return number < 2; };
  const std::vector<campaign::Tested> taken = shared->take().value();
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken.front().number, 2U);
  ended = [](std::uint64_t) { return true; };
  EXPECT_TRUE(shared->take().value().empty());
  ended = [](std::uint64_t) { return false; };
  ASSERT_TRUE(write_file(folder / "shared/done/0-5.json", "{}\n").ok());
  const auto again = std::move(open({{"version", "1"}})).value();
  ASSERT_TRUE(again->put_tables(0, tables).ok());
  EXPECT_FALSE(again->take().ok()) << "damaged";
  ASSERT_TRUE(write_file(folder / "shared/done/0-5.json", codec::text(to_json(tested(0))) + "\n").ok());
  const Result<std::vector<campaign::Tested>> lacking = again->take();
  ASSERT_FALSE(lacking.ok());
  EXPECT_NE(lacking.error().message.find("0-5.json lacks test 1"), std::string::npos) << lacking.error().message;
  EXPECT_FALSE(open({{"version", "2"}}).ok()) << "another campaign's";
}

}  // namespace
}  // namespace jp::fleet
