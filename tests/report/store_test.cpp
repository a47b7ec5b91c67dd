#include "report/store.h"

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
#include <thread>

#include "core/choices.h"
#include "report/files.h"
#include "report/schema.h"
#include "tests/report/build.h"

namespace jp::report::test {
namespace {

const codec::Json kSettings = {{"seed", 7}, {"operators", 20}};

std::unique_ptr<Store> created(const Folder& folder) {
  auto store = Store::create(folder.path(), kSettings);
  EXPECT_TRUE(store.ok()) << store.error().message;
  return std::move(store).value();
}
std::unique_ptr<Store> opened(const Folder& folder) {
  auto store = Store::open(folder.path());
  EXPECT_TRUE(store.ok()) << (store.ok() ? "" : store.error().message);
  return std::move(store).value();
}
Verdict verdict_of(Verdict::Kind kind) { return {kind, "rule", "reason", {}, {}}; }
Finding finding(const std::string& where, Finding::Status status = Finding::Status::kConfirmed) {
  Finding made = finding_of("def program():\n    return 1\n", "aot_eager", Mismatch::kValue, where);
  made.status = status;
  return made;
}
const Program kProgram = program_of("def program():\n    return 1\n");
const Plan kPlan = plan_for("aot_eager");

TEST(Ranges, AddsAndMerges) {
  Choices choices(5);
  for (int round = 0; round < 200; ++round) {
    Ranges ranges;
    std::set<std::uint64_t> numbers;
    for (int i = 0; i < 30; ++i) {
      const std::uint64_t number = choices.below(40);
      ranges.add(number);
      numbers.insert(number);
    }
    std::uint64_t missing = 0;
    while (numbers.contains(missing)) ++missing;
    EXPECT_EQ(ranges.first_missing(), missing);
    for (std::uint64_t number = 0; number < 45; ++number)
      ASSERT_EQ(ranges.contains(number), numbers.contains(number)) << number;
    std::uint64_t previous_end = 0;
    for (const auto& [first, end] : ranges.runs()) {
      EXPECT_LT(first, end);
      EXPECT_TRUE(first == 0 || first > previous_end) << "runs must not touch";
      previous_end = end;
    }
  }
}

TEST(Store, RemembersSettingsAndTests) {
  Folder folder;
  {
    auto store = created(folder);
    ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
    ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree)).ok());
    ASSERT_TRUE(store->skip_test(1, "rejected").ok());
    ASSERT_TRUE(store->begin_test(2, kProgram, kPlan).ok());
    ASSERT_TRUE(store->begin_test(3, kProgram, kPlan).ok());
    ASSERT_TRUE(store->finish_test(3, verdict_of(Verdict::Kind::kDiverge)).ok());
  }
  auto store = opened(folder);
  EXPECT_EQ(store->settings(), kSettings);
  EXPECT_TRUE(store->is_finished(0));
  EXPECT_TRUE(store->is_finished(1));
  EXPECT_FALSE(store->is_finished(2));
  EXPECT_TRUE(store->is_finished(3));
  EXPECT_EQ(store->first_unfinished(), 2U);
  EXPECT_EQ(store->under_way().value(), std::vector<std::uint64_t>{2});
  const auto verdicts = count_verdicts(folder.path()).value();
  EXPECT_EQ(verdicts, (std::map<std::string, std::int64_t>{{"", 1}, {"agree", 1}, {"diverge", 1}, {"rejected", 1}}));
}

TEST(Store, KeepsProgramsUnderWayAndThoseThatDiverged) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  const auto test = read_test(folder.path(), 0);
  ASSERT_TRUE(test.ok()) << test.error().message;
  EXPECT_EQ(test.value().program, kProgram.source());
  EXPECT_EQ(codec::read<Plan>(test.value().plan).value(), kPlan);
  ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree)).ok());
  EXPECT_FALSE(read_test(folder.path(), 0).ok());
}

