// Joins the findings of several campaigns, as people do who ran one on each of several machines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "codec/json.h"
#include "core/result.h"

namespace jp::campaign {

/// A campaign that was merged.
struct MergedFrom {
  std::string folder;
  std::size_t findings = 0;
  std::size_t added = 0;      // findings that no campaign before it had
  std::uint64_t numbers = 0;  // what was added to the numbers of its tests
  /// Tests (by its own numbers) with another verdict than in an earlier campaign of the same settings: they depend on
  /// the machine, or on chance.
  std::vector<std::uint64_t> unlike = {};
};

/// Makes the new folder `into` with the findings of `folders`, each bug once. Findings are the same bug if they reduce
/// to the same program (FindingIndex::same_bug) or, where one was not reduced, if they have the same signature; the
/// better one of two is kept (confirmed, flaky, candidate; then the earlier campaign's). Sightings of both are counted.
/// Tests have numbers of their own in each campaign, so those of the second are counted on from where the first ended;
/// campaigns of the same settings share theirs, and what several of them saw in one test counts once. These make the
/// same tests from 0 on, so that nothing but findings can be joined: the longest has all tests of the others, and the
/// verdicts of tests that several have are compared. The campaigns may be running; nothing in them is changed. An Error
/// if one is none or is damaged, or if `into` holds a campaign.
Result<std::vector<MergedFrom>> merge(const std::vector<std::string>& folders, const std::string& into);

/// Whether these are the settings of a folder that `merge` made: it has no tests, and can't be continued.
bool is_merged(const codec::Json& settings);

}  // namespace jp::campaign
