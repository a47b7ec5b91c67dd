// Exceptions that one run raises and that the other may legitimately do without.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/observation.h"
#include "oracle/judge/exceptions.h"
#include "oracle/judge/rules.h"

namespace jp::oracle {

/// The rule by which the compiled run may do without the exception of eager's call. `raise`: what the two show;
/// `dead_lines`: as Plan::dead_lines.
std::optional<RuleName> may_pass(Raise raise, const CallRecord& eager, const std::vector<std::int64_t>& dead_lines);

/// The rule by which one run may do without the exception of the other's backward.
std::optional<RuleName> may_pass_backward(Raise raise, const CallRecord& eager, const CallRecord& compiled);

}  // namespace jp::oracle
