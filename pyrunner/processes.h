// Trees of processes, as /proc shows them: listing, killing, memory. Used by the driver and by the guard.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pyrunner/wire.h"

namespace jp::pyrunner {

/// Children of a process (of all its threads), as they are now; empty when it is gone.
std::vector<pid_t> children_of(pid_t process);

/// The process and all its descendants, parents first.
std::vector<pid_t> tree_of(pid_t root);

/// One process, held by a descriptor (pidfd): once it is gone and reaped, its number may come to mean another process,
/// which no signal sent through this one reaches. On kernels older than 5.3 the number is all there is.
class Process {
 public:
  /// None.
  Process() = default;
  /// The process of that number, as long as its parent is one of these; else none.
  static Process held(pid_t number, const std::set<pid_t>& parents);

  pid_t number() const { return number_; }
  /// False when there is none, or it is gone. 0 sends nothing and only asks.
  bool signal(int signal) const;

 private:
  pid_t number_ = 0;
  Descriptor file_;
};

/// Stops the whole tree, so that nothing is forked meanwhile, then kills it. Descendants that escaped into sessions of
/// their own belong to the tree as long as `root` takes in orphans (PR_SET_CHILD_SUBREAPER) or their parents live.
/// Doesn't wait for them: that is their parents' business. Nothing happens when the root is gone: what it left belongs
/// to whoever takes in its orphans.
void kill_tree(const Process& root);

/// Kills everything below `root`, but not itself.
void kill_below(pid_t root);

/// Resident bytes of one process; 0 when it is gone.
std::int64_t resident_bytes(pid_t process);

/// Seconds for which the first thread of a process could have run and had no processor, since it began. From
/// /proc/PID/schedstat; 0 when it is gone or the kernel doesn't keep count.
double waited_for_processor(pid_t process);

/// For how long a tree of processes stood still because the machine had no processor for it. Looked at often, so that
/// what waited and has ended counts too (compilers, one after another).
class Starvation {
 public:
  explicit Starvation(pid_t root) : root_(root), waited_{{root, waited_for_processor(root)}} {}
  /// Seconds since the beginning. Of each time between two looks the longest wait of one process counts: others that
  /// waited beside it would have run beside it.
  double look();

 private:
  pid_t root_;
  std::map<pid_t, double> waited_;
  double seconds_ = 0;
};

/// Resident bytes of the tree beyond what its processes had from birth: `base` bytes for each that runs the
/// executable `program` (they are forks and share these pages), 0 for others.
std::int64_t tree_growth(pid_t root, std::int64_t base, const std::string& program);

}  // namespace jp::pyrunner
