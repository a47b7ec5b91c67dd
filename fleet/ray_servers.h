// Lease servers on a Ray cluster. A Python process in a venv of Ray's own (fleet/ray_leases.py) is the only one that
// knows of Ray.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fleet/framed_child.h"
#include "fleet/servers.h"

namespace jp::fleet {

class RayServers : public Servers {
 public:
  /// How long, in seconds, a cluster may take until it has cores: its nodes may join later. Chosen, not measured.
  static constexpr double kMostWait = 600;
  /// Joins the cluster at "auto" or ADDRESS:PORT, and waits until it has said how many cores it has. An Error says what
  /// is missing, or that there were none for kMostWait, or that `stop` was set before.
  static Result<std::unique_ptr<RayServers>> join(const std::string& address, const std::atomic<bool>& stop);
  int count() const override { return slots_; }
  Status start(int server) override;
  bool send(int server, const std::string& message) override;
  std::vector<Said> hear(double seconds) override;
  void kill(int server) override;
  bool has_place(int server) const override { return placed_.contains(server); }
  std::string failure() const override { return failure_; }

 private:
  explicit RayServers(std::unique_ptr<FramedChild> python) : python_(std::move(python)) {}
  bool order(const char* op, int server, std::string_view message = {});
  int& start_of(int server);
  void take(const pyrunner::WireFrame& frame, std::vector<Said>& said);

  std::unique_ptr<FramedChild> python_;
  int slots_ = 0;
  /// How often each server was started. What one said that is gone is none of its successor's words.
  std::vector<int> starts_;
  std::set<int> placed_;  // those that have cores, or had some when they ended
  std::string failure_;
};

}  // namespace jp::fleet
