// Commands that share this process's streams: signals that end it mean the command, from the command's first moment on.
#include "pyrunner/attached.h"

#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

namespace jp::pyrunner {
namespace {

TEST(Attached, SaysHowTheCommandEnded) {
  EXPECT_EQ(run_attached({"sh", "-c", "exit 7"}).value(), 7);
  EXPECT_EQ(run_attached({"sh", "-c", "kill -KILL $$"}).value(), 128 + SIGKILL);
  EXPECT_FALSE(run_attached({"no-such-program"}).ok());
}

TEST(Attached, SignalsReachTheCommandHoweverEarlyTheyCome) {
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(run_attached({"sh", "-c", "kill -TERM $PPID; exec sleep 10"}).value(), 128 + SIGTERM) << i;
    ASSERT_EQ(run_attached({"sh", "-c", "trap 'exit 5' HUP; kill -HUP $PPID; while :; do sleep 0.01; done"}).value(), 5)
        << i;
  }
}

TEST(Attached, HandlersAreThoseOfBefore) {
  struct sigaction before {};
  struct sigaction after {};
  sigaction(SIGTERM, nullptr, &before);
  EXPECT_EQ(run_attached({"sh", "-c", "exit 0"}).value(), 0);
  sigaction(SIGTERM, nullptr, &after);
  EXPECT_EQ(before.sa_handler, after.sa_handler);
  sigset_t blocked;
  sigemptyset(&blocked);
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  EXPECT_FALSE(sigismember(&blocked, SIGTERM));
}

}  // namespace
}  // namespace jp::pyrunner