TEST(Store, FinishingTwiceKeepsTheFirstVerdict) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(4, kProgram, kPlan).ok());
  ASSERT_TRUE(store->begin_test(4, kProgram, kPlan).ok()) << "as a resumed campaign does";
  ASSERT_TRUE(store->finish_test(4, verdict_of(Verdict::Kind::kDiverge)).ok());
  ASSERT_TRUE(store->finish_test(4, verdict_of(Verdict::Kind::kAgree)).ok());
  EXPECT_EQ(count_verdicts(folder.path()).value(), (std::map<std::string, std::int64_t>{{"diverge", 1}}));
}

TEST(Findings, AreOneRowASignature) {
  Folder folder;
  auto store = created(folder);
  const std::string id = finding("output").signature.id();
  EXPECT_FALSE(store->sighted(id, 1).value());
  EXPECT_TRUE(store->add_finding(finding("output"), 1).value());
  EXPECT_FALSE(store->add_finding(finding("output"), 1).value());
  EXPECT_TRUE(store->sighted(id, 2).value());
  EXPECT_TRUE(store->sighted(id, 2).value());
  EXPECT_TRUE(store->add_finding(finding("inputs"), 3).value());
  const auto rows = list_findings(folder.path()).value();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].id, id);
  EXPECT_EQ(rows[0].sightings, 2);
  EXPECT_EQ(rows[0].status, "confirmed");
  EXPECT_EQ(rows[0].first_test, 1U);
  EXPECT_EQ(rows[1].sightings, 1);
}

TEST(Findings, MergeInAnyOrderToTheSameRows) {
  std::vector<std::vector<FindingRow>> results;
  for (const auto& order : std::vector<std::vector<std::uint64_t>>{{1, 2, 3}, {3, 2, 1, 3, 1}, {2, 2, 3, 1}}) {
    Folder folder;
    auto store = created(folder);
    for (std::uint64_t test : order) ASSERT_TRUE(store->add_finding(finding("output"), test).ok());
    auto rows = list_findings(folder.path()).value();
    for (FindingRow& row : rows) row.first_test = 0;  // the first that came in
    results.push_back(rows);
  }
  EXPECT_EQ(results[0], results[1]);
  EXPECT_EQ(results[0], results[2]);
}

TEST(Findings, ABetterStatusTakesThePlace) {
  Folder folder;
  auto store = created(folder);
  EXPECT_TRUE(store->add_finding(finding("output", Finding::Status::kFlaky), 1).value());
  EXPECT_FALSE(store->add_finding(finding("output", Finding::Status::kConfirmed), 2).value());
  EXPECT_FALSE(store->add_finding(finding("output", Finding::Status::kCandidate), 3).value());
  const auto rows = list_findings(folder.path()).value();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].status, "confirmed");
  EXPECT_EQ(rows[0].sightings, 3);
  EXPECT_EQ(load_finding(folder.path(), rows[0].id).value().status, Finding::Status::kConfirmed);
}

TEST(Findings, AreReadBackWhole) {
  Folder folder;
  auto store = created(folder);
  Finding kept = finding("output");
  TensorRecord tensor;
  tensor.bytes = std::string("\0\xff\x80", 3);
  kept.outcomes = {{"eager", Finished{{{tensor}, {CallRecord{}}, {}}, {}}, 0.5},
                   {"compiled", Died{"signal", 11, 0, "x", {"f"}}, 1}};
  ASSERT_TRUE(store->add_finding(kept, 1).ok());
  const std::string id = kept.signature.id();
  const auto loaded = load_finding(folder.path(), id.substr(0, 6));
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().outcomes, kept.outcomes);
  EXPECT_EQ(loaded.value().verdict, kept.verdict);
  EXPECT_EQ(loaded.value().signature, kept.signature);
  EXPECT_EQ(loaded.value().program.source(), kept.program.source());
  EXPECT_EQ(read_file(folder / "findings/" + id + "/program.py").value(), kept.program.source());
  EXPECT_FALSE(load_finding(folder.path(), "nothing").ok());
}

