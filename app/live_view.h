// What a person sees while a campaign runs: on a terminal some lines that are drawn again and again in their place,
// elsewhere a line now and then.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/campaign_names.h"
#include "campaign/campaign.h"
#include "core/verdict.h"

namespace jp::app {

/// What the view knows besides the campaign's own counts.
struct Watched {
  std::optional<double> limit;        // seconds that the campaign may take
  std::map<Mismatch, int> confirmed;  // confirmed findings of this start that are no known bugs; the worst kind first
  std::optional<double> tests_per_second;  // of the last minute
  std::optional<std::uintmax_t> free;      // bytes left on the campaign's disk
  std::optional<std::uintmax_t> used;      // bytes of the campaign's folder
  std::optional<std::uint64_t> tests;      // how many this start of the campaign makes
};

/// The lines, the first of which tells most: rate and counts, findings by severity, where the time goes, the disk, what
/// each job does. At most `height` of them; jobs that don't fit are counted in the last one.
std::vector<std::string> live_lines(const CampaignNow& now, const Watched& watched, std::size_t height);

/// The same in one line, for standard error that is no terminal:
/// "1:02:05 of 8:00:00, 6:57:55 left · 812 tests, 1.5/s · 3 findings (2 value · 1 dtype) · 40 known | 40 % tests · 50 %
/// reducing | 13 MB used · 41.3 GB free | test 811 on inductor".
std::string plain_line(const CampaignNow& now, const Watched& watched);

/// The beginning of the line that has at most so many characters. UTF-8; no character is taken to be two columns wide.
std::string cut(std::string_view line, std::size_t columns);

/// How many rows such lines take on a terminal so many columns wide (at least 1).
std::size_t rows_of(const std::vector<std::string>& lines, std::size_t width);

}  // namespace jp::app
