// Why g++ compiles kernels as it is: each part of the faster one that may be missing is named.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "pyrunner/paths.h"
#include "pyrunner/temporary.h"

namespace jp::app {
namespace {

namespace fs = std::filesystem;
using pyrunner::why_plain_compiler;

// Without the variables that choose a compiler.
class PlainCompiler : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"CXX", pyrunner::kCompilerVariable}) unsetenv(name);
  }
  void TearDown() override { SetUp(); }

  void touch(const char* name) {
    const fs::path path = fs::path(folder_.path()) / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << "";
  }

  std::string why() const {
    pyrunner::RunnerOptions options;
    options.compiler = folder_.path();
    return why_plain_compiler(options);
  }

  pyrunner::TemporaryFolder folder_ = pyrunner::TemporaryFolder::make("compiler").value();
};

TEST_F(PlainCompiler, NothingIsMissing) {
  touch("keep_instances.so");
  EXPECT_EQ(why(), "");
}

TEST_F(PlainCompiler, APartIsMissing) {
  EXPECT_NE(why_plain_compiler({}).find("jitprobe-guard"), std::string::npos);
  EXPECT_NE(why().find("plugin headers"), std::string::npos);
}

TEST_F(PlainCompiler, SwitchedOff) {
  touch("keep_instances.so");
  setenv("CXX", "clang++", 1);
  EXPECT_NE(why().find("CXX"), std::string::npos);
  setenv(pyrunner::kCompilerVariable, "default", 1);
  EXPECT_EQ(why(), "--cxx default");
}

}  // namespace
}  // namespace jp::app
