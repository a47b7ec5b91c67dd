// Broken invariants of ours in a campaign: the test is put down as `internal_error`, and the campaign goes on. Three in
// a row are no accident any more: they end it.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jp::campaign {

/// The verdict of such a test in the journal.
inline constexpr std::string_view kInternalError = "internal_error";

/// Does the work; the text of the invariant that broke in it, in one line, or nothing. What the machine lacks (memory,
/// threads) is no invariant of ours and is thrown on.
std::optional<std::string> broken_in(const std::function<void()>& work);

/// A broken invariant, and the test in which it broke; none where a reduction went on that no test depends on.
struct InternalErrorOf {
  std::optional<std::uint64_t> test;
  std::string what;
};

/// Those of a running campaign. For several threads.
class InternalErrors {
 public:
  static constexpr int kMostInARow = 3;

  void add(InternalErrorOf one);
  /// One that cost no test; it is none of those in a row.
  void note(InternalErrorOf one);
  /// A test ended as it should.
  void passed();
  bool too_many() const;
  std::vector<InternalErrorOf> all() const;

 private:
  mutable std::mutex mutex_;
  std::vector<InternalErrorOf> all_;
  int in_a_row_ = 0;
};

/// "jitprobe fuzz --campaign DIR --replay 7": the line that meets a test's error again.
std::string replay_line(const std::string& folder, std::uint64_t test);

/// For tests of all this: breaks an invariant where $JITPROBE_BREAK names the stage and the test, as in
/// "make:3,judge:7,reduce:9". Stages: make, judge, reduce; aside (with 0) where reductions go on
/// that no test depends on; and generate of the command, with the seed.
void break_if_asked(std::string_view stage, std::uint64_t test);

}  // namespace jp::campaign
