// A reduction goes on from its own file only.
#include "campaign/triage/reduction_file.h"

#include <gtest/gtest.h>

#include "codec/codec.h"
#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::Folder;
using report::test::program_of;

const Program kOwn = program_of("def program(x):\n    a = x + 1\n    return a\n");
const Program kOther = program_of("def program(x):\n    b = x + 2\n    return b\n");
constexpr const char* kSmall = "def program(x):\n    return x\n";

TEST(ReductionFile, IsNotThereYet) {
  Folder folder;
  EXPECT_TRUE(fits_reduction("", &kOwn).ok());
  EXPECT_TRUE(fits_reduction("small.py", &kOwn).ok());
  EXPECT_TRUE(fits_reduction(folder / "small.py", &kOwn).ok());
  const Status missing = fits_reduction(folder / "no/small.py", nullptr);
  ASSERT_FALSE(missing.ok());
  EXPECT_NE(missing.error().message.find("there is no folder"), std::string::npos) << missing.error().message;
  EXPECT_FALSE(fits_reduction(folder.path(), nullptr).ok());
}

TEST(ReductionFile, IsOfThisProgram) {
  Folder folder;
  const std::string out = folder / "small.py";
  ASSERT_TRUE(write_file(out, kSmall).ok());
  EXPECT_FALSE(fits_reduction(out, &kOwn).ok()) << "nothing says whose it is";
  EXPECT_TRUE(fits_reduction(out, nullptr).ok());
  const codec::Json about = {{"program", kOwn.sha256()}};
  ASSERT_TRUE(write_file(answers_beside(out), codec::text(about) + "\n").ok());
  EXPECT_TRUE(fits_reduction(out, &kOwn).ok());
  const Status other = fits_reduction(out, &kOther);
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.error().message.find("another --out"), std::string::npos) << other.error().message;
}

TEST(ReductionFile, IsEmptyOrTheProgramItself) {
  Folder folder;
  const std::string out = folder / "small.py";
  ASSERT_TRUE(write_file(out, "").ok());
  EXPECT_TRUE(fits_reduction(out, &kOwn).ok());
  ASSERT_TRUE(write_file(out, kOwn.source()).ok());
  EXPECT_TRUE(fits_reduction(out, &kOwn).ok());
  EXPECT_FALSE(fits_reduction(out, &kOther).ok());
}

}  // namespace
}  // namespace jp::campaign
