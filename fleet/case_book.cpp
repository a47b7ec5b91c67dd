#include "fleet/case_book.h"

#include <utility>

namespace jp::fleet {

void CaseBook::add(std::uint64_t test, std::string message) { items_[test].message = std::move(message); }

const std::string* CaseBook::give(int server, std::uint64_t test, Item& item, double now) {
  if (item.servers.empty()) item.begun = now;
  item.servers.insert(server);
  held_[server] = {test, now, now};
  return &item.message;
}

const std::string* CaseBook::take(int server, double now) {
  for (auto& [test, item] : items_)
    if (item.servers.empty() && !item.closed) return give(server, test, item, now);
  return nullptr;
}

const std::string* CaseBook::take_copy(int server, double now) {
  for (auto& [test, item] : items_)
    if (item.servers.size() == 1 && !item.closed && is_long(patience_, now - item.begun, seconds_, made_))
      return give(server, test, item, now);
  return nullptr;
}

void CaseBook::heard(int server, double now) {
  if (const auto held = held_.find(server); held != held_.end()) held->second.heard = now;
}

Came CaseBook::done(int server, std::uint64_t test, const std::string& digest, double now) {
  const auto held = held_.find(server);
  if (held == held_.end() || held->second.test != test) return Came::kUnknown;
  seconds_ += now - held->second.begun;
  ++made_;
  Item& item = items_.at(test);
  const bool first = !item.closed;
  const std::string before = std::exchange(item.digest, digest);
  item.closed = true;
  let_go(server);
  if (first) return Came::kFirst;
  // It was left to the driver if there are no answers before these.
  return before.empty() || before == digest ? Came::kSame : Came::kUnlike;
}

std::optional<std::uint64_t> CaseBook::failed(int server) {
  const auto held = held_.find(server);
  if (held == held_.end()) return std::nullopt;
  const std::uint64_t test = held->second.test;
  Item& item = items_.at(test);
  const bool left = item.digest.empty() && ++item.failures == kMostFailures;
  item.closed = item.closed || left;
  let_go(server);
  return left ? std::optional(test) : std::nullopt;
}

void CaseBook::let_go(int server) {
  const auto held = held_.find(server);
  if (held == held_.end()) return;
  const auto item = items_.find(held->second.test);
  held_.erase(held);
  item->second.servers.erase(server);
  if (item->second.closed && item->second.servers.empty()) items_.erase(item);
}

std::vector<int> CaseBook::overdue(double now) const {
  std::vector<int> servers;
  for (const auto& [server, held] : held_)
    if (now - held.heard > patience_.deadline) servers.push_back(server);
  return servers;
}

}  // namespace jp::fleet
