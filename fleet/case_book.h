// Which case is studied where: the cases that a driver has given to servers, and what became of them. A server studies
// one at a time, the smallest test's first. A server that fails (it died, it is silent) gives its case back; one under
// which kMostFailures servers failed is left to the driver.
//
// No clock and no process in here, as in fleet/lease_book.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace jp::fleet {

class CaseBook {
 public:
  /// Servers that may fail under one case before it is left to the driver.
  static constexpr int kMostFailures = 3;
  /// `deadline`: seconds without a sign of life after which a server is taken for lost.
  explicit CaseBook(double deadline) : deadline_(deadline) {}

  /// `message`: what a server is sent.
  void add(std::uint64_t test, std::string message);
  /// The message of the next case, for a server that has nothing to do, begun at `now` (seconds by any clock); null if
  /// there is none. It stays valid until the case is done or left.
  const std::string* take(int server, double now);
  /// The server says that it is at work.
  void heard(int server, double now);
  /// The server has studied that case; false if it has another one or none.
  bool done(int server, std::uint64_t test);
  /// The server has failed; the case that is left to the driver because of that, if there is one.
  std::optional<std::uint64_t> failed(int server);
  /// Servers whose deadline has passed.
  std::vector<int> overdue(double now) const;
  bool has_case(int server) const { return held_.contains(server); }

 private:
  struct Item {
    std::string message;
    int failures = 0;
    bool taken = false;
  };
  struct Held {
    std::uint64_t test = 0;
    double heard = 0;
  };

  const double deadline_;
  std::map<std::uint64_t, Item> items_;  // by test
  std::map<int, Held> held_;             // by server
};

}  // namespace jp::fleet
