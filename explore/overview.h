// The answer of /api/campaign, made anew only when the campaign's folder has changed: a page asks every few seconds,
// and a campaign of many findings takes seconds to read.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "codec/json.h"
#include "core/result.h"

namespace jp::explore {

/// {"name", "running", "summary", "findings", "statistics", "series"} of a campaign's folder, read now. It may be
/// running.
Result<codec::Json> overview_json(const std::string& folder);

/// Whether some process writes the campaign.
bool is_written(const std::string& folder);

/// Thread-safe.
class Overview {
 public:
  /// `folder`: of the campaign, "" for none.
  explicit Overview(std::string folder);
  ~Overview();
  Result<codec::Json> get();

 private:
  std::string folder_;
  std::mutex mutex_;
  std::string state_;  // of the folder when `last_` was made
  std::unique_ptr<codec::Json> last_;
};

}  // namespace jp::explore
