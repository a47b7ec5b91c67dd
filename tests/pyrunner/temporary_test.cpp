// Temporary folders: the user's alone, and removed with whoever made them, however they died.
#include "pyrunner/temporary.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

class Temporary : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    std::string pattern = (fs::temp_directory_path() / "jitprobe-temporary-XXXXXX").string();
    above_ = mkdtemp(pattern.data());
    setenv("TMPDIR", above_.c_str(), 1);
    users_ = above_ / ("jitprobe-" + std::to_string(geteuid()));
  }
  void TearDown() override {
    before_.empty() ? unsetenv("TMPDIR") : setenv("TMPDIR", before_.c_str(), 1);
    fs::remove_all(above_);
  }
  static mode_t mode_of(const fs::path& path) {
    struct stat there = {};
    return stat(path.c_str(), &there) == 0 ? there.st_mode & 07777 : 0;
  }
  std::string before_;
  fs::path above_;
  fs::path users_;
};

TEST_F(Temporary, ArePrivateAndGo) {
  std::string path;
  {
    auto folder = TemporaryFolder::make("test");
    ASSERT_TRUE(folder.ok()) << folder.error().message;
    path = folder.value().path();
    EXPECT_EQ(fs::path(path).parent_path(), users_);
    EXPECT_EQ(mode_of(users_), 0700U);
    EXPECT_EQ(mode_of(path), 0700U);
    std::ofstream(path + "/file") << "text";
    const TemporaryFolder moved = std::move(folder).value();
    EXPECT_TRUE(fs::exists(moved.path() + "/file"));
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(Temporary, AFolderOpenToOthersIsClosed) {
  fs::create_directory(users_);
  fs::permissions(users_, fs::perms::all);
  ASSERT_TRUE(TemporaryFolder::make("test").ok());
  EXPECT_EQ(mode_of(users_), 0700U);
}

TEST_F(Temporary, SomebodyElsesIsRefused) {
  const fs::path other = above_ / "other";
  fs::create_directory(other);
  fs::create_directory_symlink(other, users_);
  EXPECT_NE(TemporaryFolder::make("test").error().message.find("is no folder"), std::string::npos);
  fs::remove(users_);
  fs::create_directory(users_);
  if (chown(users_.c_str(), 65534, 65534) != 0) GTEST_SKIP() << "only root can give a folder away";
  EXPECT_NE(TemporaryFolder::make("test").error().message.find("belongs to somebody else"), std::string::npos);
}

TEST_F(Temporary, WhatAKilledProcessLeftIsCleared) {
  auto own = TemporaryFolder::make("own");
  ASSERT_TRUE(own.ok());
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    auto folder = TemporaryFolder::make("killed");
    const std::string path = folder.ok() ? folder.value().path() : "";
    if (write(ready[1], path.c_str(), path.size() + 1) < 0) _exit(1);
    pause();
    _exit(0);
  }
  char path[4096] = {};
  ASSERT_GT(read(ready[0], path, sizeof path - 1), 1);
  const fs::path left = path;
  { ASSERT_TRUE(TemporaryFolder::make("live").ok()); }
  EXPECT_TRUE(fs::exists(left)) << "its owner is alive";
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(fs::exists(left));
  const fs::path foreign = users_ / "cache";
  fs::create_directory(foreign);
  ASSERT_TRUE(TemporaryFolder::make("next").ok());
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(own.value().path()));
  EXPECT_TRUE(fs::exists(foreign));
}

}  // namespace
}  // namespace jp::pyrunner
