// Broken invariants of jitprobe: caught where work can continue; three in a row end a campaign.
#include "campaign/common/internal_errors.h"

#include <gtest/gtest.h>

#include <new>
#include <optional>
#include <vector>

#include "campaign/triage/interestingness.h"
#include "core/check.h"
#include "core/internal_error.h"

namespace jp::campaign {
namespace {

TEST(InternalErrors, AreCaughtWithWhatBroke) {
  EXPECT_EQ(broken_in([] {}), std::nullopt);
  const auto what = broken_in([] {
    const CheckContext context("seed 7, test 12");
    JP_CHECK(false, "a broken {}", "rule");
  });
  ASSERT_TRUE(what.has_value());
  EXPECT_NE(what->find("a broken rule (false), while working on seed 7, test 12"), std::string::npos) << *what;
  EXPECT_TRUE(broken_in([] { (void)std::vector<int>().at(3); }).has_value()) << "an index that is out of range";
  EXPECT_THROW(broken_in([] { throw std::bad_alloc(); }), std::bad_alloc) << "that is the machine's";
}

TEST(InternalErrors, ThreeInARowAreTooMany) {
  InternalErrors errors;
  for (std::uint64_t test : {1U, 2U}) errors.add({test, "broken"});
  errors.passed();
  for (std::uint64_t test : {4U, 5U}) errors.add({test, "broken"});
  EXPECT_FALSE(errors.too_many());
  errors.add({6, "broken"});
  EXPECT_TRUE(errors.too_many());
  errors.passed();
  EXPECT_TRUE(errors.too_many()) << "other jobs end theirs meanwhile";
  EXPECT_EQ(errors.all().size(), 5U);
}

TEST(InternalErrors, TenSkippedInARowAreTooMany) {
  InternalErrors errors;
  for (int i = 1; i < InternalErrors::kMostSkippedInARow; ++i) errors.skip({1, "skipped"});
  EXPECT_FALSE(errors.too_many()) << "nothing of jitprobe's broke";
  EXPECT_FALSE(errors.too_many_skipped());
  errors.passed();
  errors.skip({2, "skipped"});
  EXPECT_FALSE(errors.too_many_skipped());
  for (int i = 1; i < InternalErrors::kMostSkippedInARow; ++i) errors.skip({3, "skipped"});
  EXPECT_TRUE(errors.too_many_skipped());
  errors.passed();
  EXPECT_TRUE(errors.too_many_skipped());
  EXPECT_EQ(errors.all().size(), 2U * InternalErrors::kMostSkippedInARow - 1);
}

TEST(InternalErrors, OfWorkOnWhatIsKeptEndNoCampaign) {
  InternalErrors errors;
  errors.add({1, "broken"});
  for (int i = 0; i < 2 * InternalErrors::kMostInARow; ++i) errors.note({std::nullopt, "broken"});
  errors.add({2, "broken"});
  EXPECT_FALSE(errors.too_many());
  EXPECT_EQ(errors.all().size(), 2U + 2 * InternalErrors::kMostInARow) << "they are told all the same";
}

}  // namespace
}  // namespace jp::campaign
