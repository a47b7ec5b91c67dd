// Ranges of tests: what one process makes before it is asked for more.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/common/stop_condition.h"
#include "campaign/lease.h"
#include "core/result.h"

namespace jp::fleet {

/// The first test and the one behind the last.
using Range = std::pair<std::uint64_t, std::uint64_t>;

/// Tests in a range. Chosen, not measured: some seconds of work, so that little is lost with a process.
inline constexpr std::uint64_t kLeasedTests = 10;

/// The ranges into which the tests of an epoch below `tests` are divided.
std::vector<Range> ranges_of(const campaign::Epochs& epochs, std::uint64_t epoch, std::optional<std::uint64_t> tests);

/// Makes the tests of a range one after the other, and gives each to `each`. False if the end came before the last one.
Result<bool> make_range(campaign::Lessee& lessee, const Range& range, const campaign::StopCondition& stop,
                        const std::function<Status(const campaign::Tested&)>& each);

}  // namespace jp::fleet
