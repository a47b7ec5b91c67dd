// Which case is studied where: the cases that a driver has given to servers, and what became of them. A server studies
// one at a time, the smallest test's first. A server that fails (it died, it is silent) gives its case back; one under
// which kMostFailures servers failed is left to the driver. A server for which there is nothing else studies a second
// time what takes long. Answers that come twice are compared.
//
// No clock and no process in here, as in fleet/lease_book.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/patience.h"
#include "fleet/without_times.h"

namespace jp::fleet {

class CaseBook {
 public:
  explicit CaseBook(const Patience& patience) : patience_(patience) {}

  /// `message`: what a server is sent.
  void add(std::uint64_t test, std::string message);
  /// The message of the next case, for a server that has nothing to do, begun at `now` (seconds by any clock); null if
  /// there is none. It stays valid until the case is done or left.
  const std::string* take(int server, double now);
  /// The same where there are no tests to make either: a case that another server has had for long.
  const std::string* take_copy(int server, double now);
  /// The server says that it is at work.
  void heard(int server, double now);
  /// The server has studied the case; kUnknown if it has another one or none. `digest` says what its answers are.
  Came done(int server, std::uint64_t test, const std::string& digest, double now);
  /// The server has failed; the case that is left to the driver because of that, if there is one.
  std::optional<std::uint64_t> failed(int server);
  /// The server never got its case, which is another's then.
  void hand_back(int server) { let_go(server); }
  /// Servers whose deadline has passed.
  std::vector<int> overdue(double now) const;
  bool has_case(int server) const { return held_.contains(server); }

 private:
  struct Item {
    std::string message;
    std::set<int> servers;  // that study it now
    std::string digest;     // of the first answers; "" if there are none
    double begun = 0;
    int failures = 0;
    bool closed = false;  // it has answers, or is left to the driver
  };
  struct Held {
    std::uint64_t test = 0;
    double begun = 0;
    double heard = 0;
  };
  const std::string* give(int server, std::uint64_t test, Item& item, double now);
  void let_go(int server);

  const Patience patience_;
  std::map<std::uint64_t, Item> items_;  // by test; those that are open or have servers at work
  std::map<int, Held> held_;             // by server
  double seconds_ = 0;                   // of all studies that were made to their end
  std::uint64_t made_ = 0;
};

}  // namespace jp::fleet
