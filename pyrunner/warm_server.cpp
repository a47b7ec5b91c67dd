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
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return answering_ == 0; });
}

void WarmServer::serve() {
  pollfd watched{listening_.get(), POLLIN, 0};
  while (!ended_) {
    if (poll(&watched, 1, kPollMilliseconds) <= 0) continue;
    Descriptor connection(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    const std::lock_guard lock(mutex_);
    ++answering_;
    std::thread([this, passed = connection.release()] {
      answer(Descriptor(passed));
      const std::lock_guard done(mutex_);
      --answering_;
      answered_.notify_all();
    }).detach();
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
    const std::shared_ptr<Template> one = template_for(request);
    if (!one) return say(connection, {{"refused", "all workers are in use"}});
    const Json said = fork_for(request, datagram->descriptors, connection, *one);
    say(connection, said);
    const std::lock_guard lock(mutex_);
    --one->asked;
    if (said.contains("guard")) one->users.push_back(std::move(connection));
  } catch (const Json::exception& error) {
    say(connection, {{"refused", error.what()}});
  }
}

Json WarmServer::fork_for(const Json& request, const std::vector<Descriptor>& descriptors, const Descriptor& connection,
                          Template& one) {
  const Warmth warmth = *warmth_named(request["configuration"]["warm"].get<std::string>());
  const Result<std::shared_ptr<Zygote>> zygote =
      one.zygote.get(warmth, [&] { return ended_.load() || hung_up(connection); });
  if (!zygote.ok()) return {{"refused", zygote.error().message}};
  const Result<pid_t> guard =
      zygote.value()->fork_zygote({request["folder"], request["guard"], request["current"]}, descriptors);
  if (!zygote.value()->usable()) one.zygote.retire(zygote.value());
  if (!guard.ok()) return {{"refused", guard.error().message}};
  return {{"guard", guard.value()}, {"resident", zygote.value()->resident()}};
}

// A request that lacks something, or has it in another form, ends here.
std::shared_ptr<WarmServer::Template> WarmServer::template_for(const Json& request) {
  for (const char* text : {"folder", "guard", "current"}) static_cast<void>(request.at(text).get<std::string>());
  if (!warmth_named(request.at("configuration").at("warm").get<std::string>())) return nullptr;
  const std::string key = codec::pack({request.at("worker"), request.at("configuration"), request.at("environment")});
  RunnerOptions options = options_of(request);
  const std::lock_guard lock(mutex_);
  auto found = templates_.find(key);
  if (found == templates_.end()) {
    if (!make_room()) return nullptr;
    found = templates_.emplace(key, std::make_shared<Template>(std::move(options))).first;
  }
  found->second->used = ++requests_;
  ++found->second->asked;
  return found->second;
}

// The one that was used longest ago goes, of those that nobody uses.
bool WarmServer::make_room() {
  if (templates_.size() < kMostTemplates) return true;
  auto oldest = templates_.end();
  for (auto at = templates_.begin(); at != templates_.end(); ++at) {
    Template& one = *at->second;
    std::erase_if(one.users, hung_up);
    const bool idle = one.users.empty() && one.asked == 0;
    if (idle && (oldest == templates_.end() || one.used < oldest->second->used)) oldest = at;
  }
  if (oldest == templates_.end()) return false;
  templates_.erase(oldest);
  return true;
}

}  // namespace jp::pyrunner
