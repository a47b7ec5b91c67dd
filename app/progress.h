// What a campaign says while it goes on: one live line on a terminal, plain lines when piped. On standard error, so
// that standard output holds results only.
#pragma once

#include <chrono>
#include <string>

#include "app/campaign_names.h"
#include "campaign/campaign.h"

namespace jp::app {

class Progress : public CampaignEvents {
 public:
  Progress();
  ~Progress() override;
  void note(const std::string& line) override;
  void progress(const Tally& tally, const std::string& running) override;
  void finding(const Finding& finding, const std::string& title, const std::string& like) override;

 private:
  void clear();
  bool live_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace jp::app
