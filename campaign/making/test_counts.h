// What one test adds to the counts of its campaign.
#pragma once

#include "campaign/making/options.h"
#include "campaign/making/test_maker.h"
#include "core/verdict.h"
#include "report/store.h"

namespace jp::campaign {

/// Adds a test's verdict to the counts of tests.
void add_verdict(const Verdict& verdict, Tally& tally);

/// Adds to the counts of rules: how often each decided a test, or settled something in it on the way.
void add_rules(const Verdict& verdict, report::Counts& counts);

/// What was met while a test was made: mutations, and seeds.
report::Counts counts_of(const MakerCounts& made);

}  // namespace jp::campaign
