// What a judged test leaves in the ledger.
#pragma once

#include <string>

#include "campaign/common/judging.h"
#include "campaign/feedback/test_record.h"
#include "campaign/making/test_maker.h"

namespace jp::campaign {

/// `hunted` is what the test showed at first, in whatever company: its counters and seconds are kept. What stood of it
/// is still to be entered.
TestRecord record_of(const TestCase& test, const std::string& seed_source, const JudgedProgram& hunted);
void enter_verdict(TestRecord& row, const JudgedProgram& judged);

/// Adds what makes the program again, for later tests to begin with.
void add_program(TestRecord& row, const TestCase& test);

}  // namespace jp::campaign
