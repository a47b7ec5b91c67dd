#include "pyrunner/runners.h"

#include <optional>
#include <thread>
#include <utility>

namespace jp::pyrunner {
namespace {

using Started = Result<std::unique_ptr<Runner>>;

// The result has a name because g++ 12 warns wrongly of a temporary one.
void start_into(std::optional<Started>& started, const Runner* shares, const RunnerOptions& options) {
  Started runner = shares ? shares->another(options) : Runner::start(options);
  started = std::move(runner);
}

}  // namespace

Result<std::vector<std::unique_ptr<Runner>>> start_runners(const RunnerOptions& options, int count,
                                                           const Runner* first) {
  std::vector<std::optional<Started>> started(
      static_cast<std::size_t>((count + kRunnersOfAZygote - 1) / kRunnersOfAZygote));
  std::vector<std::thread> starting;
  for (std::optional<Started>& one : started)
    starting.emplace_back(
        [&options, &one, shares = std::exchange(first, nullptr)] { start_into(one, shares, options); });
  for (std::thread& thread : starting) thread.join();
  std::vector<std::unique_ptr<Runner>> runners;
  for (std::optional<Started>& one : started) {
    if (!one->ok()) return one->error();
    runners.push_back(std::move(*one).value());
  }
  for (std::size_t i = 0; runners.size() < static_cast<std::size_t>(count); ++i) {
    Started runner = runners[i]->another();
    if (!runner.ok()) return runner.error();
    runners.push_back(std::move(runner).value());
  }
  return runners;
}

}  // namespace jp::pyrunner
