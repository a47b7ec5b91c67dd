// Broken invariants of jitprobe's own in a campaign: the test is recorded as `internal_error`, and the campaign
// continues. Three in a row are no accident and end it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace jp::campaign {

/// The verdict of such a test in the journal.
inline constexpr std::string_view kInternalError = "internal_error";

/// Does the work; returns the text of the invariant that broke in it, in one line, or nothing. A lack of memory or
/// threads is the machine's and is thrown on.
std::optional<std::string> broken_in(const std::function<void()>& work);

/// Does the work; returns what ended it: a broken invariant, or a lack of memory or threads. For threads: an exception
/// that leaves one would end the process, and with it the work of all other jobs.
std::optional<Error> error_in(const std::function<void()>& work);

/// A broken invariant and the test in which it broke; no test if it broke in a reduction that no test depends on.
struct InternalErrorOf {
  std::optional<std::uint64_t> test;
  std::string what;
};

/// The internal errors of a running campaign. Thread-safe.
class InternalErrors {
 public:
  static constexpr int kMostInARow = 3;
  /// More than others, because results of other processes come in any order. Chosen, not measured.
  static constexpr int kMostSkippedInARow = 10;

  void add(InternalErrorOf one);
  /// Records one that cost no test; it does not count towards those in a row.
  void note(InternalErrorOf one);
  /// Records a test that was not made, because processes ended in it.
  void skip(InternalErrorOf one);
  /// A test ended without an internal error.
  void passed();
  bool too_many() const;
  bool too_many_skipped() const;
  std::vector<InternalErrorOf> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<InternalErrorOf> all_;
  int in_a_row_ = 0;
  int skipped_in_a_row_ = 0;
};

/// "jitprobe fuzz --campaign DIR --replay 7": the command line that reproduces a test's internal error.
std::string replay_line(const std::string& folder, std::uint64_t test);

/// For tests of error handling: breaks an invariant if $JITPROBE_BREAK names the stage and the test, as in
/// "make:3,judge:7,reduce:9". Stages: make, judge, reduce; aside (with 0) in deferred reductions that no test depends
/// on; and generate of the command, with the seed.
void break_if_asked(std::string_view stage, std::uint64_t test);

}  // namespace jp::campaign
