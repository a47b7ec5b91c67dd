// Lease servers that are children of this process: `fuzz --on processes:N`.
#pragma once

#include <memory>
#include <vector>

#include "fleet/framed_child.h"
#include "fleet/servers.h"

namespace jp::fleet {

class LocalServers : public Servers {
 public:
  explicit LocalServers(int count) : children_(static_cast<std::size_t>(count)) {}
  /// All of them end at once.
  ~LocalServers() override;
  LocalServers(const LocalServers&) = delete;
  LocalServers& operator=(const LocalServers&) = delete;
  int count() const override { return static_cast<int>(children_.size()); }
  Status start(int server) override;
  bool send(int server, const std::string& message) override;
  std::vector<Said> hear(double seconds) override;
  void kill(int server) override;

 private:
  std::vector<std::unique_ptr<FramedChild>> children_;  // null where none is
};

}  // namespace jp::fleet
