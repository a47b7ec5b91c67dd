#include "pyrunner/warm_server.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "codec/codec.h"
#include "pyrunner/processes.h"
#include "pyrunner/protocol.h"

namespace jp::pyrunner {
namespace {

using codec::Json;

// Each takes up to 0.4 GB.
constexpr std::size_t kMostTemplates = 8;
constexpr int kPollMilliseconds = 100;
constexpr timeval kPatience = {.tv_sec = 5, .tv_usec = 0};  // with a driver that connects and says nothing

bool hung_up(const Descriptor& connection) {
  pollfd watched{connection.get(), POLLIN, 0};
  return poll(&watched, 1, 0) > 0;
}

RunnerOptions options_of(const Json& request) {
  const Json& configuration = request.at("configuration");
  RunnerOptions options;
  options.worker = request.at("worker");
  options.guard = request.at("guard");
  options.environment = request.at("environment");
  options.runtime_dir = configuration.at("runtime");
  options.python = configuration.at("executable");
  options.cache_dir = configuration.at("cache");
  options.device = configuration.at("device");
  options.compiler = configuration.at("compiler");
  options.limits.memory_bytes = configuration.at("memory");
  return options;
}

void say(const Descriptor& connection, const Json& answer) { send_datagram(connection.get(), codec::pack(answer)); }

}  // namespace

Result<std::unique_ptr<WarmServer>> WarmServer::start() {
  Result<TemporaryFolder> folder = TemporaryFolder::make("warm");
  if (!folder.ok()) return folder.error();
  std::unique_ptr<WarmServer> server(new WarmServer(std::move(folder).value()));
  const std::string address = server->address();
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.size() >= sizeof name.sun_path)
    return Error{fmt::format("the path {} is too long for a socket: set TMPDIR to a shorter one", address)};
  address.copy(name.sun_path, address.size());
  server->listening_.reset(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (bind(server->listening_.get(), reinterpret_cast<const sockaddr*>(&name), sizeof name) != 0 ||
      listen(server->listening_.get(), SOMAXCONN) != 0)
    return Error{fmt::format("no socket can be made at {}: {}", address, std::strerror(errno))};
  server->thread_ = std::thread([raw = server.get()] { raw->serve(); });
  return server;
}

WarmServer::~WarmServer() {
  ended_ = true;
  if (thread_.joinable()) thread_.join();
}

void WarmServer::serve() {
  pollfd watched{listening_.get(), POLLIN, 0};
  while (!ended_) {
    if (poll(&watched, 1, kPollMilliseconds) <= 0) continue;
    Descriptor connection(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    answer(std::move(connection));
  }
}

// Whatever comes is refused unless it is a request in full.
void WarmServer::answer(Descriptor connection) {
  const std::optional<Datagram> datagram = receive_datagram(connection.get());
  if (!datagram) return;
  const Result<Json> message = codec::unpack(datagram->payload);
  if (!message.ok()) return;
  try {
    const Json& request = message.value();
    if (request.value("version", 0) != kProtocolVersion || datagram->descriptors.size() != kMaxDescriptors)
      return say(connection, {{"refused", "another version"}});
    Result<Template*> found = template_for(request);
    if (!found.ok()) return say(connection, {{"refused", found.error().message}});
    Template& used = *found.value();
    const Result<pid_t> guard = used.zygote->fork_zygote(
        {request.at("folder"), request.at("guard"), request.at("current")}, datagram->descriptors);
    if (!guard.ok()) return say(connection, {{"refused", guard.error().message}});
    say(connection, {{"guard", guard.value()}, {"resident", resident_bytes(used.zygote->pid())}});
    used.users.push_back(std::move(connection));
  } catch (const Json::exception& error) {
    say(connection, {{"refused", error.what()}});
  }
}

Result<WarmServer::Template*> WarmServer::template_for(const Json& request) {
  const std::string key = codec::pack({request.at("worker"), request.at("configuration"), request.at("environment")});
  const auto found = templates_.find(key);
  const bool usable = found != templates_.end() && found->second.zygote->usable();
  if (!usable) {
    if (found != templates_.end()) templates_.erase(found);
    if (!make_room()) return Error{"all workers are in use"};
    RunnerOptions options = options_of(request);
    options.given_up = [this] { return ended_.load(); };
    const std::optional<Warmth> warmth = warmth_named(request.at("configuration").at("warm").get<std::string>());
    if (!warmth) return Error{"unknown parts of the compiler"};
    Result<std::unique_ptr<Zygote>> started = Zygote::start(options, *warmth);
    if (!started.ok()) return started.error();
    templates_[key].zygote = std::move(started).value();
  }
  Template& one = templates_[key];
  one.used = ++requests_;
  return &one;
}

// The one that was used longest ago goes, of those that nobody uses.
bool WarmServer::make_room() {
  if (templates_.size() < kMostTemplates) return true;
  auto oldest = templates_.end();
  for (auto at = templates_.begin(); at != templates_.end(); ++at) {
    std::erase_if(at->second.users, hung_up);
    if (at->second.users.empty() && (oldest == templates_.end() || at->second.used < oldest->second.used)) oldest = at;
  }
  if (oldest == templates_.end()) return false;
  templates_.erase(oldest);
  return true;
}

}  // namespace jp::pyrunner