// A test adds its counts with its verdict: both or neither, and once.
TEST(Counts, AreAddedOnceByEachTest) {
  Folder folder;
  auto store = created(folder);
  const Counts one = {{"mutation:true_block", {{"tried", 3}, {"applied", 2}}}};
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  EXPECT_TRUE(read_counts(folder.path()).value().empty()) << "it has no verdict yet";
  ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree), one).ok());
  EXPECT_EQ(read_counts(folder.path()).value(), one) << "while the campaign goes on";
  ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree), one).ok());
  ASSERT_TRUE(store->skip_test(0, "rejected", "", one).ok());
  EXPECT_EQ(read_counts(folder.path()).value(), one) << "written again";
  ASSERT_TRUE(store->skip_test(1, "rejected", "", {{"mutation:true_block", {{"tried", 4}}}}).ok());
  ASSERT_TRUE(store->skip_test(1, "rejected", "", {{"mutation:true_block", {{"tried", 4}}}}).ok());
  store.reset();
  store = Store::open(folder.path()).value();
  ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree), one).ok());
  const Counts counts = read_counts(folder.path()).value();
  EXPECT_EQ(counts.at("mutation:true_block").at("tried"), 7);
  EXPECT_EQ(counts.at("mutation:true_block").at("applied"), 2);
}

// What broke an invariant of ours is kept with its program, and the campaign as it was before can be had again.
TEST(InternalErrors, AreKeptWithTheirProgramAndRunAgainInACopy) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->begin_test(0, kProgram, kPlan).ok());
  ASSERT_TRUE(store->finish_test(0, verdict_of(Verdict::Kind::kAgree)).ok());
  ASSERT_TRUE(store->begin_test(1, kProgram, kPlan).ok());
  ASSERT_TRUE(store->add_finding(finding("output"), 1).ok());
  ASSERT_TRUE(store->skip_test(1, "internal_error", "a broken rule").ok());
  EXPECT_TRUE(store->is_finished(1));
  const EndedTest ended = read_verdict(folder.path(), 1).value();
  EXPECT_EQ(ended.verdict, "internal_error");
  EXPECT_EQ(ended.reason, "a broken rule");
  EXPECT_EQ(ended.program, kProgram.source());
  EXPECT_FALSE(read_verdict(folder.path(), 2).ok());
  Folder copy;
  ASSERT_TRUE(copy_before(folder.path(), 1, copy.path()).ok());
  auto again = Store::open(copy.path()).value();
  EXPECT_TRUE(again->is_finished(0));
  EXPECT_FALSE(again->is_finished(1));
  EXPECT_EQ(again->settings(), store->settings());
  EXPECT_TRUE(list_findings(copy.path()).value().empty());
  EXPECT_EQ(list_findings(folder.path()).value().size(), 1U);
}

TEST(Settings, GrowByWhatIsKnownLater) {
  Folder folder;
  auto store = created(folder);
  ASSERT_TRUE(store->set_setting("torch", "2.13.0").ok());
  EXPECT_EQ(store->settings()["torch"], "2.13.0");
  store.reset();
  EXPECT_EQ(Store::open(folder.path()).value()->settings()["torch"], "2.13.0");
}

TEST(Threads, ShareAStore) {
  Folder folder;
  auto store = created(folder);
  std::vector<std::thread> threads;
  for (std::uint64_t job = 0; job < 4; ++job)
    threads.emplace_back([&, job] {
      for (std::uint64_t i = 0; i < 10; ++i) {
        const std::uint64_t number = i * 4 + job;
        EXPECT_TRUE(store->begin_test(number, kProgram, kPlan).ok());
        EXPECT_TRUE(i % 5 != 0 || store->add_finding(finding("output"), number).ok());
        EXPECT_TRUE(store->finish_test(number, verdict_of(Verdict::Kind::kAgree)).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store->first_unfinished(), 40U);
  EXPECT_EQ(list_findings(folder.path()).value().at(0).sightings, 8);
}

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

// Runs `work` in a child process that must not come back.
pid_t in_child(const std::function<void()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  return child;
}

// A child journals tests and findings and tells of each only when the store has acknowledged it; it is killed at
// a moment drawn by chance. What it told of must be there.
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
        if (!store->finish_test(i, verdict_of(Verdict::Kind::kDiverge)).ok()) _exit(1);
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
