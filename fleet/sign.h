// What a process of a shared folder says of itself there: a note of what it does, which changes while it lives, and
// claims on what it works at.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "campaign/common/stopwatch.h"
#include "campaign/common/ticker.h"
#include "core/result.h"
#include "fleet/folder_files.h"

namespace jp::fleet {

/// HOST-PID-TIME: another one for any two processes of any machines.
std::string name_of_process();

/// In seconds, since some moment.
using Clock = std::function<double()>;
/// One that never goes back.
Clock steady_clock();

/// Used by one thread.
class Sign {
 public:
  /// `patience`: seconds that a test may take, or for which a study may run no program. After that the process counts
  /// as one that died in it, and `overdue` is called with a sentence, once, on another thread.
  Sign(std::string folder, double patience, std::function<void(const std::string&)> overdue,
       std::chrono::milliseconds between_beats, Clock clock = steady_clock());
  ~Sign();
  Sign(const Sign&) = delete;
  Sign& operator=(const Sign&) = delete;

  /// Takes that slot of a range or a case (claim_name) unless another process has it; to be given up before another
  /// one.
  Result<bool> claim(const std::string& name, int slot);
  void give_up();

  void makes(std::uint64_t test) { does(test, std::nullopt); }
  void studies(std::uint64_t test) { does(std::nullopt, test); }
  void waits();
  /// A name that no other process has.
  const std::string& process() const { return note_.process; }
  /// A program of a study runs.
  void alive();
  /// An error in what it makes or studies counts as a death in it: the next process may meet the same error, and after
  /// some deaths nobody is to try again.
  Error dies(const Error& why);

 private:
  void does(std::optional<std::uint64_t> test, std::optional<std::uint64_t> of_case);
  void write();
  void beat();

  const std::string folder_;
  const double patience_;
  const std::function<void(const std::string&)> overdue_;
  const Clock clock_;
  std::mutex mutex_;  // guards the note and what follows
  Note note_;
  double since_ = 0;  // when it began, or gave a sign of life
  bool dead_ = false;
  std::optional<campaign::Ticker> beating_;  // last: it uses the others
};

}  // namespace jp::fleet
