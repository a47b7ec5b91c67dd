#include "pyrunner/warm_client.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

#include "codec/codec.h"
#include "pyrunner/protocol.h"

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX leaves it to the program to declare it
extern char** environ;

namespace jp::pyrunner {
namespace {

using codec::Json;

constexpr int kPollMilliseconds = 100;

// What the worker is to see of this process's variables. Shells change some with every command that they run, and the
// server is nothing for programs under test.
std::vector<std::string> environment() {
  constexpr std::array<std::string_view, 5> kLeftOut = {"_=", "OLDPWD=", "PWD=", "SHLVL=", "JITPROBE_WARM="};
  std::vector<std::string> found;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    bool left_out = false;
    for (const std::string_view name : kLeftOut) left_out = left_out || text.starts_with(name);
    if (!left_out) found.emplace_back(text);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Descriptor connected(const std::string& address) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.size() >= sizeof name.sun_path) return {};
  address.copy(name.sun_path, address.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  const bool there = connect(socket.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) == 0;
  return there ? std::move(socket) : Descriptor();
}

// Whether an answer came before `given_up` ended the waiting. The server may have to start a worker first.
bool answers(const Descriptor& connection, const std::function<bool()>& given_up) {
  pollfd watched{connection.get(), POLLIN, 0};
  while (poll(&watched, 1, kPollMilliseconds) <= 0)
    if (given_up && given_up()) return false;
  return true;
}

}  // namespace

std::optional<WarmGuard> guard_of_warm_server(const RunnerOptions& options, const std::string& folder,
                                              const std::string& configuration, std::span<const int> descriptors) {
  const char* address = std::getenv(kWarmVariable);
  if (address == nullptr || *address == '\0') return std::nullopt;
  if (!options.environment.empty()) return std::nullopt;  // a server starts its templates itself
  WarmGuard guard{.connection = connected(address)};
  std::error_code error;
  const std::string current = std::filesystem::current_path(error);
  if (!guard.connection || error) return std::nullopt;
  const std::string request = codec::pack({{"version", kProtocolVersion},
                                           {"worker", options.worker},
                                           {"guard", options.guard},
                                           {"folder", folder},
                                           {"current", current},
                                           {"configuration", codec::unpack(configuration).value()},
                                           {"environment", environment()}});
  if (request.size() > kMaxDatagram || !send_datagram(guard.connection.get(), request, descriptors))
    return std::nullopt;
  if (!answers(guard.connection, options.given_up)) return std::nullopt;
  const std::optional<Datagram> datagram = receive_datagram(guard.connection.get());
  if (!datagram) return std::nullopt;
  const Result<Json> answer = codec::unpack(datagram->payload);
  if (!answer.ok() || !answer.value().contains("guard")) return std::nullopt;
  guard.number = answer.value()["guard"].get<pid_t>();
  guard.resident_bytes = answer.value().value("resident", std::int64_t{0});
  guard.handle.reset(static_cast<int>(syscall(SYS_pidfd_open, guard.number, 0)));
  if (!guard.handle) return std::nullopt;
  return guard;
}

}  // namespace jp::pyrunner
