// Which worker is taken where nobody names one.
#include "pyrunner/paths.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "core/files.h"
#include "tests/report/build.h"

namespace jp::pyrunner {
namespace {

namespace fs = std::filesystem;

/// A project with two workers, and one venv, whose settings are those of `own`.
class Paths : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"JITPROBE_ROOT", "JITPROBE_GUARD", "JITPROBE_WORKER", "JITPROBE_PYTHON"}) {
      if (const char* value = std::getenv(name)) before_[name] = value;
      unsetenv(name);
    }
    setenv("JITPROBE_ROOT", root_.path().c_str(), 1);
    put("guard", "");
    setenv("JITPROBE_GUARD", (root_ / "guard").c_str(), 1);
    put("pyrunner/runtime/serve.py", "");
    put(".venv/bin/python", "");
    put(".venv/pyvenv.cfg", "version = 3.12\n");
    for (const std::string version : {"3.11", "3.12"}) {
      put("build/workers/" + version + "/jitprobe-worker", "");
      put("build/workers/" + version + "/pyvenv.cfg", "version = " + version + "\n");
    }
  }
  void TearDown() override {
    for (const char* name : {"JITPROBE_ROOT", "JITPROBE_GUARD", "JITPROBE_WORKER", "JITPROBE_PYTHON"})
      before_.contains(name) ? setenv(name, before_[name].c_str(), 1) : unsetenv(name);
  }
  void put(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(root_ / name).parent_path());
    ASSERT_TRUE(write_file(root_ / name, text).ok());
  }
  std::string worker() {
    const Result<RunnerOptions> options = default_options();
    return options.ok() ? options.value().worker : options.error().message;
  }
  report::test::Folder root_;

 private:
  std::map<std::string, std::string> before_;
};

TEST_F(Paths, TheWorkerIsThatOfThePython) {
  EXPECT_EQ(worker(), root_ / "build/workers/3.12/jitprobe-worker");
  put(".venv/pyvenv.cfg", "version = 3.11\n");
  EXPECT_EQ(worker(), root_ / "build/workers/3.11/jitprobe-worker");
}

TEST_F(Paths, WithoutItsOwnTheFirstByName) {
  put(".venv/pyvenv.cfg", "version = 3.10\n");
  EXPECT_EQ(worker(), root_ / "build/workers/3.11/jitprobe-worker");
  fs::remove_all(root_ / "build/workers/3.11");
  EXPECT_EQ(worker(), root_ / "build/workers/3.12/jitprobe-worker");
}

}  // namespace
}  // namespace jp::pyrunner
