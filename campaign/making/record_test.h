// What a judged test leaves in the test log.
#pragma once

#include <string>

#include "campaign/common/judging.h"
#include "campaign/feedback/test_record.h"
#include "campaign/making/test_maker.h"

namespace jp::campaign {

/// `hunted` is the test's first judgement, made in a batch: its counters and seconds are recorded. What was reproduced
/// alone is still to be entered.
TestRecord record_of(const TestCase& test, const std::string& seed_source, const JudgedProgram& hunted);
void enter_verdict(TestRecord& row, const JudgedProgram& judged);

/// Adds what makes the program again, so that later tests can start from it. Nothing if a call or a backward pass
/// raised in one of its runs: no test can start from such a program.
void add_program(TestRecord& row, const TestCase& test, const std::vector<Outcome>& outcomes);

}  // namespace jp::campaign
