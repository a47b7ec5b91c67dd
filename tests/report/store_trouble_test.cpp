// A store that is missing, taken, foreign, damaged, killed, or on a full disk.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include "codec/codec.h"
#include "core/choices.h"
#include "core/files.h"
#include "report/database.h"
#include "report/files.h"
#include "report/schema.h"
#include "report/store.h"
#include "tests/report/store_build.h"

namespace jp::report::test {
namespace {

std::string error_of(const Folder& folder) {
  const auto store = Store::open(folder.path());
  return store.ok() ? "" : store.error().message;
}

TEST(Trouble, MissingTakenAndForeign) {
  Folder folder;
  EXPECT_NE(error_of(folder).find("no campaign"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "campaign.db")) << "looking must not make one";
  created(folder);
  EXPECT_NE(Store::create(folder.path(), kSettings).error().message.find("--resume"), std::string::npos);
  Folder foreign;
  ASSERT_TRUE(
      Database::open(foreign / "campaign.db", Database::Mode::kCreate).value()->execute("CREATE TABLE t(x)").ok());
  EXPECT_NE(error_of(foreign).find("no campaign"), std::string::npos);
}

TEST(Trouble, OneWriter) {
  Folder folder;
  auto store = created(folder);
  EXPECT_NE(error_of(folder).find("another process"), std::string::npos) << error_of(folder);
  EXPECT_TRUE(list_findings(folder.path()).ok()) << "reading goes on";
  store.reset();
  EXPECT_EQ(error_of(folder), "");
}

TEST(Trouble, Newer) {
  Folder folder;
  created(folder);
  ASSERT_TRUE(Database::open(folder / "campaign.db", Database::Mode::kReadWrite)
                  .value()
                  ->execute("PRAGMA user_version = 99")
                  .ok());
  EXPECT_NE(error_of(folder).find("newer"), std::string::npos);
}

TEST(Trouble, DamagedFilesGiveOneSentence) {
  Folder folder;
  {
    auto store = created(folder);
    for (std::uint64_t i = 0; i < 200; ++i) ASSERT_TRUE(store->skip_test(i, "rejected", std::string(200, 'x')).ok());
  }
  const std::string whole = read_file(folder / "campaign.db").value();
  Choices choices(9);
  int refused = 0;
  for (int round = 0; round < 60; ++round) {
    std::string bytes = whole;
    if (round % 3 == 0) bytes.resize(choices.below(bytes.size()));
    const std::size_t start = bytes.size() < 200 ? 0 : choices.below(bytes.size() - 100);
    for (std::size_t i = start; i < std::min(bytes.size(), start + 100); ++i)
      bytes[i] = static_cast<char>(choices.below(256));
    std::ofstream(folder / "campaign.db", std::ios::binary) << bytes;
    for (const char* part : {"campaign.db-wal", "campaign.db-shm"}) std::filesystem::remove(folder / part);
    const std::string message = error_of(folder);
    refused += message.empty() ? 0 : 1;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  EXPECT_GT(refused, 30);
}

TEST(Trouble, ADamagedFindingIsNamed) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->add_finding(finding("output"), 1).ok());
  const std::string id = finding("output").signature.id();
  std::ofstream(folder / "findings/" + id + "/finding.json") << "{\"finding\": {\"plan\": 3}}";
  const auto loaded = load_finding(folder.path(), id);
  ASSERT_FALSE(loaded.ok());
  EXPECT_NE(loaded.error().message.find("finding.json"), std::string::npos);
}

TEST(Trouble, NetworkFileSystemsByNumberAndType) {
  EXPECT_EQ(network_file_system(0x6969, "nfs4"), "NFS");
  EXPECT_EQ(network_file_system(0xFF534D42, "cifs"), "CIFS");
  EXPECT_EQ(network_file_system(0x01021997, "9p"), "9p");
  EXPECT_EQ(network_file_system(0x65735546, "fuse.sshfs"), "fuse.sshfs");
  EXPECT_EQ(network_file_system(0x65735546, "fuseblk"), "");
  EXPECT_EQ(network_file_system(0xEF53, "ext4"), "");
  EXPECT_EQ(network_file_system(0x01021994, "tmpfs"), "");
}

// Runs `work` in a child process that must not return.
pid_t in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

// A child journals tests and findings and reports each only once the store has acknowledged it; it is killed at a
// random moment. What it reported must be there.
TEST(Killed, WhatWasAcknowledgedIsThere) {
  Choices choices(13);
  for (int round = 0; round < 12; ++round) {
    Folder folder;
    created(folder);
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = in_child([&] {
      close(pipe_ends[0]);
      auto store = Store::open(folder.path()).value();
      const auto tell = [&](char what, std::uint64_t number) {
        const std::string line = std::string(1, what) + std::to_string(number) + "\n";
        if (write(pipe_ends[1], line.data(), line.size()) < 0) _exit(1);
      };
      for (std::uint64_t i = 0;; ++i) {
        if (!store->begin_test(i, kProgram, kPlan).ok()) _exit(1);
        tell('b', i);
        if (!store->add_finding(finding("output" + std::to_string(i % 5)), i).ok()) _exit(1);
        tell('f', i);
        if (!finish(*store, i, Verdict::Kind::kDiverge).ok()) _exit(1);
        tell('e', i);
      }
    });
    close(pipe_ends[1]);
    usleep(static_cast<useconds_t>(5000 + choices.below(100000)));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));
    std::string told;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(pipe_ends[0], buffer, sizeof buffer)) > 0;)
      told.append(buffer, static_cast<std::size_t>(got));
    close(pipe_ends[0]);

    auto store = opened(folder);
    std::set<std::uint64_t> begun;
    const std::vector<std::uint64_t> under_way = store->under_way().value();
    begun.insert(under_way.begin(), under_way.end());
    std::int64_t acknowledged = 0;
    std::istringstream lines(told);
    for (std::string line; std::getline(lines, line);) {
      const std::uint64_t number = std::stoull(line.substr(1));
      EXPECT_TRUE(line[0] == 'e' || begun.contains(number) || store->is_finished(number)) << line;
      EXPECT_TRUE(line[0] != 'e' || store->is_finished(number)) << line;
      acknowledged += line[0] == 'f' ? 1 : 0;
    }
    EXPECT_LE(begun.size(), 1U);
    std::int64_t sightings = 0;
    const std::vector<FindingRow> rows = list_findings(folder.path()).value();
    for (const FindingRow& row : rows) {
      sightings += row.sightings;
      EXPECT_TRUE(load_finding(folder.path(), row.id).ok()) << row.id;
    }
    EXPECT_GE(sightings, acknowledged);
    EXPECT_LE(sightings, acknowledged + 1);
    for (std::uint64_t number : begun) EXPECT_TRUE(read_test(folder.path(), number).ok());
  }
}

TEST(FullDisk, StopsWithOneSentenceAndKeepsWhatWasAcknowledged) {
  Folder folder;
  created(folder);
  const pid_t child = in_child([&] {
    auto store = Store::open(folder.path()).value();
    signal(SIGXFSZ, SIG_IGN);  // a write beyond the limit fails with EFBIG, as one on a full disk with ENOSPC
    const rlimit limit = {1 << 18, 1 << 18};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    for (std::uint64_t i = 0; i < 10000; ++i) {
      const Status done = store->skip_test(i, "rejected", std::string(1000, 'x'));
      if (done.ok()) continue;
      const bool sentence = done.error().message.find("make room") != std::string::npos;
      std::ofstream(folder / "told") << i;
      _exit(sentence && !store->is_finished(i) ? 0 : 3);
    }
    _exit(4);
  });
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  ASSERT_EQ(WEXITSTATUS(status), 0);
  std::uint64_t told = 0;
  std::ifstream(folder / "told") >> told;
  EXPECT_GT(told, 10U);
  EXPECT_EQ(opened(folder)->first_unfinished(), told);
}

}  // namespace
}  // namespace jp::report::test
