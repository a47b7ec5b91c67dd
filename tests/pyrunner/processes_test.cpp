// Ending process trees by identity, not by numbers that other processes may have by now.
#include "pyrunner/processes.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>

namespace jp::pyrunner {
namespace {

pid_t sleeper() {
  const pid_t child = fork();
  if (child == 0) {
    for (;;) pause();
  }
  return child;
}

// A child with that number, which must be free; 0 if the system doesn't let us.
pid_t sleeper_of_number(pid_t wanted) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::ofstream last("/proc/sys/kernel/ns_last_pid");
    last << wanted - 1 << std::flush;
    if (!last) return 0;
    const pid_t child = sleeper();
    if (child == wanted) return child;
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  return 0;
}

TEST(Processes, ANumberThatIsAnothersIsLeftAlone) {
  const pid_t first = sleeper();
  const Process held = Process::held(first, {getpid()});
  EXPECT_TRUE(held.signal(0));
  kill(first, SIGKILL);
  waitpid(first, nullptr, 0);
  EXPECT_FALSE(held.signal(0));
  const pid_t second = sleeper_of_number(first);
  if (second == 0) GTEST_SKIP() << "numbers of processes can't be chosen here";
  kill_tree(held);
  usleep(50000);
  EXPECT_EQ(waitpid(second, nullptr, WNOHANG), 0) << "another process of the same number was killed";
  kill(second, SIGKILL);
  waitpid(second, nullptr, 0);
}

TEST(Processes, OnlyAChildOfTheParentIsHeld) {
  const pid_t child = sleeper();
  EXPECT_FALSE(Process::held(child, {child}).signal(0));
  EXPECT_FALSE(Process::held(getppid(), {getpid()}).signal(0));
  const Process held = Process::held(child, {getpid()});
  kill_tree(held);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST(Processes, ATreeEndsWhole) {
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t top = fork();
  if (top == 0) {
    for (int i = 0; i < 3; ++i)
      if (fork() == 0) {
        sleeper();
        if (write(ready[1], "x", 1) < 0) _exit(1);
        for (;;) pause();
      }
    for (;;) pause();
  }
  close(ready[1]);
  char got = 0;
  for (int i = 0; i < 3; ++i) ASSERT_EQ(read(ready[0], &got, 1), 1);
  EXPECT_EQ(tree_of(top).size(), 7U);
  kill_tree(Process::held(top, {getpid()}));
  waitpid(top, nullptr, 0);
  // The pipe closes when the last of them is gone.
  EXPECT_EQ(read(ready[0], &got, 1), 0);
  close(ready[0]);
}

// As in containers that forbid the call; for a process of its own.
bool forbid_descriptors_of_processes() {
  std::array<sock_filter, 4> filter = {{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pidfd_open, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  }};
  const sock_fprog program = {.len = static_cast<unsigned short>(filter.size()), .filter = filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(Processes, WithoutDescriptorsTheirNumbersDo) {
  const pid_t forbidden = fork();
  if (forbidden == 0) {
    if (!forbid_descriptors_of_processes()) _exit(2);
    const pid_t child = sleeper();
    kill_tree(Process::held(child, {getpid()}));
    usleep(200000);
    _exit(waitpid(child, nullptr, WNOHANG) == child ? 0 : 1);
  }
  int status = 0;
  waitpid(forbidden, &status, 0);
  if (WEXITSTATUS(status) == 2) GTEST_SKIP() << "no seccomp filters here";
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

void use_processor(double seconds) {
  timespec used{};
  while (used.tv_sec == 0 && static_cast<double>(used.tv_nsec) < seconds * 1e9)
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
}

TEST(Processes, TimeOfCompilersIsNotThatOfForks) {
  constexpr double kSeconds = 0.1;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t root = fork();
  if (root == 0) {
    if (fork() == 0) {
      use_processor(kSeconds);
      (void)!write(ready[1], "x", 1);
      pause();
    }
    pause();
  }
  char got = 0;
  EXPECT_EQ(read(ready[0], &got, 1), 1);
  EXPECT_GE(seconds_of_others(root, "/bin/none"), kSeconds - 0.02);
  EXPECT_EQ(seconds_of_others(root, std::filesystem::read_symlink("/proc/self/exe").string()), 0);
  kill_tree(Process::held(root, {getpid()}));
  waitpid(root, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST(Processes, TimeOfThoseThatWereWaitedFor) {
  constexpr double kSeconds = 0.1;
  const double before = waited_for_seconds(getpid());
  const pid_t busy = fork();
  if (busy == 0) {
    use_processor(kSeconds);
    _exit(0);
  }
  waitpid(busy, nullptr, 0);
  // The kernel tells hundredths of a second.
  EXPECT_GE(waited_for_seconds(getpid()) - before, kSeconds - 0.02);
  EXPECT_EQ(waited_for_seconds(busy), 0) << "it is gone";
}

}  // namespace
}  // namespace jp::pyrunner
