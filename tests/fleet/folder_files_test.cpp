// Ranges of tests, and the files of a folder that several processes write.
#include "fleet/folder_files.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <iterator>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "codec/codec.h"
#include "core/files.h"
#include "fleet/ranges.h"
#include "tests/fleet/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;
using test::tested;

TEST(FolderFiles, RangesAreThoseOfAnEpoch) {
  using Ranges = std::vector<Range>;
  using campaign::Epochs;
  EXPECT_EQ(ranges_of(Epochs(25), 5, std::nullopt), (Ranges{{50, 60}, {60, 70}, {70, 75}}))
      << "epoch 5 is the third whole one";
  EXPECT_EQ(ranges_of(Epochs(25), 5, 63), (Ranges{{50, 60}, {60, 63}}));
  EXPECT_TRUE(ranges_of(Epochs(25), 5, 50).empty());
}

TEST(FolderFiles, SecondResultsAreComparedWithoutTheirTimes) {
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

TEST(FolderFiles, TheFirstOfTwoResultsStays) {
  const Folder folder;
  for (const char* part : {"done/0", "unlike"}) ASSERT_TRUE(make_folder(folder / part).ok());
  const auto lines = [](double seconds, const char* verdict) {
    campaign::Tested one = tested(0);
    one.row.seconds = seconds;
    one.row.verdict = verdict;
    return codec::text(to_json(one)) + "\n";
  };
  const std::string first = lines(1, "agree");
  ASSERT_TRUE(give_back(folder / "", {0, 1}, "p0", first).ok());
  ASSERT_TRUE(give_back(folder / "", {0, 1}, "p1", lines(2, "agree")).ok());
  EXPECT_FALSE(read_file(folder / "unlike/0-1.p1.json").ok());
  ASSERT_TRUE(give_back(folder / "", {0, 1}, "p2", lines(1, "diverge")).ok());
  EXPECT_EQ(read_file(folder / "done/0/0-1.json").value(), first);
  EXPECT_EQ(read_file(folder / "unlike/0-1.p2.json").value(), lines(1, "diverge"));
  const std::filesystem::directory_iterator done(folder / "done/0");
  EXPECT_EQ(std::distance(begin(done), end(done)), 1) << "nothing stays beside it";
}

TEST(FolderFiles, AProcessMayBeThoughtDeadTwice) {
  const Folder folder;
  for (const char* part : {"begun", "deaths"}) ASSERT_TRUE(make_folder(folder / part).ok());
  const Note note{.process = "p0", .test = 3};
  for (int death = 1; death <= 2; ++death) {
    ASSERT_TRUE(write_file(folder / "begun/p0.json", codec::text(to_json(note))).ok());
    note_death(folder / "", note);
    EXPECT_EQ(deaths_in(folder / "").in_test.at(3), death);
  }
}

// Of many processes that put one file at once just one is the first, and each learns which.
TEST(FolderFiles, OfResultsThatComeAtOnceOneStays) {
  const Folder folder;
  constexpr int kProcesses = 8;
  for (int round = 0; round < 50; ++round) {
    const std::string name = folder / std::to_string(round);
    std::atomic<int> ready = 0;
    std::atomic<int> first = 0;
    std::vector<std::thread> threads;
    for (int process = 0; process < kProcesses; ++process)
      threads.emplace_back([&, text = std::to_string(process)] {
        for (++ready; ready < kProcesses;) std::this_thread::yield();
        const Result<bool> put = put_first(name, text, text);
        if (put.ok() && put.value()) ++first;
        // What is there once anybody has put something stays.
        const std::string there = read_file(name).value();
        std::this_thread::yield();
        EXPECT_EQ(read_file(name).value(), there);
      });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(first, 1);
  }
}

}  // namespace
}  // namespace jp::fleet
