// What a self-test comes to that two runners have made: nothing that was not detected gets lost.
#include "campaign/common/self_test.h"

#include <gtest/gtest.h>

namespace jp::campaign {
namespace {

using pyrunner::ProbeResult;

TEST(SelfTest, WhatWasNotDetectedFailsIt) {
  EXPECT_EQ(failed_probes({{"hang", true, ""}, {"memory", false, "the run finished"}}), "memory (the run finished)");
  EXPECT_EQ(failed_probes({{"hang", true, ""}}), "");
}

TEST(SelfTest, TheSecondRunnersFailureCountsUnderANameThatTheFirstHasSeen) {
  const std::vector<ProbeResult> all =
      joined({{"mismatch", true, ""}, {"hang", true, ""}}, {{"mismatch", false, "both results have the same bytes"}});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(failed_probes(all), "mismatch (both results have the same bytes)");
}

TEST(SelfTest, WhatBothHaveSeenIsSaidOnce) {
  const std::vector<ProbeResult> all =
      joined({{"mismatch", true, ""}}, {{"mismatch", true, ""}, {"planted accuracy", true, ""}});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all.back().name, "planted accuracy");
}

TEST(SelfTest, ABackendThatDoesNotLoadFailsIt) {
  EXPECT_EQ(failed_probes(joined({{"hang", true, ""}}, {{"backend", false, "there is no backend 'inductor'"}})),
            "backend (there is no backend 'inductor')");
}

}  // namespace
}  // namespace jp::campaign
