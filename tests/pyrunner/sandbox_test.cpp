// Which device files of a GPU's driver a confined program may open.
#include "pyrunner/sandbox.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace jp::pyrunner::test {
namespace {

namespace fs = std::filesystem;

TEST(GpuDevices, AreAllThatAreThereAndNothingElse) {
  const fs::path folder = fs::path(testing::TempDir()) / ("gpu-devices-" + std::to_string(getpid()));
  fs::create_directories(folder / "nvidia-caps");
  std::vector<std::string> expected = {folder / "nvidia-caps"};
  for (const char* name : {"nvidia-uvm", "nvidia0", "nvidia11", "nvidia7", "nvidiactl"}) {
    std::ofstream(folder / name) << "";
    expected.push_back(folder / name);
  }
  for (const char* name : {"sda", "null", "my-nvidia0"}) std::ofstream(folder / name) << "";
  EXPECT_EQ(gpu_devices(folder), expected);
  fs::remove_all(folder);
  EXPECT_TRUE(gpu_devices(folder).empty()) << "a folder that is not there";
}

TEST(GpuDevices, OfThisMachineAreWritableForPrograms) {
  const Sandbox sandbox = system_sandbox();
  for (const std::string& device : gpu_devices("/dev"))
    EXPECT_NE(std::find(sandbox.writable.begin(), sandbox.writable.end(), device), sandbox.writable.end()) << device;
  EXPECT_NE(std::find(sandbox.writable.begin(), sandbox.writable.end(), "/dev/null"), sandbox.writable.end());
}

}  // namespace
}  // namespace jp::pyrunner::test
