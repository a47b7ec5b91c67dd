// What a process of a shared folder does next.
#include "fleet/folder_work.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/files.h"
#include "fleet/folder_files.h"
#include "fleet/patience.h"
#include "tests/report/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;

/// A folder with two epochs of twenty tests, 40 to 80, which are the first whole ones, and processes that note what
/// they are to do.
class Folders {
 public:
  Folders() {
    for (const char* part : {"begun", "deaths", "claims", "cases", "tables", "done/0"})
      EXPECT_TRUE(make_folder(folder_ / part).ok());
    for (const char* epoch : {"5", "6"}) put(std::string("tables/") + epoch + ".json");
  }
  void put(const std::string& name) { EXPECT_TRUE(write_file(folder_ / name, "{}\n").ok()) << name; }
  std::string path() const { return folder_.path(); }
  bool is_claimed(const std::string& claim) const { return is_there(claim_file(path(), claim)); }
  double time() const {
    if (when_asked_for_the_time) when_asked_for_the_time();
    return now;
  }
  double now = 0;
  std::function<void()> when_asked_for_the_time;

 private:
  const Folder folder_;
};

struct Process {
  Process(Folders& folders, std::uint64_t index, std::uint64_t count)
      : sign(
            folders.path(), 600, [](const std::string&) {}, std::chrono::seconds(60)),
        work(folders.path(), {index, count}, campaign::Epochs(20), 80, sign,
             {.make =
                  [&, this](std::uint64_t epoch, const Range& range) {
                    return did(folders, done_file(folders.path(), range), claim_name(range), epoch);
                  },
              .study =
                  [&, this](std::uint64_t test) {
                    return did(folders, answers_file(folders.path(), test), claim_name(test), 0);
                  }},
             [&folders] { return folders.time(); }) {}

  /// What it does next, with the epoch: "50-60 of 5"; "" if there is nothing.
  std::string next() {
    done.clear();
    const Result<bool> worked = work.next();
    EXPECT_EQ(worked.ok() && worked.value(), !done.empty());
    return done;
  }

  Sign sign;
  FolderWork work;
  std::string done;
  double takes = 0;         // seconds
  bool ends_first = false;  // before there is a result

 private:
  Status did(Folders& folders, const std::string& result, const std::string& what, std::uint64_t epoch) {
    done = what + " of " + std::to_string(epoch);
    folders.now += takes;
    if (ends_first) throw std::runtime_error("thrown in it");
    return write_file(result, "{}\n");
  }
};

// The order of a process that is alone. What others have is looked for not more often than between_looks.
TEST(FolderWork, OwnComesBeforeOthersAndCasesBeforeTests) {
  Folders folders;
  Process process(folders, 1, 2);
  folders.put("cases/3.json");
  folders.put("cases/4.json");
  const auto later = [&] {
    folders.now += process.work.between_looks();
    return process.next();
  };
  for (const char* expected : {"case-3 of 0", "case-4 of 0", "50-60 of 5", "40-50 of 5", "70-80 of 6"})
    EXPECT_EQ(later(), expected);
  folders.put("cases/6.json");
  for (const char* expected : {"case-6 of 0", "60-70 of 6", ""}) EXPECT_EQ(later(), expected);
}

TEST(FolderWork, WhatOthersAreAtWorkOnIsLeftToThem) {
  Folders folders;
  Process process(folders, 0, 1);
  Process other(folders, 0, 1);
  folders.put("cases/3.json");
  ASSERT_TRUE(other.sign.claim("case-3", 0).value());
  EXPECT_EQ(process.next(), "40-50 of 5");
  EXPECT_FALSE(folders.is_claimed("40-50.0")) << "it is given up";
  other.sign.give_up();
  EXPECT_EQ(process.next(), "case-3 of 0");
}

// Others' ranges may be 40-50, 60-70, …: processes don't all begin with the same one.
TEST(FolderWork, ProcessesBeginWithDifferentOnesOfOthers) {
  Folders folders;
  Process first(folders, 0, 8);
  Process last(folders, 7, 8);
  EXPECT_EQ(first.next(), "40-50 of 5");
  EXPECT_EQ(last.next(), "50-60 of 5");
}

