#include "app/pools.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

#include "fleet/local_servers.h"
#include "fleet/ray_servers.h"
#include "fleet/server_pool.h"
#include "fleet/shared_folder.h"

namespace jp::app {
namespace {

using campaign::LeasedCampaign;
using campaign::LeasePool;

constexpr int kMostProcesses = 4096;

// What follows `form` in `on`; nothing if it is another form, or nothing follows.
std::optional<std::string> behind(const std::string& on, std::string_view form) {
  return on.starts_with(form) && on.size() > form.size() ? std::optional(on.substr(form.size())) : std::nullopt;
}

std::optional<int> count_in(const std::string& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool all = error == std::errc() && end == text.data() + text.size();
  return all && count >= 1 && count <= kMostProcesses ? std::optional(count) : std::nullopt;
}

Pool in_folder(const std::string& folder) {
  return {.open = [folder](const LeasedCampaign& campaign) -> Result<std::unique_ptr<LeasePool>> {
            auto pool = fleet::SharedFolder::open(folder, campaign);
            if (!pool.ok()) return pool.error();
            return std::unique_ptr<LeasePool>(std::move(pool).value());
          },
          .check =
              [folder](const codec::Json& fingerprint, const codec::Json& settings) {
                return fleet::SharedFolder::check(folder, fingerprint, settings);
              }};
}

Pool in_children(int count) {
  return {.open = [count](const LeasedCampaign& campaign) -> Result<std::unique_ptr<LeasePool>> {
            return std::unique_ptr<LeasePool>(
                std::make_unique<fleet::ServerPool>(std::make_unique<fleet::LocalServers>(count), campaign));
          },
          .processes = count};
}

// The cluster is joined at once: how many cores it has decides how long an epoch is.
Result<Pool> on_ray(const std::string& address, const std::atomic<bool>& stop) {
  auto joined = fleet::RayServers::join(address, stop);
  if (!joined.ok()) return joined.error();
  const int count = joined.value()->count();
  const auto servers = std::make_shared<std::unique_ptr<fleet::RayServers>>(std::move(joined).value());
  return Pool{.open = [servers](const LeasedCampaign& campaign) -> Result<std::unique_ptr<LeasePool>> {
                return std::unique_ptr<LeasePool>(std::make_unique<fleet::ServerPool>(std::move(*servers), campaign));
              },
              .processes = count};
}

}  // namespace

Result<Pool> pool_of(const std::string& on, const std::atomic<bool>& stop) {
  if (on.empty()) return Pool{};
  if (const auto folder = behind(on, "files:")) return in_folder(*folder);
  if (const auto count = behind(on, "processes:"))
    if (const std::optional<int> processes = count_in(*count)) return in_children(*processes);
  if (const auto address = behind(on, "ray:")) return on_ray(*address, stop);
  return Error{
      fmt::format("--on {}: take processes:N, so many on this machine ({} at most), files:DIR, a folder that the "
                  "processes of jitprobe lease --of DIR see, or ray:auto or ray:ADDRESS, a Ray cluster",
                  on, kMostProcesses)};
}

}  // namespace jp::app
