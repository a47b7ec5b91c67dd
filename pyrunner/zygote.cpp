#include "pyrunner/zygote.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

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
// A guard has this much more time to end than what it ends.
constexpr double kGuardSeconds = kGuardEndSeconds + 2;

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

std::string log_of(const TemporaryFolder& folder) { return folder.path() + "/log"; }

// An answer of a zygote, which is a map.
Json map_of(const Datagram& answer) { return codec::unpack(answer.payload).value(); }

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

// Without the traceback, which is in the zygote's output.
std::string first_line(const Json& answer) {
  const std::string error = answer.value("error", "");
  return error.substr(0, error.find('\n'));
}

}  // namespace

Result<std::unique_ptr<Zygote>> Zygote::start(const RunnerOptions& options, Warmth warmth) {
  const auto started = Clock::now();
  std::error_code error;
  std::filesystem::create_directories(options.cache_dir, error);
  if (error) return Error{fmt::format("the folder {} can't be made: {}", options.cache_dir, error.message())};
  Result<std::unique_ptr<Zygote>> zygote = Error{""};
  if (has_warm_server()) zygote = begin(options, warmth, &Zygote::borrow);
  // A server that ends, or whatever goes wrong with it, costs only its help.
  if (!zygote.ok() && zygote.error().message != kStartCancelled) zygote = begin(options, warmth, &Zygote::spawn);
  if (zygote.ok()) zygote.value()->info_.start_seconds = since(started);
  return zygote;
}

Result<std::unique_ptr<Zygote>> Zygote::begin(const RunnerOptions& options, Warmth warmth,
                                              Status (Zygote::*guarded)(const RunnerOptions&)) {
  Result<TemporaryFolder> folder =
      options.work_dir.empty() ? TemporaryFolder::make("runner") : TemporaryFolder::make_in(options.work_dir, "runner");
  if (!folder.ok()) return folder.error();
  std::unique_ptr<Zygote> zygote(new Zygote(std::move(folder).value()));
  zygote->configuration_ = codec::pack({{"version", kProtocolVersion},
                                        {"executable", options.python},
                                        {"runtime", options.runtime_dir},
                                        {"cache", options.cache_dir},
                                        {"device", options.device},
                                        {"memory", options.limits.memory_bytes},
                                        {"compiler", options.compiler},
                                        {"warm", warmth_name(warmth)}});
  if (Status spawned = (zygote.get()->*guarded)(options); !spawned.ok()) return spawned.error();
  if (Status greeted = zygote->greet(options, warmth); !greeted.ok()) return greeted.error();
  return zygote;
}

Result<Zygote::Ends> Zygote::connect() {
  std::array<int, 2> life{};
  std::array<int, 2> control{};
  if (pipe2(life.data(), O_CLOEXEC) != 0) return machine("pipe");
  life_.reset(life[1]);
  Ends ends{.life = moved_up(life[0]), .control = {}};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, control.data()) != 0) return machine("socketpair");
  messages_ = std::make_unique<ZygoteMessages>(Descriptor(control[0]));
  ends.control = moved_up(control[1]);
  return ends;
}

