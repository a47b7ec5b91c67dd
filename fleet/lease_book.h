// Which test is made where: the leases that a driver has given to servers, and what became of them.
//
// A server has one lease at a time: a range of tests, whose results come one by one. A server that fails (it died, it
// is silent) gives its lease back: what has results stays, the test under which it failed becomes a lease by itself,
// and so does the rest, unless a second copy of the lease is being made. A test under which kMostFailures servers
// failed is skipped. A server for which there is nothing else makes a second copy of a lease that takes long. Results
// that come twice are compared.
//
// No clock and no process in here: whoever has them says what happened, and when.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "fleet/patience.h"
#include "fleet/ranges.h"
#include "fleet/without_times.h"

namespace jp::fleet {

class LeaseBook {
 public:
  explicit LeaseBook(const Patience& patience) : patience_(patience) {}

  /// Adds the tests of a range that have no result: a lease for each run of them.
  void add(const Range& range, const std::function<bool(std::uint64_t)>& ended);
  /// The next lease for a server that has none, begun at `now` (seconds by any clock); nothing if there is no work.
  std::optional<Range> take(int server, double now);
  /// A result: `digest` says what it is, for the comparison with a second one.
  Came result(int server, std::uint64_t test, const std::string& digest, double now);
  /// The server has made all of its lease.
  void done(int server, double now);
  /// The server has failed; the test that is skipped because of that, if there is one.
  std::optional<std::uint64_t> failed(int server);
  /// The server never got its lease, which is another's then.
  void hand_back(int server) { let_go(server); }
  /// Servers whose deadline has passed.
  std::vector<int> overdue(double now) const;
  bool has_lease(int server) const { return held_.contains(server); }

 private:
  struct Lease {
    Range range;
    std::set<std::uint64_t> left;                  // tests without a result
    std::map<std::uint64_t, std::string> digests;  // of the first results
    std::set<int> servers;                         // that make it now
    double begun = 0;
  };
  struct Held {
    std::uint64_t lease = 0;  // its first test
    std::uint64_t next = 0;   // the test whose result comes next
    double begun = 0;
    double heard = 0;
  };
  Range give(int server, Lease& lease, double now);
  void put_back(Lease lease);
  void let_go(int server);

  const Patience patience_;
  std::map<std::uint64_t, Lease> leases_;  // by first test; those with tests left or servers at work
  std::map<int, Held> held_;               // by server
  std::map<std::uint64_t, int> failures_;  // of servers, by test
  double seconds_ = 0;                     // of all leases that were made to their end
  std::uint64_t made_ = 0;
};

}  // namespace jp::fleet
