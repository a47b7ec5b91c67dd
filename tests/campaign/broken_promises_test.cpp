// The rows of promises.jsonl.
#include "campaign/making/broken_promises.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;

std::vector<BrokenPromise> two() {
  const Program program =
      report::test::finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output").program;
  return {{"one", program}, {"two", program}};
}

std::size_t lines(const Folder& folder) {
  const std::string text = read_file(folder / "promises.jsonl").value();
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(BrokenPromises, ATestThatIsMadeAgainLeavesNoRowTwice) {
  const Folder folder;
  const auto kept = two();
  const std::vector<BrokenPromise> first(kept.begin(), kept.begin() + 1);
  const auto nothing_ended = [](std::uint64_t) { return false; };
  {
    BrokenPromises promises = std::move(BrokenPromises::open(folder / "", nothing_ended)).value();
    ASSERT_TRUE(promises.keep({{3, &kept}, {4, &first}}).ok());
    ASSERT_TRUE(promises.keep({}).ok());
  }
  EXPECT_EQ(lines(folder), 3U);
  BrokenPromises promises = std::move(BrokenPromises::open(folder / "", nothing_ended)).value();
  ASSERT_TRUE(promises.keep({{3, &kept}, {4, &kept}, {5, &kept}}).ok());
  EXPECT_EQ(lines(folder), 6U) << "one of test 4, two of test 5";
}

}  // namespace
}  // namespace jp::campaign
