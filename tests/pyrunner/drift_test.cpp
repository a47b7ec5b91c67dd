// Hundreds of runs leave the processes and the disk as they were: the small form of `./dev soak drift`.
#include <algorithm>
#include <filesystem>
#include <iterator>

#include "common.h"
#include "pyrunner/processes.h"

namespace jp::pyrunner::test {
namespace {

struct Size {
  std::int64_t zygote = 0;  // resident bytes
  std::int64_t driver = 0;
  std::ptrdiff_t descriptors = 0;
  std::ptrdiff_t files = 0;  // and folders below that of temporary files
};

template <typename Folder>
std::ptrdiff_t entries(const std::filesystem::path& path) {
  return std::distance(Folder(path), Folder());
}

Size size_of(const Runner& runner, const std::string& temporary) {
  return {.zygote = resident_bytes(runner.zygote_pid()),
          .driver = resident_bytes(getpid()),
          .descriptors = entries<std::filesystem::directory_iterator>("/proc/self/fd"),
          .files = entries<std::filesystem::recursive_directory_iterator>(temporary)};
}

// Runs that finish, raise, die and write a file, in the process of a batch and in forks.
void run_some(Runner& runner, int rounds) {
  const std::vector<Program> programs = {
      program_of("import torch\ndef program():\n    return torch.ones(1000).cumsum(0)\n"),
      program_of("def program():\n    raise ValueError('x' * 1000)\n"),
      program_of("import tempfile\ndef program():\n    open(tempfile.mkstemp()[1], 'w').write('x' * 10000)\n"),
      program_of("import os\ndef program():\n    os._exit(1)\n"),  // last: the batch's process ends with it
  };
  for (int round = 0; round < rounds; ++round)
    for (const Program& program : programs)
      for (Isolation isolation : {Isolation::kFresh, Isolation::kBatch}) runner.run(program, {eager()}, isolation);
}

TEST(Drift, ProcessesAndDiskStayAsTheyWere) {
  const std::string temporary = testing::TempDir() + "jitprobe_drift";
  std::filesystem::create_directories(temporary);
  RunnerOptions options = default_options().value();
  options.backends = {"plain"};
  options.limits = short_limits();
  options.work_dir = temporary;
  const auto started = Runner::start(options);
  ASSERT_TRUE(started.ok());
  Runner& runner = *started.value();
  run_some(runner, 10);
  ASSERT_TRUE(becomes_clean(runner));
  const Size before = size_of(runner, temporary);
  run_some(runner, 40);
  ASSERT_TRUE(becomes_clean(runner));
  const Size after = size_of(runner, temporary);
  constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
  // 320 runs that lost 20 kB each would show.
  EXPECT_LT(after.zygote - before.zygote, 6 * kMegabyte);
  EXPECT_LT(after.driver - before.driver, 6 * kMegabyte);
  EXPECT_LE(after.descriptors, before.descriptors);
  EXPECT_LE(after.files, before.files + 1);  // the batch's process may have another folder by now
}

}  // namespace
}  // namespace jp::pyrunner::test
