#include "fleet/ranges.h"

#include <algorithm>

namespace jp::fleet {

std::vector<Range> ranges_of(const campaign::Epochs& epochs, std::uint64_t epoch, std::optional<std::uint64_t> tests) {
  const std::uint64_t end = std::min(epochs.begin(epoch + 1), tests.value_or(epochs.begin(epoch + 1)));
  std::vector<Range> ranges;
  for (std::uint64_t begin = epochs.begin(epoch); begin < end; begin += kLeasedTests)
    ranges.emplace_back(begin, std::min(begin + kLeasedTests, end));
  return ranges;
}

Result<bool> make_range(campaign::Lessee& lessee, const Range& range, const campaign::StopCondition& stop,
                        const std::function<Status(const campaign::Tested&)>& each) {
  for (std::uint64_t number = range.first; number < range.second; ++number) {
    Result<std::optional<campaign::Tested>> tested = lessee.test(number);
    if (!tested.ok()) return tested.error();
    if (!tested.value() || stop.reached()) return false;
    if (Status given = each(*tested.value()); !given.ok()) return given.error();
  }
  return true;
}

}  // namespace jp::fleet