Status Zygote::borrow(const RunnerOptions& options) {
  Result<Ends> ends = connect();
  if (!ends.ok()) return ends.error();
  const Descriptor log(open(log_of(folder_).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  borrowed_ = guard_of_warm_server(options, folder_.path(), configuration_,
                                   std::array{ends.value().life.get(), ends.value().control.get(), log.get()});
  if (!borrowed_) return Error{"no warm server has a worker"};
  guard_ = borrowed_->number;
  shared_bytes_ = borrowed_->resident_bytes;
  return Done{};
}

Status Zygote::spawn(const RunnerOptions& options) {
  Result<Ends> ends = connect();
  if (!ends.ok()) return ends.error();
  Spawn spawn;
  if (!options.current.empty()) spawn.in_folder(options.current);
  spawn.open(0, "/dev/null", O_RDONLY);
  spawn.open(1, log_of(folder_), O_WRONLY | O_CREAT | O_APPEND);
  spawn.give(1, 2);
  spawn.give(ends.value().life.get(), kLifeDescriptor);
  spawn.give(ends.value().control.get(), kControlDescriptor);
  spawn.with_environment(options.environment);
  // Whatever else the driver has open is not for programs under test.
  const Result<pid_t> guard =
      spawn.start({options.guard, folder_.path(), "--", options.worker}, kControlDescriptor + 1);
  if (!guard.ok()) return guard.error();
  guard_ = guard.value();
  return Done{};
}

void Zygote::note_missing(const Json& info) {
  const std::lock_guard lock(info_mutex_);
  info_.missing.clear();
  for (const Json& lack : info.value("missing", Json::array()))
    info_.missing.push_back({lack.value("name", ""), lack.value("lost", "")});
}

WorkerInfo Zygote::info() const {
  const std::lock_guard lock(info_mutex_);
  return info_;
}

std::string Zygote::new_path(std::string_view kind) { return fmt::format("{}/{}-{}", folder_.path(), kind, paths_++); }

Error Zygote::did_not_start(const std::string& why) const {
  if (why == kStartCancelled) return Error{why};
  const std::string log = tail_of(log_of(folder_));
  return Error{fmt::format("the worker did not start: {}", log.empty() ? why : log)};
}

Status Zygote::greet(const RunnerOptions& options, Warmth warmth) {
  const ZygoteMessages::Turn turn = messages_->turn(options.given_up);
  const Result<Datagram> greeting = messages_->ask(turn, configuration_, kStartSeconds, options.given_up);
  if (!greeting.ok()) return did_not_start(greeting.error().message);
  const Json json = map_of(greeting.value());
  if (json.contains("error")) return Error{"the worker did not start: " + first_line(json)};
  if (json.value("version", 0) != kProtocolVersion) {
    return Error{"jitprobe and jitprobe-worker are of different versions: build both again with ./dev setup"};
  }
  info_ = info_of(json.at("info"));
  note_missing(json.at("info"));
  warmth_ = warmth;
  pid_ = json.at("pid").get<pid_t>();
  return Done{};
}

Status Zygote::warm_up(Warmth warmth, const std::function<bool()>& given_up) {
  const ZygoteMessages::Turn turn = messages_->turn(given_up);
  if (turn.owns_lock() && warmth_ >= warmth) return Done{};
  const std::string order = codec::pack({{"op", "warm"}, {"warm", warmth_name(warmth)}});
  const Result<Datagram> done = messages_->ask(turn, order, kStartSeconds, given_up);
  if (turn.owns_lock() && !usable()) life_.reset();  // the guard ends what nobody can use any more
  if (!done.ok()) return done.error();
  const Json json = map_of(done.value());
  if (json.contains("error")) return Error{"the compiler can't be imported: " + first_line(json)};
  note_missing(json.at("info"));
  warmth_ = warmth;
  return Done{};
}

Zygote::~Zygote() {
  life_.reset();
  messages_.reset();
  if (guard_ > 0) wait_for_guard();
}

void Zygote::wait_for_guard() {
  if (borrowed_) {
    pollfd ended{borrowed_->handle.get(), POLLIN, 0};
    if (poll(&ended, 1, static_cast<int>(kGuardSeconds * 1000)) == 0)
      syscall(SYS_pidfd_send_signal, borrowed_->handle.get(), SIGKILL, nullptr, 0);
    return;
  }
  const auto start = Clock::now();
  while (waitpid(guard_, nullptr, WNOHANG) == 0) {
    if (since(start) > kGuardSeconds) kill(guard_, SIGKILL);
    usleep(2000);
  }
}

Result<Forked> Zygote::fork(const Birth& birth, const std::function<bool()>& given_up) {
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
  const ZygoteMessages::Turn turn = messages_->turn(given_up);
  Result<Datagram> answer = messages_->ask(turn, codec::pack(order), kForkSeconds);
  if (!answer.ok()) return answer.error();
  const Json json = map_of(answer.value());
  if (json.contains("error")) return Error{"the zygote could not fork: " + json.value("error", "")};
  if (answer.value().descriptors.empty()) return Error{"the zygote gave no socket of its child"};
  return Forked{json.value("pid", 0), std::move(answer.value().descriptors.front())};
}

Result<pid_t> Zygote::fork_zygote(const NewZygote& born, std::span<const Descriptor> descriptors) {
  const std::string order =
      codec::pack({{"op", "zygote"}, {"folder", born.folder}, {"guard", born.guard}, {"current", born.current}});
  const ZygoteMessages::Turn turn = messages_->turn({});
  const Result<Datagram> answer = messages_->ask(turn, order, kForkSeconds, {}, descriptors);
  if (!answer.ok()) return answer.error();
  const Json json = map_of(answer.value());
  if (json.contains("error")) return Error{"the zygote could not fork: " + json.value("error", "")};
  return json.value("pid", pid_t{0});
}

}  // namespace jp::pyrunner
