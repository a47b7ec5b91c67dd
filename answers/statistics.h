// What `findings statistics --json` prints.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/feedback/rule_statistics.h"
#include "codec/json.h"

namespace jp::answers {

/// Subject -> name -> value, as report::read_counts gives them.
using Counts = std::map<std::string, std::map<std::string, std::int64_t>>;

/// By kind an array of rows; those of mutations have "tried", "applied" and "undone" too, from `counts`.
codec::Json statistics_json(const std::vector<campaign::RuleStatistics>& all, Counts& counts);

}  // namespace jp::answers
