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
  EXPECT_LT(spent() - before, 0.5);
}

TEST(Standalone, AnInterpreterMayBeNamedFromTheCurrentFolder) {
  Standalone options = beside_the_runner();
  options.python = std::filesystem::path(options.python).lexically_relative(std::filesystem::current_path()).string();
  EXPECT_FALSE(std::filesystem::path(options.python).is_absolute());
  EXPECT_EQ(run_standalone(options, "import sys, torch; sys.exit(6)"), 6);
}

}  // namespace
}  // namespace jp::pyrunner::test
