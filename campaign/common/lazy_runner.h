// A runner for what may not need one.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "core/result.h"
#include "pyrunner/runner.h"

namespace jp::campaign {

class LazyRunner {
 public:
  explicit LazyRunner(pyrunner::RunnerOptions options) : options_(std::move(options)) {}

  /// The runner, which starts when it is asked for the first time; if it can't, the same Error until it is taken.
  Result<pyrunner::Runner*> get() {
    if (!started_) started_.emplace(pyrunner::Runner::start(options_));
    if (!started_->ok()) return started_->error();
    return started_->value().get();
  }
  /// The runner, which is the caller's from now on; null if nobody asked for it, or it can't start.
  std::unique_ptr<pyrunner::Runner> take() {
    auto started = std::exchange(started_, std::nullopt);
    return started && started->ok() ? std::move(*started).value() : nullptr;
  }

 private:
  pyrunner::RunnerOptions options_;
  std::optional<Result<std::unique_ptr<pyrunner::Runner>>> started_;
};

}  // namespace jp::campaign
