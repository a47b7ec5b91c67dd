#include "pyrunner/shared_zygote.h"

#include <utility>

#include "pyrunner/cancellable_lock.h"

namespace jp::pyrunner {

std::shared_ptr<Zygote> SharedZygote::now() {
  const std::lock_guard lock(mutex_);
  return zygote_;
}

Result<std::shared_ptr<Zygote>> SharedZygote::get(Warmth warmth, const std::function<bool()>& given_up) {
  const auto starting = lock_unless(starting_, given_up);
  if (!starting.owns_lock()) return Error{std::string(kStartCancelled)};
  if (std::shared_ptr<Zygote> used = now()) return used;
  RunnerOptions options = options_;
  options.given_up = given_up;
  Result<std::unique_ptr<Zygote>> started = Zygote::start(options, warmth);
  if (!started.ok()) return started.error();
  const std::lock_guard lock(mutex_);
  zygote_ = std::move(started).value();
  return zygote_;
}

void SharedZygote::retire(const std::shared_ptr<Zygote>& unusable) {
  const std::lock_guard lock(mutex_);
  if (zygote_ == unusable) zygote_.reset();
}

}  // namespace jp::pyrunner
