#include "fleet/lease_book.h"

#include <algorithm>
#include <utility>

namespace jp::fleet {

void LeaseBook::add(const Range& range, const std::function<bool(std::uint64_t)>& ended) {
  Lease lease;
  for (std::uint64_t test = range.first; test < range.second; ++test) {
    if (!ended(test)) lease.left.insert(test);
    if (!ended(test) && test + 1 < range.second) continue;
    put_back(std::exchange(lease, {}));
  }
}

// Enters what is left of a lease under its first test without a result.
void LeaseBook::put_back(Lease lease) {
  if (lease.left.empty()) return;
  lease.range = {*lease.left.begin(), *lease.left.rbegin() + 1};
  const std::uint64_t first = lease.range.first;
  leases_.insert_or_assign(first, std::move(lease));
}

Range LeaseBook::give(int server, Lease& lease, double now) {
  if (lease.servers.empty()) lease.begun = now;
  lease.servers.insert(server);
  const std::uint64_t next = *lease.left.begin();
  held_[server] = {lease.range.first, next, now, now};
  return {next, lease.range.second};
}

std::optional<Range> LeaseBook::take(int server, double now) {
  for (auto& [first, lease] : leases_)
    if (lease.servers.empty() && !lease.left.empty()) return give(server, lease, now);
  for (auto& [first, lease] : leases_)
    if (lease.servers.size() == 1 && !lease.left.empty() && is_long(patience_, now - lease.begun, seconds_, made_))
      return give(server, lease, now);
  return std::nullopt;
}

Came LeaseBook::result(int server, std::uint64_t test, const std::string& digest, double now) {
  const auto held = held_.find(server);
  if (held == held_.end()) return Came::kUnknown;
  held->second.heard = now;
  held->second.next = test + 1;
  Lease& lease = leases_.at(held->second.lease);
  if (lease.left.erase(test) > 0) {
    lease.digests.emplace(test, digest);
    return Came::kFirst;
  }
  const auto before = lease.digests.find(test);
  if (before == lease.digests.end()) return Came::kUnknown;
  return before->second == digest ? Came::kSame : Came::kUnlike;
}

void LeaseBook::let_go(int server) {
  const auto held = held_.find(server);
  if (held == held_.end()) return;
  const auto lease = leases_.find(held->second.lease);
  held_.erase(held);
  lease->second.servers.erase(server);
  if (lease->second.left.empty() && lease->second.servers.empty()) leases_.erase(lease);
}

void LeaseBook::done(int server, double now) {
  if (const auto held = held_.find(server); held != held_.end()) {
    seconds_ += now - held->second.begun;
    ++made_;
  }
  let_go(server);
}

std::optional<std::uint64_t> LeaseBook::failed(int server) {
  const auto held = held_.find(server);
  if (held == held_.end()) return std::nullopt;
  const std::uint64_t suspect = held->second.next;
  const std::uint64_t first = held->second.lease;
  let_go(server);
  const auto found = leases_.find(first);
  if (found == leases_.end() || !found->second.left.contains(suspect)) return std::nullopt;
  const bool skipped = ++failures_[suspect] >= kMostFailures;
  if (skipped) found->second.left.erase(suspect);
  const std::optional<std::uint64_t> told = skipped ? std::optional(suspect) : std::nullopt;
  // A copy that is at work may still end it.
  if (!found->second.servers.empty()) return told;
  Lease rest = std::move(found->second);
  leases_.erase(found);
  rest.left.erase(suspect);
  put_back(std::move(rest));
  if (!skipped) put_back({.range = {suspect, suspect + 1}, .left = {suspect}});
  return told;
}

std::vector<int> LeaseBook::overdue(double now) const {
  std::vector<int> servers;
  for (const auto& [server, held] : held_)
    if (now - held.heard > patience_.deadline) servers.push_back(server);
  return servers;
}

}  // namespace jp::fleet
