// When the tables of an epoch stand.
#include "campaign/making/epoch_tables.h"

#include <gtest/gtest.h>

#include "codec/codec.h"
#include "tests/report/store_build.h"

namespace jp::campaign {
namespace {

using report::test::created;
using report::test::Folder;

struct Tables {
  explicit Tables(const Epochs& epochs) {
    options.epochs = epochs;
    tables = EpochTables::open(options, *store, [this] { return decided; }).value();
  }
  void end_below(std::uint64_t border) {
    for (std::uint64_t test = 0; test < border; ++test) ASSERT_TRUE(store->skip_test(test, "rejected").ok());
  }

  Folder folder;
  std::unique_ptr<report::Store> store = created(folder);
  MakerOptions options;
  std::uint64_t decided = 0;
  std::unique_ptr<EpochTables> tables;
};

// Epochs of eight tests begin with the tests 0, 1, 2, 4, 8, 16.
TEST(EpochTables, OfOneMachineWaitForDecisionsOfTheLastEpochButOne) {
  Tables one(Epochs(8));
  one.end_below(4);
  EXPECT_TRUE(one.tables->stand_for(1));
  one.decided = 3;
  EXPECT_FALSE(one.tables->stand_for(8));
  one.decided = 4;
  EXPECT_TRUE(one.tables->stand_for(8));
  EXPECT_FALSE(one.tables->stand_for(16));
}

TEST(EpochTables, OfManyCoresWaitForVerdictsAndForOlderDecisions) {
  Tables many(Epochs::for_cores(2, 8));
  many.end_below(4);
  EXPECT_FALSE(many.tables->stand_for(8)) << "nothing is decided";
  many.decided = 1;
  EXPECT_TRUE(many.tables->stand_for(8));
  many.decided = 4;
  EXPECT_FALSE(many.tables->stand_for(16)) << "tests below 8 have no verdict";
  many.end_below(8);
  many.decided = 1;
  EXPECT_FALSE(many.tables->stand_for(16)) << "the decisions below 2 are wanted";
  many.decided = 2;
  EXPECT_TRUE(many.tables->stand_for(16));
}

TEST(EpochTables, SuppressionsThatADecisionMayChangeAreStoredBefore) {
  Tables many(Epochs::for_cores(2, 8));
  many.end_below(8);
  ASSERT_TRUE(many.tables->seal(4).ok());
  const auto stored = load_suppressions(many.folder.path()).value();
  EXPECT_TRUE(stored.contains(6)) << "epochs 4 to 6 read what is below test 4";
  EXPECT_FALSE(stored.contains(7));
}

}  // namespace
}  // namespace jp::campaign
