#include "pyrunner/warm_server.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

#include "codec/codec.h"
#include "pyrunner/environment.h"
#include "pyrunner/protocol.h"
#include "pyrunner/unix_address.h"

namespace jp::pyrunner {

// While it lives, a request for a template is being answered.
class WarmServer::Asked {
 public:
  Asked(WarmServer& server, Template& one) : server_(server), one_(one) {}
  ~Asked() {
    const std::lock_guard lock(server_.mutex_);
    --one_.asked;
  }
  Asked(const Asked&) = delete;
  Asked& operator=(const Asked&) = delete;

 private:
  WarmServer& server_;
  Template& one_;
};

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
  options.current = request.at("current");
  options.runtime_dir = configuration.at("runtime");
  options.python = configuration.at("executable");
  options.cache_dir = configuration.at("cache");
  options.device = configuration.at("device");
  options.compiler = configuration.at("compiler");
  options.limits.memory_bytes = configuration.at("memory");
  return options;
}

void say(const Descriptor& connection, const Json& answer, std::span<const int> descriptors = {}) {
  send_datagram(connection.get(), codec::pack(answer), descriptors);
}

// When and how large a file is; folders with all that is below.
std::string stamp(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored))
    return fmt::format("{} {} ", fs::last_write_time(path, ignored).time_since_epoch().count(),
                       fs::file_size(path, ignored));
  std::vector<std::string> stamps;
  for (const auto& entry : fs::recursive_directory_iterator(path, ignored))
    if (entry.path().extension() == ".py") stamps.push_back(entry.path().string() + stamp(entry.path().string()));
  std::sort(stamps.begin(), stamps.end());
  return fmt::format("{}", fmt::join(stamps, ""));
}

// All that makes a worker what it is, as far as it isn't the server's own.
std::string key_of(const Json& request) {
  const Json& configuration = request.at("configuration");
  const std::string worker = request.at("worker");
  return codec::pack({worker, stamp(worker), request.at("guard"), configuration, stamp(configuration.at("runtime")),
                      stamp(configuration.at("executable")), request.at("environment"), request.at("current")});
}

}  // namespace

Result<std::unique_ptr<WarmServer>> WarmServer::start() {
  Result<TemporaryFolder> folder = TemporaryFolder::make("warm");
  if (!folder.ok()) return folder.error();
  std::unique_ptr<WarmServer> server(new WarmServer(std::move(folder).value()));
  const std::string address = server->address();
  const std::optional<sockaddr_un> name = unix_address(address);
  if (!name) return Error{fmt::format("the path {} is too long for a socket: set TMPDIR to a shorter one", address)};
  server->listening_.reset(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  if (bind(server->listening_.get(), reinterpret_cast<const sockaddr*>(&*name), sizeof *name) != 0 ||
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

std::size_t WarmServer::users() {
  const std::lock_guard lock(mutex_);
  std::size_t found = 0;
  for (auto& [key, one] : templates_) {
    std::erase_if(one->users, hung_up);
    found += one->users.size();
  }
  return found;
}

void WarmServer::serve() {
  pollfd watched{listening_.get(), POLLIN, 0};
  while (!ended_) {
    if (poll(&watched, 1, kPollMilliseconds) <= 0) continue;
    Descriptor connection(accept4(listening_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) continue;
    setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    answer_aside(std::move(connection));
  }
}

// In a thread of its own; where none can be made the driver hears nothing and starts its worker itself.
void WarmServer::answer_aside(Descriptor connection) {
  const std::lock_guard lock(mutex_);
  const int passed = connection.release();
  try {
    std::thread([this, passed] {
      answer(Descriptor(passed));
      const std::lock_guard done(mutex_);
      --answering_;
      answered_.notify_all();
    }).detach();
    ++answering_;
  } catch (const std::system_error&) {
    close(passed);
  }
}

// Whatever comes is refused unless it is a request in full.
void WarmServer::answer(Descriptor connection) {
  const std::optional<Datagram> datagram = receive_datagram(connection.get());
  if (!datagram) return;
  try {
    const Json request = codec::unpack(datagram->payload).value();
    if (request.value("version", 0) != kProtocolVersion || request.at("inherited") != inherited_)
      return say(connection, {{"refused", "its workers would be others"}});
    const std::shared_ptr<Template> one = template_for(request);
    if (!one) return say(connection, {{"refused", "all workers are in use"}});
    const Asked asked(*this, *one);
    const Json said = fork_for(request, datagram->descriptors, connection, *one);
    if (!said.contains("guard")) return say(connection, said);
    const Descriptor handle(static_cast<int>(syscall(SYS_pidfd_open, said["guard"].get<pid_t>(), 0)));
    say(connection, said, std::array{handle.get()});
    const std::lock_guard lock(mutex_);
    std::erase_if(one->users, hung_up);
    one->users.push_back(std::move(connection));
  } catch (const std::exception& error) {
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
  if (guard.ok()) return {{"guard", guard.value()}, {"resident", zygote.value()->resident()}};
  one.zygote.retire(zygote.value());
  return {{"refused", guard.error().message}};
}

// A request that lacks something, or has it in another form, ends here.
std::shared_ptr<WarmServer::Template> WarmServer::template_for(const Json& request) {
  for (const char* text : {"folder", "guard", "current"}) static_cast<void>(request.at(text).get<std::string>());
  if (!warmth_named(request.at("configuration").at("warm").get<std::string>())) return nullptr;
  const std::string key = key_of(request);
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
