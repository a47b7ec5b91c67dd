// A program that runs by itself, in an interpreter of its own under a guard.
#include "pyrunner/standalone.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "common.h"

namespace jp::pyrunner::test {
namespace {

Standalone beside_the_runner() {
  return beside(shared_runner().options(), testing::TempDir() + "/standalone-" + std::to_string(getpid()));
}

// The guard of a standalone program has no zygote to talk to; it sleeps while the program does.
TEST(Standalone, AGuardOfAStandaloneProgramOnlyWaits) {
  const auto spent = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
  };
  const double before = spent();
  EXPECT_EQ(run_standalone(beside_the_runner(), "import time, sys; time.sleep(3); sys.exit(7)"), 7);
  EXPECT_LT(spent() - before, 1.5);
}

// As children of a worker are.
TEST(Standalone, IsLimited) {
  if (!shared_runner().options().sandbox) GTEST_SKIP() << "the sandbox is off";
  EXPECT_EQ(run_standalone(beside_the_runner(), R"(
import resource, sys
bounded = resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY
sys.exit(5 if bounded and open("/proc/self/oom_score_adj").read() == "1000\n" else 6)
)"),
            5);
}

TEST(Standalone, ThatTakesTooMuchIsEnded) {
  Standalone options = beside_the_runner();
  options.memory_bytes = std::int64_t{256} << 20;
  options.disk_bytes = std::int64_t{16} << 20;
  const std::string rest = "\nimport sys, time; time.sleep(20); sys.exit(7)\n";
  EXPECT_EQ(run_standalone(options, "kept = b'x' * (1 << 30)" + rest), -1);
  EXPECT_EQ(run_standalone(options, "open('large', 'wb').write(b'x' * (64 << 20))" + rest), -1);
}

TEST(Standalone, APipeInThePlaceOfItsStatusIsNotWaitedFor) {
  Standalone options = beside_the_runner();
  options.seconds = 3;
  EXPECT_EQ(run_standalone(options, "import os; os.mkfifo('../run.status')"), -1);
}

TEST(Standalone, AnInterpreterMayBeNamedFromTheCurrentFolder) {
  Standalone options = beside_the_runner();
  options.python = std::filesystem::path(options.python).lexically_relative(std::filesystem::current_path()).string();
  EXPECT_FALSE(std::filesystem::path(options.python).is_absolute());
  EXPECT_EQ(run_standalone(options, "import sys, torch; sys.exit(6)"), 6);
}

}  // namespace
}  // namespace jp::pyrunner::test
