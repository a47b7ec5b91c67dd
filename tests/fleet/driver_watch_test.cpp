// Who works in a shared folder looks whether its driver lives.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "campaign/common/stopwatch.h"
#include "core/files.h"
#include "fleet/folder_server.h"
#include "fleet/shared_folder.h"
#include "tests/report/build.h"

namespace jp::fleet {
namespace {

using report::test::Folder;

TEST(DriverWatch, ADriverIsHeardOfWhileItDoesSomethingElse) {
  using std::chrono::milliseconds;
  const Folder folder;
  DriverWatch patient(folder / "shared", 60);
  DriverWatch hasty(folder / "shared", 0.01);
  EXPECT_TRUE(patient.lives());
  auto shared = std::move(SharedFolder::open(folder / "shared",
                                             {.terms = {{"version", "1"}},
                                              .epochs = campaign::Epochs(5),
                                              .ended = [](std::uint64_t) { return true; }},
                                             milliseconds(5)))
                    .value();
  const std::string first = read_file(folder / "shared/driver").value();
  const campaign::Stopwatch waited;
  constexpr double kPatience = 60;
  while (read_file(folder / "shared/driver").value() == first && waited.seconds() < kPatience)
    std::this_thread::sleep_for(milliseconds(5));
  EXPECT_NE(read_file(folder / "shared/driver").value(), first) << "nobody called take";
  shared.reset();
  EXPECT_TRUE(hasty.lives()) << "it said something new";
  EXPECT_FALSE(hasty.is_another());
  std::this_thread::sleep_for(milliseconds(20));
  EXPECT_FALSE(hasty.lives());
  ASSERT_TRUE(write_file(folder / "shared/driver", "1 1\n").ok());
  EXPECT_TRUE(hasty.lives());
  EXPECT_TRUE(hasty.is_another());
  EXPECT_FALSE(hasty.is_another()) << "once";
}

}  // namespace
}  // namespace jp::fleet
