#include "pyrunner/warm_client.h"

#include <poll.h>
#include <sys/socket.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "codec/codec.h"
#include "pyrunner/environment.h"
#include "pyrunner/protocol.h"
#include "pyrunner/unix_address.h"

namespace jp::pyrunner {
namespace {

using codec::Json;

constexpr int kPollMilliseconds = 100;
constexpr int kMostPolls = 1200;  // a first start precompiles Inductor's header: a minute on a slow machine

Descriptor connected(const std::string& address) {
  const std::optional<sockaddr_un> name = unix_address(address);
  if (!name) return {};
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const bool there = connect(socket.get(), reinterpret_cast<const sockaddr*>(&*name), sizeof *name) == 0;
  return there ? std::move(socket) : Descriptor();
}

// Whether an answer came before `given_up` ended the waiting. The server may have to start a worker first.
bool answers(const Descriptor& connection, const std::function<bool()>& given_up) {
  pollfd watched{connection.get(), POLLIN, 0};
  for (int polls = 0; polls < kMostPolls; ++polls) {
    if (poll(&watched, 1, kPollMilliseconds) > 0) return true;
    if (given_up && given_up()) return false;
  }
  return false;
}

}  // namespace

bool has_warm_server() {
  const char* address = std::getenv(kWarmVariable);
  return address != nullptr && *address != '\0';
}

std::optional<WarmGuard> guard_of_warm_server(const RunnerOptions& options, const std::string& folder,
                                              const std::string& configuration, std::span<const int> descriptors) {
  if (!has_warm_server()) return std::nullopt;
  if (!options.environment.empty()) return std::nullopt;  // a server starts its templates itself
  const std::vector<std::string> variables = environment();
  if (variables.empty()) return std::nullopt;  // to a template it would mean the server's
  WarmGuard guard{.connection = connected(std::getenv(kWarmVariable))};
  std::error_code error;
  const std::string current = std::filesystem::current_path(error);
  if (!guard.connection || error) return std::nullopt;
  const std::string request = codec::pack({{"version", kProtocolVersion},
                                           {"worker", std::filesystem::absolute(options.worker).string()},
                                           {"guard", std::filesystem::absolute(options.guard).string()},
                                           {"folder", folder},
                                           {"current", current},
                                           {"configuration", codec::unpack(configuration).value()},
                                           {"environment", variables},
                                           {"inherited", inherited()}});
  if (request.size() > kMaxDatagram || !send_datagram(guard.connection.get(), request, descriptors))
    return std::nullopt;
  if (!answers(guard.connection, options.given_up)) return std::nullopt;
  std::optional<Datagram> datagram = receive_datagram(guard.connection.get());
  if (!datagram) return std::nullopt;
  const Result<Json> answer = codec::unpack(datagram->payload);
  if (!answer.ok() || !answer.value().contains("guard")) return std::nullopt;
  guard.number = answer.value()["guard"].get<pid_t>();
  guard.resident_bytes = answer.value().value("resident", std::int64_t{0});
  if (datagram->descriptors.empty()) return std::nullopt;
  guard.handle = std::move(datagram->descriptors.front());
  return guard;
}

}  // namespace jp::pyrunner
