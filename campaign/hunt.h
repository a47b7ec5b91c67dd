// What a test shows: judged in a batch, where it differs again alone, and attributed to the lowest backend that shows
// it.
#pragma once

#include <string>

#include "campaign/common/judging.h"
#include "campaign/common/stop_condition.h"
#include "campaign/feedback/test_record.h"
#include "campaign/making/test_maker.h"

namespace jp::campaign {

struct Hunted {
  Verdict verdict;             // on the test's own backend
  JudgedProgram judged;        // the same, or a divergence on a lower backend
  TestRecord row;              // its verdict is still to be entered
  bool only_in_batch = false;  // it differed in a batch, and not alone
};

/// Says on this thread's clock where the time goes. Once `stop_condition` is reached, what is returned says nothing.
Hunted hunt(pyrunner::Runner& runner, const TestCase& test, const std::string& seed_source,
            const StopCondition& stop_condition);

}  // namespace jp::campaign
