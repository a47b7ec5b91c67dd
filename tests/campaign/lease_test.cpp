// What other processes are told of a campaign, and what they give back.
#include "campaign/lease.h"

#include <gtest/gtest.h>

#include "campaign/shared_folder.h"
#include "codec/codec.h"
#include "core/files.h"
#include "tests/report/build.h"

namespace jp::campaign {
namespace {

using report::test::finding_of;
using report::test::Folder;

Tested tested(std::uint64_t number) {
  const Finding found = finding_of("def program(x):\n    return x\n", "inductor", Mismatch::kValue, "output");
  Tested made{.number = number, .counts = {{"seeds", {{"made", 1}}}}, .valid = true};
  made.promises.push_back({"it did not", found.program});
  made.only_in_batch = true;
  made.verdict = found.verdict;
  made.row = {.test = number, .seed_source = "generated", .oracle = "eager_vs_compiled", .backend = "inductor"};
  made.known.push_back({found, "pytorch-1", "https://github.com/pytorch/pytorch/issues/1"});
  made.open = Case{.test = number, .found = found, .slip = {"ab", 1}};
  made.program = found.program;
  made.plan = found.plan;
  return made;
}

TEST(Tested, ComesBack) {
  Tested rejected{.number = 4, .counts = {{"seeds", {{"made", 1}}}}};
  for (const Tested& one : {tested(3), rejected, Tested{.number = 5, .broken = "internal error: 1"}}) {
    const Result<Tested> again = read_tested(codec::parse_text(codec::text(to_json(one))).value());
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ(to_json(again.value()), to_json(one));
    EXPECT_EQ(again.value().valid, one.valid);
    EXPECT_EQ(again.value().counts, one.counts);
    EXPECT_EQ(again.value().broken, one.broken);
  }
  EXPECT_EQ(read_tested(to_json(tested(3))).value().program->sha256(), tested(3).program->sha256());
  codec::Json damaged = to_json(tested(3));
  damaged["plan"] = 1;
  EXPECT_FALSE(read_tested(damaged).ok());
}

TEST(SharedFolder, RangesAreThoseOfAnEpoch) {
  using Ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  EXPECT_EQ(ranges_of(Epochs(25), 5, std::nullopt), (Ranges{{50, 60}, {60, 70}, {70, 75}}))
      << "epoch 5 is the third whole one";
  EXPECT_EQ(ranges_of(Epochs(25), 5, 63), (Ranges{{50, 60}, {60, 63}}));
  EXPECT_TRUE(ranges_of(Epochs(25), 5, 50).empty());
}

TEST(SharedFolder, ResultsAreTakenOnceAndOfWhatHasNotEnded) {
  const Folder folder;
  const Epochs epochs(5);
  const auto open = [&](const codec::Json& terms) { return SharedFolder::open(folder / "shared", terms, epochs, 10); };
  auto shared = std::move(open({{"version", "1"}})).value();
  int made = 0;
  const auto tables = [&]() -> Result<codec::Json> { return codec::Json{{"epoch", ++made}}; };
  ASSERT_TRUE(shared->put_tables(0, tables).ok());
  ASSERT_TRUE(shared->put_tables(0, tables).ok());
  EXPECT_EQ(made, 1) << "they were there";
  const auto none = [](std::uint64_t) { return false; };
  EXPECT_TRUE(shared->take(none).value().empty());
  std::string lines;
  for (std::uint64_t number = 0; number < 5; ++number) lines += codec::text(to_json(tested(number))) + "\n";
  ASSERT_TRUE(write_file(folder / "shared/done/0-5.json", lines).ok());
  const auto first_two = [](std::uint64_t number) { return number < 2; };
  const std::vector<Tested> taken = shared->take(first_two).value();
  ASSERT_EQ(taken.size(), 3U);
  EXPECT_EQ(taken.front().number, 2U);
  EXPECT_TRUE(shared->take([](std::uint64_t) { return true; }).value().empty());
  ASSERT_TRUE(write_file(folder / "shared/done/0-5.json", "{}\n").ok());
  const auto again = std::move(open({{"version", "1"}})).value();
  ASSERT_TRUE(again->put_tables(0, tables).ok());
  EXPECT_FALSE(again->take(none).ok()) << "damaged";
  EXPECT_FALSE(open({{"version", "2"}}).ok()) << "another campaign's";
}

}  // namespace
}  // namespace jp::campaign
