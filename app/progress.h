// Progress of a campaign: some live lines on a terminal, plain lines when piped. Written to standard error, so that
// standard output holds results only.
#pragma once

#include <chrono>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "app/campaign_names.h"
#include "app/live_view.h"
#include "campaign/campaign.h"

namespace jp::app {

class Progress : public CampaignEvents {
 public:
  /// `limit`: seconds that the campaign may take. `folder`: the campaign's, whose disk is watched.
  Progress(std::optional<double> limit, std::string folder);
  ~Progress() override;
  /// So many tests are made before the campaign ends, those of an earlier start not counted.
  void expect(std::uint64_t tests);
  void note(const std::string& line) override;
  void progress(const CampaignNow& now) override;
  void finding(const Finding& finding, const std::string& title, const std::string& like) override;

 private:
  void clear();
  void watch(const CampaignNow& now);
  void draw(const std::vector<std::string>& wanted);

  const bool live_;
  const std::string folder_;
  Watched watched_;
  bool walked_ = false;                                  // whether the folder's size has been asked
  std::vector<std::string> drawn_;                       // what stands on the terminal
  std::deque<std::pair<double, std::uint64_t>> minute_;  // (seconds, tests) of the last minute
  std::chrono::steady_clock::time_point last_;           // when a plain line was due
};

}  // namespace jp::app
