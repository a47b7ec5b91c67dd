// What programs leave in the place of files that the driver reads.
#include "pyrunner/left_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

class LeftFiles : public testing::Test {
 protected:
  LeftFiles() : folder_(testing::TempDir() + "/left-" + std::to_string(getpid())) { fs::create_directories(folder_); }
  ~LeftFiles() override { remove_left(folder_); }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }

  std::string folder_;
};

TEST_F(LeftFiles, ArePlainOrNotThere) {
  std::ofstream(file("plain")) << "0123456789";
  EXPECT_EQ(left_size(file("plain")), 10U);
  EXPECT_EQ(left_text(file("plain"), 4, 100), "456789");
  EXPECT_EQ(left_text(file("plain"), 4, 3), "456") << "however long the file is";
  EXPECT_EQ(left_text(file("plain"), 10, 3), "");
  EXPECT_EQ(left_size(file("none")), 0U);
  fs::create_symlink(file("plain"), file("link"));
  EXPECT_EQ(left_size(file("link")), 0U);
  EXPECT_EQ(left_text(file("link"), 0, 3), "");
  ASSERT_EQ(mkfifo(file("pipe").c_str(), 0600), 0);
  EXPECT_EQ(left_text(file("pipe"), 0, 3), "") << "nobody is waited for";
}

TEST_F(LeftFiles, AreCutWhereTheyAreTooLong) {
  std::ofstream(file("plain")) << "0123456789";
  fs::create_symlink(file("plain"), file("link"));
  bound_left(file("link"), 5);
  bound_left(file("plain"), 10);
  EXPECT_EQ(left_size(file("plain")), 10U);
  bound_left(file("plain"), 9);
  EXPECT_EQ(left_size(file("plain")), 0U);
}

TEST_F(LeftFiles, AClosedFolderCountsAsFullAndCanBeRemoved) {
  fs::create_directories(file("in/closed/deep"));
  std::ofstream(file("in/closed/deep/file")) << "text";
  EXPECT_FALSE(fills(folder_, 1 << 20));
  EXPECT_TRUE(fills(folder_, 3));
  ASSERT_EQ(chmod(file("in/closed/deep").c_str(), 0), 0);
  ASSERT_EQ(chmod(file("in/closed").c_str(), 0), 0);
  if (geteuid() != 0) {  // root looks into everything
    EXPECT_TRUE(fills(folder_, 1 << 20));
  }
  remove_left(file("in"));
  EXPECT_FALSE(fs::exists(file("in")));
}

}  // namespace
}  // namespace jp::pyrunner::test
