#include "report/rank.h"

#include <algorithm>

namespace jp::report {

double distance(const std::set<std::string>& one, const std::set<std::string>& other) {
  std::size_t both = 0;
  for (const std::string& feature : one) both += other.count(feature);
  const std::size_t all = one.size() + other.size() - both;
  return all == 0 ? 0 : 1 - static_cast<double>(both) / static_cast<double>(all);
}

std::vector<std::size_t> furthest_first(const std::vector<Traits>& findings) {
  std::vector<std::size_t> order;
  std::vector<double> nearest(findings.size(), 2);  // distance to those ordered already: farther than any for the first
  std::vector<bool> taken(findings.size(), false);
  while (order.size() < findings.size()) {
    std::size_t best = findings.size();
    for (std::size_t i = 0; i < findings.size(); ++i) {
      if (taken[i]) continue;
      if (best == findings.size() || nearest[i] > nearest[best] ||
          (nearest[i] == nearest[best] && findings[i].severity < findings[best].severity))
        best = i;
    }
    taken[best] = true;
    order.push_back(best);
    for (std::size_t i = 0; i < findings.size(); ++i)
      nearest[i] = std::min(nearest[i], distance(findings[i].features, findings[best].features));
  }
  return order;
}

}  // namespace jp::report
