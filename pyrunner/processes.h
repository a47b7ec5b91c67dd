// Process trees, as /proc shows them: listing, killing, memory. Used by the driver and by the guard.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pyrunner/wire.h"

namespace jp::pyrunner {

/// The current children of a process (of all its threads); empty if it is gone.
std::vector<pid_t> children_of(pid_t process);

/// The process and all its descendants, parents first.
std::vector<pid_t> tree_of(pid_t root);

/// One process, held by a descriptor (pidfd): once it is gone and reaped, its number may be reused for another process,
/// which no signal sent through this one reaches. Where the kernel gives no such descriptor (before Linux 5.3, or
/// because a container forbids the call) the number is all there is.
class Process {
 public:
  /// No process.
  Process() = default;
  /// The process of that number, if its parent is one of these; else none.
  static Process held(pid_t number, const std::set<pid_t>& parents);

  pid_t number() const { return number_; }
  /// False if there is none, or it is gone. Signal 0 sends nothing and only checks.
  bool signal(int signal) const;
  /// Goes on with the number alone, so that more processes can be held than there may be descriptors.
  void let_go() { file_.reset(); }

 private:
  pid_t number_ = 0;
  Descriptor file_;
};

/// Stops the whole tree, so that nothing is forked meanwhile, then kills it. Descendants that escaped into sessions of
/// their own belong to the tree as long as `root` adopts orphans (PR_SET_CHILD_SUBREAPER) or their parents live.
/// Doesn't wait for them: that is up to their parents. Does nothing if the root is gone: its descendants belong to
/// whoever adopts its orphans.
void kill_tree(const Process& root);

/// Kills everything below `root`, but not itself.
void kill_below(pid_t root);

/// Resident bytes of one process; 0 if it is gone.
std::int64_t resident_bytes(pid_t process);

/// Processor time, in seconds, of the processes that it started and waited for, with all of theirs; 0 if it is gone.
double waited_for_seconds(pid_t process);

/// Processor time so far, in seconds, of processes below `root` that run another executable than `program`, which is
/// that of `root` and of its forks: compilers, say. Those that `root` waited for count, whatever they ran.
double seconds_of_others(pid_t root, const std::string& program);

/// Seconds for which the first thread of a process was runnable without a processor, since it began. From
/// /proc/PID/schedstat; 0 if it is gone or the kernel doesn't count.
double waited_for_processor(pid_t process);

/// How long a process tree stood still because the machine had no free processor for it. Polled often, so that
/// processes that waited and have ended count too (compilers, one after another).
class Starvation {
 public:
  explicit Starvation(pid_t root) : root_(root), waited_{{root, waited_for_processor(root)}} {}
  /// Seconds since the beginning. Of each interval between two polls the longest wait of one process counts: others
  /// that waited at the same time would have run in parallel.
  double look();

 private:
  pid_t root_;
  std::map<pid_t, double> waited_;
  double seconds_ = 0;
};

/// Resident bytes of the tree beyond what its processes had from birth: `base` bytes for each that runs the executable
/// `program` (they are forks and share these pages), 0 for others.
std::int64_t tree_growth(pid_t root, std::int64_t base, const std::string& program);

}  // namespace jp::pyrunner
