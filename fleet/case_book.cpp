#include "fleet/case_book.h"

#include <utility>

namespace jp::fleet {

void CaseBook::add(std::uint64_t test, std::string message) {
  items_.insert_or_assign(test, Item{.message = std::move(message)});
}

const std::string* CaseBook::take(int server, double now) {
  for (auto& [test, item] : items_) {
    if (item.taken) continue;
    item.taken = true;
    held_[server] = {test, now};
    return &item.message;
  }
  return nullptr;
}

void CaseBook::heard(int server, double now) {
  if (const auto held = held_.find(server); held != held_.end()) held->second.heard = now;
}

bool CaseBook::done(int server, std::uint64_t test) {
  const auto held = held_.find(server);
  if (held == held_.end() || held->second.test != test) return false;
  held_.erase(held);
  items_.erase(test);
  return true;
}

std::optional<std::uint64_t> CaseBook::failed(int server) {
  const auto held = held_.find(server);
  if (held == held_.end()) return std::nullopt;
  const std::uint64_t test = held->second.test;
  held_.erase(held);
  Item& item = items_.at(test);
  item.taken = false;
  if (++item.failures < kMostFailures) return std::nullopt;
  items_.erase(test);
  return test;
}

std::vector<int> CaseBook::overdue(double now) const {
  std::vector<int> servers;
  for (const auto& [server, held] : held_)
    if (now - held.heard > deadline_) servers.push_back(server);
  return servers;
}

}  // namespace jp::fleet
