// Which sites of mutations are shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::answers {

/// All that is set must fit.
struct SiteFilter {
  std::string section;      // of the mutation: "A" to "E"; "" for any
  std::string exactness;    // "bitwise", "rounding", "variation", "broken"; "" for any
  std::optional<int> line;  // from 1
  std::string text;         // somewhere in the step or its example

  /// Whether a row of sites_json fits.
  bool fits(const codec::Json& row) const;
  /// As the words that give it; "" if nothing is set.
  std::string written() const;
};

/// `words`: "section=B", "exactness=bitwise", "line=12"; any other words are text. An Error names what can't be read.
Result<SiteFilter> read_filter(const std::vector<std::string>& words);

}  // namespace jp::answers
