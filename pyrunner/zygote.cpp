#include "pyrunner/zygote.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sstream>

#include "codec/codec.h"
#include "pyrunner/protocol.h"
#include "pyrunner/spawn.h"

namespace jp::pyrunner {
namespace {

using Clock = std::chrono::steady_clock;
using codec::Json;

// A first start precompiles Inductor's header: a minute on a slow machine.
constexpr double kStartSeconds = 300;
constexpr double kForkSeconds = 30;
constexpr double kCancelSeconds = 0.1;  // how often a start looks whether it was cancelled
constexpr double kEndSeconds = 5;

double since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

Error machine(const char* what) { return Error{fmt::format("{} failed: {}", what, std::strerror(errno))}; }

// Moved up, so that dup2 onto the agreed numbers can't overwrite one that is still needed.
Descriptor moved_up(int fd) {
  int high = fcntl(fd, F_DUPFD_CLOEXEC, 16);
  close(fd);
  return Descriptor(high);
}

std::string tail_of(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  std::string all = text.str();
  return all.size() > 2000 ? all.substr(all.size() - 2000) : all;
}

WorkerInfo info_of(const Json& json) {
  WorkerInfo info;
  info.torch = json.value("torch", "");
  info.python = json.value("python", "");
  info.executable = json.value("executable", "");
  info.prefix = json.value("prefix", "");
  info.library = json.value("library", "");
  info.cpu_capability = json.value("cpu_capability", "");
  info.cuda = json.value("cuda", "");
  info.compiler = json.value("compiler", "");
  info.keeps_instances = json.value("keeps_instances", false);
  info.threads = json.value("threads", 0);
  info.private_names = json.value("private_names", 0);
  return info;
}

}  // namespace

Result<std::unique_ptr<Zygote>> Zygote::start(const RunnerOptions& options, const std::string& folder, Warmth warmth) {
  auto started = Clock::now();
  std::unique_ptr<Zygote> zygote(new Zygote);
  if (Status spawned = zygote->spawn(options, folder); !spawned.ok()) return spawned.error();
  if (Status greeted = zygote->greet(options, folder, warmth); !greeted.ok()) return greeted.error();
  zygote->info_.start_seconds = since(started);
  return zygote;
}

Status Zygote::spawn(const RunnerOptions& options, const std::string& folder) {
  std::array<int, 2> life{};
  std::array<int, 2> control{};
  if (pipe2(life.data(), O_CLOEXEC) != 0) return machine("pipe");
  life_.reset(life[1]);
  Descriptor guards_life = moved_up(life[0]);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control.data()) != 0) return machine("socketpair");
  control_.reset(control[0]);
  Descriptor zygotes_control = moved_up(control[1]);

  Spawn spawn;
  spawn.open(0, "/dev/null", O_RDONLY);
  spawn.open(1, folder + "/log", O_WRONLY | O_CREAT | O_APPEND);
  spawn.give(1, 2);
  spawn.give(guards_life.get(), kLifeDescriptor);
  spawn.give(zygotes_control.get(), kControlDescriptor);
  // Whatever else the driver has open is not for programs under test.
  const Result<pid_t> guard = spawn.start({options.guard, folder, "--", options.worker}, kControlDescriptor + 1);
  if (!guard.ok()) return guard.error();
  guard_ = guard.value();
  return Done{};
}

bool Zygote::waits_through(const std::function<bool()>& given_up) const {
  for (auto begun = Clock::now(); !speaks_within(kCancelSeconds) && since(begun) < kStartSeconds;)
    if (given_up && given_up()) return false;
  return true;
}

void Zygote::note_missing(const Json& info) {
  info_.missing.clear();
  for (const Json& lack : info.value("missing", Json::array()))
    info_.missing.push_back({lack.value("name", ""), lack.value("lost", "")});
}

Status Zygote::greet(const RunnerOptions& options, const std::string& folder, Warmth warmth) {
  configuration_ = codec::pack({{"version", kProtocolVersion},
                                {"executable", options.python},
                                {"runtime", options.runtime_dir},
                                {"cache", options.cache_dir},
                                {"device", options.device},
                                {"memory", options.limits.memory_bytes},
                                {"compiler", options.compiler},
                                {"warm", warmth_name(warmth)}});
  if (!send_datagram(control_.get(), configuration_)) return Error{"the worker ended at once"};
  if (!waits_through(options.given_up)) return Error{std::string(kStartCancelled)};
  std::optional<Datagram> datagram = receive(0);
  if (!datagram) return Error{fmt::format("the worker did not start: {}", tail_of(folder + "/log"))};
  Result<Json> greeting = codec::unpack(datagram->payload);
  if (!greeting.ok() || !greeting.value().is_object()) return Error{"the worker's greeting is malformed"};
  const Json& json = greeting.value();
  if (json.contains("error")) {
    const std::string error = json.value("error", "");  // the traceback is in the zygote's output
    return Error{fmt::format("the worker did not start: {}", error.substr(0, error.find('\n')))};
  }
  if (json.value("version", 0) != kProtocolVersion) {
    return Error{"jitprobe and jitprobe-worker are of different versions: build both again with ./dev build"};
  }
  info_ = info_of(json.at("info"));
  note_missing(json.at("info"));
  warmth_ = warmth;
  pid_ = json.at("pid").get<pid_t>();
  return Done{};
}

