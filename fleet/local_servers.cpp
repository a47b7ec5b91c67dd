#include "fleet/local_servers.h"

#include <poll.h>

#include <utility>

#include "core/own_program.h"

namespace jp::fleet {

LocalServers::~LocalServers() {
  for (const auto& child : children_)
    if (child) child->close();
}

Status LocalServers::start(int server) {
  auto child = FramedChild::start({own_program(), "lease", "--serve"});
  if (!child.ok()) return child.error();
  children_.at(static_cast<std::size_t>(server)) = std::move(child).value();
  return Done{};
}

bool LocalServers::send(int server, const std::string& message) {
  const auto& child = children_.at(static_cast<std::size_t>(server));
  return child && child->send(message);
}

std::vector<Servers::Said> LocalServers::hear(double seconds) {
  std::vector<pollfd> watched;
  for (const auto& child : children_) watched.push_back({child ? child->socket() : -1, POLLIN, 0});
  poll(watched.data(), watched.size(), static_cast<int>(seconds * 1000));
  std::vector<Said> all;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (watched[i].revents == 0) continue;
    std::vector<pyrunner::WireFrame> frames;
    const bool there = children_[i]->receive(frames);
    for (pyrunner::WireFrame& frame : frames) all.push_back({static_cast<int>(i), false, std::move(frame.bytes)});
    if (there) continue;
    all.push_back({static_cast<int>(i), true, children_[i]->ended()});
    children_[i].reset();
  }
  return all;
}

void LocalServers::kill(int server) {
  const auto& child = children_.at(static_cast<std::size_t>(server));
  if (child) child->kill();
  children_.at(static_cast<std::size_t>(server)).reset();
}

}  // namespace jp::fleet
