// Files are written whole or not at all, and every error is reported.
#include "core/files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

namespace jp {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "jitprobe-files-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string text_of(const std::string& file) {
    std::ifstream stream(file, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
  }
  fs::path folder_;
};

TEST_F(Files, AreReplacedAndLeaveNothingBeside) {
  const std::string text(300000, 'x');
  ASSERT_TRUE(write_file(path("a"), "old").ok());
  ASSERT_EQ(chmod(path("a").c_str(), 0640), 0);
  ASSERT_TRUE(write_file(path("a"), text).ok());
  EXPECT_EQ(text_of(path("a")), text);
  struct stat there = {};
  ASSERT_EQ(stat(path("a").c_str(), &there), 0);
  EXPECT_EQ(there.st_mode & 07777, 0640U) << "its mode stays";
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(Files, ALinkIsFollowed) {
  ASSERT_TRUE(write_file(path("a"), "old").ok());
  fs::create_symlink("a", path("link"));
  ASSERT_TRUE(write_file(path("link"), "new").ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(text_of(path("a")), "new");
}

TEST_F(Files, ErrorsAreTold) {
  EXPECT_NE(write_file(path("none/a"), "x").error().message.find("none/a could not be written"), std::string::npos);
  EXPECT_NE(write_file(folder_.string(), "x").error().message.find("directory"), std::string::npos);
  EXPECT_FALSE(append_file(path("none/a"), "x").ok());
  EXPECT_FALSE(write_scratch(path("none/a"), "x").ok());
  // A full disk is detected when the file is written, not when somebody reads half of it.
  EXPECT_NE(write_file("/dev/full", "x").error().message.find("full"), std::string::npos);
}

TEST_F(Files, GrowLineByLineAndAreWrittenAgainInPlace) {
  ASSERT_TRUE(append_file(path("rows"), "1\n").ok());
  ASSERT_TRUE(append_file(path("rows"), "2\n").ok());
  EXPECT_EQ(text_of(path("rows")), "1\n2\n");
  ASSERT_TRUE(write_scratch(path("rows"), "a longer text").ok());
  ASSERT_TRUE(write_scratch(path("rows"), "short").ok());
  EXPECT_EQ(text_of(path("rows")), "short");
}

// Signals without SA_RESTART interrupt calls again and again.
TEST_F(Files, InterruptedCallsGoOn) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  struct sigaction action = {}, former = {};
  action.sa_handler = [](int) {};
  ASSERT_EQ(sigaction(SIGALRM, &action, &former), 0);
  const std::string text(1 << 20, 'y');
  std::string read;
  std::thread reader([&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    const int file = open(path("pipe").c_str(), O_RDONLY | O_CLOEXEC);
    std::string part(4096, '\0');
    for (ssize_t got = 0; (got = ::read(file, part.data(), part.size())) > 0; usleep(200))
      read.append(part, 0, static_cast<std::size_t>(got));
    close(file);
  });
  const itimerval often = {{0, 500}, {0, 500}};
  const itimerval never = {};
  setitimer(ITIMER_REAL, &often, nullptr);
  const Status written = write_file(path("pipe"), text);
  setitimer(ITIMER_REAL, &never, nullptr);
  reader.join();
  sigaction(SIGALRM, &former, nullptr);
  EXPECT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(read.size(), text.size());
}

TEST_F(Files, AnotherProcessMayBeWritingTheSameFile) {
  ASSERT_TRUE(write_scratch(path("file.new"), "half of").ok());
  ASSERT_TRUE(write_file(path("file"), "whole").ok());
  EXPECT_EQ(read_file(path("file")).value(), "whole");
  EXPECT_EQ(read_file(path("file.new")).value(), "half of");
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), fs::directory_iterator()), 2);
}

TEST_F(Files, AFolderIsWeighedWithoutWhatItsLinksLeadTo) {
  ASSERT_TRUE(make_folder(path("folder/below")).ok());
  ASSERT_TRUE(write_scratch(path("folder/one"), std::string(1000, 'x')).ok());
  ASSERT_TRUE(write_scratch(path("folder/below/two"), std::string(234, 'x')).ok());
  ASSERT_TRUE(write_scratch(path("outside"), std::string(9999, 'x')).ok());
  fs::create_symlink(path("outside"), path("folder/link"));
  const FolderSize all = size_of_folder(path("folder"));
  EXPECT_EQ(all.bytes, 1234U);
  EXPECT_EQ(all.entries, 4U);
  EXPECT_TRUE(all.whole);
  EXPECT_TRUE(size_of_folder(path("folder"), 1234, 4).whole);
  EXPECT_FALSE(size_of_folder(path("folder"), 1233).whole);
  EXPECT_EQ(size_of_folder(path("folder"), UINTMAX_MAX, 1).entries, 2U);
  EXPECT_FALSE(size_of_folder(path("missing")).whole);
}

}  // namespace
}  // namespace jp
