#include "pyrunner/shared_zygote.h"

#include <chrono>
#include <utility>

namespace jp::pyrunner {
namespace {

constexpr auto kCancelPeriod = std::chrono::milliseconds(100);  // how often one who waits looks whether to give up

}  // namespace

std::shared_ptr<Zygote> SharedZygote::now() {
  const std::lock_guard lock(mutex_);
  return zygote_;
}

Result<std::shared_ptr<Zygote>> SharedZygote::get(Warmth warmth, const std::function<bool()>& given_up) {
  std::unique_lock starting(starting_, std::defer_lock);
  while (!starting.try_lock_for(kCancelPeriod))
    if (given_up && given_up()) return Error{std::string(kStartCancelled)};
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