Status Zygote::warm_up(Warmth warmth, const std::function<bool()>& given_up) {
  if (!send_datagram(control_.get(), codec::pack({{"op", "warm"}, {"warm", warmth_name(warmth)}})))
    return Error{"the zygote has ended"};
  while (true) {
    if (!waits_through(given_up)) return Error{std::string(kStartCancelled)};
    std::optional<Datagram> datagram = receive(0);
    if (!datagram) return Error{"the zygote ended while it imported the compiler"};
    Result<Json> message = codec::unpack(datagram->payload);
    if (!message.ok() || !message.value().is_object()) return Error{"the zygote spoke nonsense"};
    const Json& json = message.value();
    if (json.contains("exited")) {
      exits_[json["exited"].get<pid_t>()] = json.value("status", 0);
      continue;
    }
    if (json.contains("error")) return Error{"the compiler can't be imported: " + json.value("error", "")};
    note_missing(json.at("info"));
    warmth_ = warmth;
    return Done{};
  }
}

Zygote::~Zygote() {
  life_.reset();
  control_.reset();
  if (guard_ <= 0) return;
  auto start = Clock::now();
  while (waitpid(guard_, nullptr, WNOHANG) == 0) {
    if (since(start) > kEndSeconds) kill(guard_, SIGKILL);
    usleep(2000);
  }
}

bool Zygote::speaks_within(double seconds) const {
  pollfd watched{control_.get(), POLLIN, 0};
  return poll(&watched, 1, static_cast<int>(seconds * 1000)) > 0;
}

std::optional<Datagram> Zygote::receive(double seconds) {
  auto start = Clock::now();
  while (true) {
    pollfd watched{control_.get(), POLLIN, 0};
    double left = std::max(0.0, seconds - since(start));
    int ready = poll(&watched, 1, static_cast<int>(left * 1000));
    if (ready > 0) return receive_datagram(control_.get());
    if (ready < 0 && errno == EINTR) continue;
    return std::nullopt;
  }
}

Result<Forked> Zygote::fork(const Birth& birth) {
  Json order = {{"op", "fork"},
                {"folder", birth.folder},
                {"exec", birth.fresh_interpreter},
                {"fixed", birth.fixed_addresses},
                {"plain_compiler", birth.plain_compiler}};
  if (birth.sandbox)
    order["sandbox"] = {{"readable", birth.sandbox->readable},
                        {"writable", birth.sandbox->writable},
                        {"file_bytes", birth.sandbox->file_bytes},
                        {"address_bytes", birth.sandbox->address_bytes}};
  if (!send_datagram(control_.get(), codec::pack(order))) return Error{"the zygote has ended"};
  while (std::optional<Datagram> datagram = receive(kForkSeconds)) {
    Result<Json> message = codec::unpack(datagram->payload);
    if (!message.ok() || !message.value().is_object()) return Error{"the zygote spoke nonsense"};
    const Json& json = message.value();
    if (json.contains("exited")) {
      exits_[json["exited"].get<pid_t>()] = json.value("status", 0);
      continue;
    }
    if (json.contains("error")) return Error{"the zygote could not fork: " + json.value("error", "")};
    const pid_t child = json.value("pid", 0);
    exits_.erase(child);  // of an earlier child that had the same number
    return Forked{child, std::move(datagram->descriptor)};
  }
  return Error{"the zygote does not answer"};
}

std::optional<int> Zygote::exit_status(pid_t child, double seconds) {
  auto start = Clock::now();
  while (true) {
    if (auto found = exits_.find(child); found != exits_.end()) return found->second;
    std::optional<Datagram> datagram = receive(std::max(0.0, seconds - since(start)));
    if (!datagram) return std::nullopt;
    Result<Json> message = codec::unpack(datagram->payload);
    if (message.ok() && message.value().is_object() && message.value().contains("exited")) {
      exits_[message.value()["exited"].get<pid_t>()] = message.value().value("status", 0);
    }
  }
}

std::map<pid_t, int> Zygote::take_exits() {
  exit_status(0, 0);  // reads pending messages; there is no process 0
  return std::exchange(exits_, {});
}

}  // namespace jp::pyrunner
