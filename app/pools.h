// Who makes a campaign's tests: what the user gives with --on.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "campaign/lease_pool.h"
#include "core/result.h"

namespace jp::app {

/// Other processes than the campaign's own jobs, and how many they are, if that is known.
struct Pool {
  campaign::OpenPool open = {};  // empty: the jobs make the tests
  /// Whether a new campaign may use it (campaign/fingerprint.h, campaign/settings.h), before anything is made. May be
  /// empty.
  std::function<Status(const codec::Json& fingerprint, const codec::Json& settings)> check = {};
  int processes = 0;  // 0: not known
};

/// "": none. An Error names the forms that there are. Where a cluster is to be joined first, `stop` ends that.
Result<Pool> pool_of(const std::string& on, const std::atomic<bool>& stop);

}  // namespace jp::app