TEST(FolderWork, WhatTakesAnotherLongComesLastAndIsMadeASecondTime) {
  Folders folders;
  Process slow(folders, 0, 2);
  Process process(folders, 1, 2);
  process.takes = 20;
  ASSERT_TRUE(slow.sign.claim("40-50", 0).value());
  for (const char* expected : {"50-60 of 5", "70-80 of 6", "60-70 of 6", ""}) EXPECT_EQ(process.next(), expected);
  folders.now += 3 * 20;
  EXPECT_EQ(process.next(), "") << "three times as long as its own ranges is not more";
  folders.now += 1;
  EXPECT_EQ(process.next(), "40-50 of 5");
  EXPECT_TRUE(folders.is_claimed("40-50.0"));
  EXPECT_FALSE(folders.is_claimed("40-50.1"));
}

TEST(FolderWork, ANewOwnerHasItsTimeAndAStudyHasMore) {
  Folders folders;
  for (const char* range : {"40-50", "50-60", "60-70", "70-80"}) folders.put(std::string("done/0/") + range + ".json");
  folders.put("cases/3.json");
  Process slow(folders, 0, 2);
  Process process(folders, 1, 2);
  ASSERT_TRUE(slow.sign.claim("case-3", 0).value());
  EXPECT_EQ(process.next(), "");
  folders.now += kLeastLongStudy;
  EXPECT_EQ(process.next(), "") << "not more than the least time";
  slow.sign.give_up();
  Process another(folders, 0, 2);
  ASSERT_TRUE(another.sign.claim("case-3", 0).value());
  folders.now += 1;
  EXPECT_EQ(process.next(), "") << "who has it began just now";
  folders.now += kLeastLongStudy + 1;
  EXPECT_EQ(process.next(), "case-3 of 0");
}

TEST(FolderWork, WhatWasRemovedIsMadeAgainOnceItIsForgotten) {
  Folders folders;
  for (const char* range : {"40-50", "50-60", "60-70", "70-80"}) folders.put(std::string("done/0/") + range + ".json");
  Process process(folders, 0, 2);
  EXPECT_EQ(process.next(), "");
  std::filesystem::remove(folders.path() + "/done/0/50-60.json");
  folders.now += process.work.between_looks();
  EXPECT_EQ(process.next(), "") << "its epoch is over";
  process.work.forget();
  EXPECT_EQ(process.next(), "50-60 of 5");
}

// Between its looks for results and its claim another process may have made it.
TEST(FolderWork, WhatHasItsResultIsNotMade) {
  Folders folders;
  for (const char* range : {"50-60", "60-70", "70-80"}) folders.put(std::string("done/0/") + range + ".json");
  Process slow(folders, 0, 2);
  Process process(folders, 1, 2);
  ASSERT_TRUE(slow.sign.claim("40-50", 0).value());
  EXPECT_EQ(process.next(), "");
  folders.now += Patience{}.least_long;
  EXPECT_EQ(process.next(), "") << "it has listed the results";
  folders.now += process.work.between_looks() / 2;
  folders.when_asked_for_the_time = [&] { folders.put("done/0/40-50.json"); };
  EXPECT_EQ(process.next(), "") << "it was taken for slow, and has its result";
}

TEST(FolderWork, WhatIsThrownIsADeath) {
  Folders folders;
  Process process(folders, 0, 1);
  process.sign.makes(0);
  process.ends_first = true;
  const Result<bool> worked = process.work.next();
  ASSERT_FALSE(worked.ok());
  EXPECT_NE(worked.error().message.find("thrown in it"), std::string::npos) << worked.error().message;
  EXPECT_EQ(deaths_in(folders.path()).in_test.at(0), 1);
  EXPECT_FALSE(folders.is_claimed("40-50.0"));
}

}  // namespace
}  // namespace jp::fleet
