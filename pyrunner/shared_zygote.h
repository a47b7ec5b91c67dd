// One zygote for several runners, so that the compiler is imported once for all of them. When one of them finds that it
// can't be used any more, another one is started for all.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "core/result.h"
#include "pyrunner/options.h"
#include "pyrunner/zygote.h"

namespace jp::pyrunner {

class SharedZygote {
 public:
  explicit SharedZygote(RunnerOptions options) : options_(std::move(options)) {}

  /// The zygote that is in use, which may be colder; a new one, at least so warm, if there is none. An Error, also
  /// kStartCancelled, if none can be started. `given_up` as in RunnerOptions.
  Result<std::shared_ptr<Zygote>> get(Warmth warmth, const std::function<bool()>& given_up);
  /// No runner takes that one any more.
  void retire(const std::shared_ptr<Zygote>& unusable);

 private:
  std::shared_ptr<Zygote> now();

  const RunnerOptions options_;
  std::timed_mutex starting_;  // held by whoever starts one
  std::mutex mutex_;           // guards everything below
  std::shared_ptr<Zygote> zygote_;
};

}  // namespace jp::pyrunner
