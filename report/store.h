// A campaign's folder: campaign.db (settings, journal of tests, findings, counts), findings/<id>/ with program.py,
// repro.py and finding.json, and campaign.lock.
//
// Journal first: a test is on disk before it runs, its verdict after; a call that returned no Error is committed (WAL,
// synchronous FULL). Writes are idempotent: the same test finished twice, the same finding from the same test, or a
// merge in another order leave the same rows. Therefore a campaign that was killed at any point continues by running
// again what has no verdict.
//
// Tables (schema 1, PRAGMA user_version; PRAGMA application_id marks the file as jitprobe's):
//   settings(text)                      one row of JSON: what the campaign was started with
//   tests(number, sha256, program, plan, verdict, rule, reason)
//                                       verdict NULL: begun, not finished; program and plan are kept until the test is
//                                       finished, and after it if the verdict is "diverge"
//   findings(id, kind, backend, stage, status, reproduced, attempts, reason, first_test)
//   sightings(finding, test)
//   counts(subject, name, value)        ("mutation:true_block", "applied", 17): over tests that have a verdict, each
//                                       counted once, in the transaction that writes its verdict
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "core/plan.h"
#include "core/program.h"
#include "core/result.h"
#include "core/verdict.h"
#include "report/ranges.h"
#include "report/reproducer.h"

namespace jp::report {

class Database;
class Lock;
class Statement;

/// What is added to a campaign's counts: subject ("mutation:true_block", "rule:tolerance") -> name -> number.
using Counts = std::map<std::string, std::map<std::string, std::int64_t>>;

/// In place of a test's number: no test met the finding, but a reduction that no test depends on. A test that meets it
/// later finds it anew.
inline constexpr std::uint64_t kNoTest = (std::uint64_t{1} << 53) - 1;

/// What a campaign's list shows of a finding.
struct FindingRow {
  std::string id;
  std::string kind;
  std::string backend;
  std::string stage;
  std::string status;  // status_name
  int reproduced = 0;
  int attempts = 0;
  std::int64_t sightings = 0;
  std::uint64_t first_test = 0;  // or kNoTest
  std::string reason;
  bool operator==(const FindingRow&) const = default;
};

/// How much a finding's status_name says of it: more for confirmed than for flaky, and more for that than for others.
int rank(std::string_view status);

/// The one writer of a campaign. Thread-safe.
class Store {
 public:
  /// Creates a new campaign; an Error if the folder holds one already. `settings` is what a resumed campaign needs to
  /// continue.
  static Result<std::unique_ptr<Store>> create(const std::string& folder, const codec::Json& settings);
  /// Opens an existing one to continue it; an Error if there is none, or if it is damaged, newer, or being written.
  static Result<std::unique_ptr<Store>> open(const std::string& folder);
  /// Removes a campaign that `create` made and that could not start, and its folder if that was made with it and holds
  /// nothing else. One with a test stays.
  static void discard(std::unique_ptr<Store> store);
  ~Store();

  const codec::Json& settings() const { return *settings_; }
  const std::string& folder() const { return folder_; }
  /// Adds a setting that was not known when the campaign began, or replaces it.
  Status set_setting(const std::string& name, const codec::Json& value);
  /// Whether a test has its verdict.
  bool is_finished(std::uint64_t number) const;
  /// The smallest number without a verdict.
  std::uint64_t first_unfinished() const;
  Ranges finished() const;
  /// Tests that were begun and have no verdict, ascending.
  Result<std::vector<std::uint64_t>> under_way() const;

  /// On disk when it returns; the test may run then. A test that was begun before is written anew.
  Status begin_test(std::uint64_t number, const Program& program, const Plan& plan);
  /// For a number that gets no verdict of an oracle: what it has instead ("internal_error"), and the reason. A program
  /// that was begun is kept; a test that has a verdict keeps it.
  Status skip_test(std::uint64_t number, std::string_view verdict, std::string_view reason = "");

  /// A test with its verdict, and what it adds to the campaign's counts. Without a program it is a rejected one.
  struct MadeTest {
    std::uint64_t number = 0;
    const Program* program = nullptr;
    const Plan* plan = nullptr;
    const Verdict* verdict = nullptr;
    const Counts* counts = nullptr;
    /// Ids of stored findings that it is a sighting of.
    std::vector<std::string> sightings = {};
  };
  /// Adds all of them in one transaction, with one sync of the disk. A test that has a verdict keeps it, and adds
  /// nothing to the counts again.
  Status add_tests(const std::vector<MadeTest>& tests);

