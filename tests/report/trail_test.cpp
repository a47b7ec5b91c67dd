// The trail of a reduction: what is one step, what is stored, and that it stays small.
#include "report/trail.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "report/object_file.h"
#include "tests/report/build.h"

namespace jp::report {
namespace {

using test::Folder;

TEST(Trail, EditsOfOnePassAreOneStep) {
  Trail trail;
  extend(trail, "drop_dead", "3\n");
  extend(trail, "drop_dead", "2\n");
  extend(trail, "drop_outputs", "1\n");
  extend(trail, "drop_dead", "0\n");
  EXPECT_EQ(trail, (Trail{{{"drop_dead"}, "2\n"}, {{"drop_outputs"}, "1\n"}, {{"drop_dead"}, "0\n"}}));
}

TEST(Trail, WhatIsTooLargeIsMergedIntoTheStepAfterIt) {
  Trail trail = {{{"a"}, std::string(50, 'x')},
                 {{"b"}, std::string(90, 'x')},
                 {{"b", "c"}, std::string(20, 'x')},
                 {{"d"}, std::string(10, 'x')}};
  bound(trail, 90);
  EXPECT_EQ(trail,
            (Trail{{{"a"}, std::string(50, 'x')}, {{"b", "c"}, std::string(20, 'x')}, {{"d"}, std::string(10, 'x')}}));
  bound(trail, 5);
  EXPECT_EQ(trail, (Trail{{{"a", "b", "c", "d"}, std::string(10, 'x')}})) << "the last one always stays";
}

TEST(Trail, AProgramThatItDoesNotEndInIsAStepOfItsOwn) {
  EXPECT_EQ(ending_in({}, "1\n"), (Trail{{{}, "1\n"}}));
  EXPECT_EQ(ending_in({{{"a"}, "1\n"}}, "1\n"), (Trail{{{"a"}, "1\n"}}));
  EXPECT_EQ(ending_in({{{"a"}, "2\n"}}, "1\n"), (Trail{{{"a"}, "2\n"}, {{}, "1\n"}}));
}

TEST(Trail, ItIsStoredAndRead) {
  Folder folder;
  EXPECT_TRUE(load_trail(folder.path(), "ab").empty()) << "a campaign of an earlier version";
  const Trail trail = {{{}, "3\n"}, {{"drop_dead", "focus"}, "2\n"}};
  ASSERT_TRUE(keep_trail(folder.path(), "ab", trail).ok());
  EXPECT_EQ(load_trail(folder.path(), "ab"), trail);
  ASSERT_TRUE(keep_trail(folder.path(), "ab", {{{"a"}, std::string(kMostTrail, 'x')}, {{"b"}, "1\n"}}).ok());
  EXPECT_EQ(load_trail(folder.path(), "ab"), (Trail{{{"a", "b"}, "1\n"}}));
}

TEST(Trail, ADamagedOneIsNone) {
  Folder folder;
  for (const char* text : {R"({"version": 1, "steps": 3})", R"({"version": 1, "steps": [{"source": 3}]})",
                           R"({"version": 1, "steps": [{"passes": [], "source": "1"}, 3]})", "{"}) {
    ASSERT_TRUE(make_folder(folder / "findings/ab").ok());
    ASSERT_TRUE(write_file(finding_file(folder.path(), "ab", "trail.json"), text).ok());
    EXPECT_TRUE(load_trail(folder.path(), "ab").empty()) << text;
  }
}

}  // namespace
}  // namespace jp::report
