// What a judged test leaves in the ledger.
#pragma once

#include <string>

#include "campaign/common/judging.h"
#include "campaign/feedback/test_record.h"
#include "campaign/test_maker.h"

namespace jp::campaign {

/// `hunted` is what the test showed at first, in whatever company: its counters and seconds are kept. What stood of it
/// is still to be entered.
LedgerRow lesson_of(const TestCase& test, const std::string& door, const Judged& hunted);
void enter_verdict(LedgerRow& row, const Judged& judged);

/// Adds what makes the program again, for later tests to begin with.
void add_variant(LedgerRow& row, const TestCase& test);

}  // namespace jp::campaign
