#include "pyrunner/shared_zygote.h"

#include <utility>

namespace jp::pyrunner {

Result<std::shared_ptr<Zygote>> SharedZygote::get(Warmth warmth, const std::function<bool()>& given_up) {
  const std::lock_guard lock(mutex_);
  if (zygote_) return zygote_;
  RunnerOptions options = options_;
  options.given_up = given_up;
  Result<std::unique_ptr<Zygote>> started = Zygote::start(options, warmth);
  if (!started.ok()) return started.error();
  zygote_ = std::move(started).value();
  return zygote_;
}

void SharedZygote::retire(const std::shared_ptr<Zygote>& unusable) {
  const std::lock_guard lock(mutex_);
  if (zygote_ == unusable) zygote_.reset();
}

}  // namespace jp::pyrunner