  /// Replaces the verdict of a test, whose divergence could not be decided: an invariant of jitprobe's own broke. What
  /// the test has added to the counts stays.
  Status break_test(std::uint64_t number, std::string_view verdict, std::string_view reason);

  /// Whether `add_finding` would add a sighting and nothing else.
  Result<bool> only_sights(const Finding& finding, std::uint64_t number);
  /// Whether a finding of that id is stored; if so, the test counts as a sighting of it (once).
  Result<bool> sighted(const std::string& id, std::uint64_t number);
  /// Stores a finding under its signature's id, with its folder; true if it is new. A known one is a sighting, and
  /// replaces the stored one only if its status is better (confirmed, flaky, candidate), or if no test had met it so
  /// far. Of findings with the status "known" the one of the smallest test is stored, whichever comes first.
  Result<bool> add_finding(const Finding& finding, std::uint64_t number, const ReproducerOptions& options = {});

 private:
  Store(std::string folder, std::unique_ptr<Lock> lock, std::unique_ptr<Database> database);
  Status load();
  Status write_folder(const Finding& finding, const ReproducerOptions& options) const;
  Status put_made(const std::vector<MadeTest>& tests);
  Status put_begun(std::uint64_t number, const Program& program, const Plan& plan);
  Status put_counts(const Counts& counts);
  Status put_row(const Finding& finding, std::uint64_t number);
  Status put_sighting(const std::string& id, std::uint64_t number);
  /// Nothing if there is none, or if no test met it and one does now.
  struct Stored {
    std::string status;
    std::int64_t first_test = 0;
  };
  Result<std::optional<Stored>> stored(const std::string& id, bool by_test = false);
  static bool is_better(const Finding& finding, std::uint64_t number, const std::optional<Stored>& row);

  std::string folder_;
  bool made_folder_ = false;                     // `create` did
  std::unique_ptr<const codec::Json> settings_;  // never null
  mutable std::mutex mutex_;                     // guards everything below
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Database> database_;
  Ranges finished_;
};

/// The findings of a campaign so far, worst status last: confirmed, flaky, candidate, known; then by first test.
/// Readable while the campaign is written.
Result<std::vector<FindingRow>> list_findings(const std::string& folder);
/// Their ids, in the order in which they were entered.
Result<std::vector<std::string>> entered_findings(const std::string& folder);
/// The numbers of the tests that saw each finding, by its id.
using Sightings = std::map<std::string, std::set<std::uint64_t>>;
Result<Sightings> list_sightings(const std::string& folder);
/// A finding by its id or a prefix of it.
Result<Finding> load_finding(const std::string& folder, const std::string& id);
/// Tests by verdict_name; those under way under "".
Result<std::map<std::string, std::int64_t>> count_verdicts(const std::string& folder);
/// The verdict_name of every test that has a verdict, or what `skip_test` was given.
Result<std::map<std::uint64_t, std::string>> list_verdicts(const std::string& folder);
/// Subject -> name -> value.
Result<Counts> read_counts(const std::string& folder);
/// What the campaign was started with. Readable while the campaign is written.
Result<codec::Json> read_campaign_settings(const std::string& folder);
/// The verdict of a test; an Error if it has none yet.
struct EndedTest {
  std::string verdict;  // verdict_name, or what `skip_test` was given
  std::string rule;
  std::string reason;
  std::string program;  // "" if it is not stored
};
Result<EndedTest> read_verdict(const std::string& folder, std::uint64_t number);
/// Copies a campaign's database into another folder as it was when a test was about to run: without its verdict, and
/// without what it and later tests found.
Status copy_before(const std::string& folder, std::uint64_t number, const std::string& copy);
/// The program and the plan of a test that is under way, diverged or hit an internal error; an Error if they are not
/// stored.
struct JournaledTest {
  std::string program;
  Plan plan;
};
Result<JournaledTest> read_test(const std::string& folder, std::uint64_t number);

}  // namespace jp::report
