#include "pyrunner/processes.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

namespace jp::pyrunner {
namespace {

constexpr int kRounds = 20;
// Descriptors of a tree that are held at a time; a process may have 1024, and needs some for reading /proc.
constexpr std::size_t kMostHeld = 512;

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> open(opendir(folder.c_str()), closedir);
  if (!open) return names;
  while (dirent* entry = readdir(open.get())) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  return names;
}

std::optional<pid_t> number(const std::string& text) {
  pid_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// For kernels without /proc/PID/task/TID/children: the parent of every process.
std::map<pid_t, std::vector<pid_t>> all_children() {
  std::map<pid_t, std::vector<pid_t>> children;
  for (const std::string& name : names_in("/proc")) {
    std::optional<pid_t> process = number(name);
    if (!process) continue;
    std::ifstream stat("/proc/" + name + "/stat");
    std::string line;
    std::getline(stat, line);
    std::size_t behind = line.rfind(')');  // the name before it may contain anything
    if (behind == std::string::npos || behind + 4 >= line.size()) continue;
    std::size_t begin = behind + 4;
    if (std::optional<pid_t> parent = number(line.substr(begin, line.find(' ', begin) - begin))) {
      children[*parent].push_back(*process);
    }
  }
  return children;
}

bool kernel_lists_children() {
  static const bool lists = access(fmt::format("/proc/self/task/{}/children", getpid()).c_str(), R_OK) == 0;
  return lists;
}

// The parent of a process, 0 if it is gone.
pid_t parent_of(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string line;
  std::getline(stat, line);
  const std::size_t behind = line.rfind(')');
  if (behind == std::string::npos || behind + 4 >= line.size()) return 0;
  return number(line.substr(behind + 4, line.find(' ', behind + 4) - behind - 4)).value_or(0);
}

// Processor time of a process in seconds, and of those that it started and waited for, with all of theirs.
struct Times {
  double own = 0;
  double of_waited_for = 0;
};

Times times_of(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  // The name, in parentheses, may hold anything; utime, stime, cutime and cstime are the 12th to 15th fields behind it.
  std::string text;
  std::getline(stat, text, '\0');
  std::istringstream fields(text.substr(std::min(text.size(), text.rfind(')') + 1)));
  std::string skipped;
  for (int i = 0; i < 11; ++i) fields >> skipped;
  std::array<std::int64_t, 4> ticks{};
  for (std::int64_t& one : ticks) fields >> one;
  const auto a_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  return {static_cast<double>(ticks[0] + ticks[1]) / a_second, static_cast<double>(ticks[2] + ticks[3]) / a_second};
}

bool runs(pid_t process, const std::string& program) {
  std::array<char, 4096> path{};
  const ssize_t size = readlink(fmt::format("/proc/{}/exe", process).c_str(), path.data(), path.size());
  return size > 0 && std::string_view(path.data(), static_cast<std::size_t>(size)) == program;
}

void signal_all(const std::vector<Process>& processes, int signal) {
  for (const Process& process : processes) process.signal(signal);
}

// Everything below `root`, stopped round by round until no new process appears. A listed process may have ended since,
// and its number may have been reused: only one whose parent is in the tree is taken.
std::vector<Process> stopped_below(pid_t root) {
  std::map<pid_t, std::size_t> seen;
  std::vector<Process> found;
  for (int round = 0; round < kRounds; ++round) {
    bool news = false;
    const std::vector<pid_t> tree = tree_of(root);
    const std::set<pid_t> members(tree.begin(), tree.end());
    for (pid_t number : tree) {
      if (number == root) continue;
      if (auto before = seen.find(number); before != seen.end() && found[before->second].signal(0)) continue;
      Process process = Process::held(number, members);
      if (!process.signal(SIGSTOP)) continue;
      if (found.size() >= kMostHeld) process.let_go();
      seen[number] = found.size();
      found.push_back(std::move(process));
      news = true;
    }
    if (!news) break;
  }
  return found;
}

}  // namespace

std::vector<pid_t> children_of(pid_t process) {
  if (!kernel_lists_children()) return all_children()[process];
  std::vector<pid_t> children;
  std::string tasks = fmt::format("/proc/{}/task", process);
  for (const std::string& task : names_in(tasks)) {
    std::ifstream list(tasks + "/" + task + "/children");
    pid_t child = 0;
    while (list >> child) children.push_back(child);
  }
  return children;
}

std::vector<pid_t> tree_of(pid_t root) {
  std::vector<pid_t> tree{root};
  if (!kernel_lists_children()) {
    std::map<pid_t, std::vector<pid_t>> all = all_children();
    for (std::size_t at = 0; at < tree.size(); ++at) {
      const std::vector<pid_t>& more = all[tree[at]];
      tree.insert(tree.end(), more.begin(), more.end());
    }
    return tree;
  }
  for (std::size_t at = 0; at < tree.size(); ++at) {
    std::vector<pid_t> more = children_of(tree[at]);
    tree.insert(tree.end(), more.begin(), more.end());
  }
  return tree;
}

Process Process::held(pid_t number, const std::set<pid_t>& parents) {
  Process process;
  process.number_ = number;
  const auto file = static_cast<int>(syscall(SYS_pidfd_open, number, 0));
  if (file < 0 && (errno == ESRCH || errno == EINVAL)) return {};
  process.file_.reset(file);
  // Checked while the descriptor is held: from here on the number can't be reused unnoticed.
  if (!parents.contains(parent_of(number))) return {};
  return process;
}

bool Process::signal(int signal) const {
  if (number_ <= 0) return false;
  if (file_) return syscall(SYS_pidfd_send_signal, file_.get(), signal, nullptr, 0) == 0;
  return kill(number_, signal) == 0;
}

void kill_tree(const Process& root) {
  if (!root.signal(SIGSTOP)) return;
  std::vector<Process> tree = stopped_below(root.number());
  // Descendants first: once the root is dead, its orphans belong to the guard.
  std::reverse(tree.begin(), tree.end());
  signal_all(tree, SIGKILL);
  root.signal(SIGKILL);
}

void kill_below(pid_t root) { signal_all(stopped_below(root), SIGKILL); }

std::int64_t resident_bytes(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  std::int64_t size = 0;
  std::int64_t resident = 0;
  statm >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

double waited_for_seconds(pid_t process) { return times_of(process).of_waited_for; }

double seconds_of_others(pid_t root, const std::string& program) {
  double sum = waited_for_seconds(root);
  for (pid_t process : tree_of(root)) {
    if (process == root || runs(process, program)) continue;
    const Times times = times_of(process);
    sum += times.own + times.of_waited_for;
  }
  return sum;
}

double waited_for_processor(pid_t process) {
  std::ifstream stat(fmt::format("/proc/{}/schedstat", process));
  std::int64_t ran = 0;
  std::int64_t waited = 0;  // nanoseconds, both
  stat >> ran >> waited;
  return static_cast<double>(waited) / 1e9;
}

double Starvation::look() {
  double longest = 0;
  for (pid_t process : tree_of(root_)) {
    const double now = waited_for_processor(process);
    double& before = waited_[process];
    longest = std::max(longest, now - before);
    before = now;
  }
  return seconds_ += longest;
}

std::int64_t tree_growth(pid_t root, std::int64_t base, const std::string& program) {
  std::int64_t sum = 0;
  for (pid_t process : tree_of(root))
    sum += std::max<std::int64_t>(0, resident_bytes(process) - (runs(process, program) ? base : 0));
  return sum;
}

}  // namespace jp::pyrunner
