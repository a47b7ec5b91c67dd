// What each step of a finding's reduction left, in findings/<id>/trail.json: for people, who learn from it what the
// fault did without. Nothing is decided by it.
//
// Accepted edits of one pass that follow each other are one step. A trail that grows beyond kMostTrail loses sources
// between, the largest first: the step after then says the passes of both.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::report {

/// Bytes of all sources of a stored trail together, unless a single one is larger. Chosen, not measured.
inline constexpr std::size_t kMostTrail = std::size_t{64} << 10;

struct TrailStep {
  /// The passes whose edits were accepted, in order; empty where that was not stored.
  std::vector<std::string> passes;
  /// The program after them.
  std::string source;
  bool operator==(const TrailStep&) const = default;
};
/// From the program as it was found, which is not in it, to what it was reduced to.
using Trail = std::vector<TrailStep>;

/// Adds what a pass left: to the last step if that is of the same pass.
void extend(Trail& trail, std::string_view pass, std::string source);
/// Merges steps until the sources have no more than so many bytes together, or until one step is left.
void bound(Trail& trail, std::size_t most = kMostTrail);
/// The trail, with a step without passes at its end if it ends in another program than this one.
Trail ending_in(Trail trail, const std::string& source);

/// As JSON, and back; empty for what is no trail.
codec::Json to_json(const Trail& trail);
Trail read_trail(const codec::Json& rows);

/// Empty where none is stored: findings of earlier versions have none, nor has one whose first reduction runs.
Trail load_trail(const std::string& folder, const std::string& id);
/// Stores it in place of what was stored.
Status keep_trail(const std::string& folder, const std::string& id, Trail trail);

}  // namespace jp::report
