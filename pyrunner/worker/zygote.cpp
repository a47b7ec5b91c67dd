#include "pyrunner/worker/zygote.h"

#include <Python.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "pyrunner/compiler/kept.h"
#include "pyrunner/protocol.h"
#include "pyrunner/wire.h"
#include "pyrunner/worker/child.h"
#include "pyrunner/worker/huge_pages.h"
#include "pyrunner/worker/interpreter.h"

namespace jp::pyrunner {
namespace {

// From so many children on, what huge pages spare each of them is more than they cost once: some 12 ms against 260 to
// 470 (two Xeon cores, 26 November 2026).
constexpr int kChildrenWithoutHugePages = 30;

constexpr unsigned long kAsItIs = 0xFFFFFFFF;  // asks for the personality and changes nothing

void say(int control, const Json& json, int descriptor = -1) {
  std::string bytes;
  Json::to_msgpack(json, bytes);
  const bool sent = descriptor < 0 ? send_datagram(control, bytes) : send_datagram(control, bytes, {{descriptor}});
  if (!sent) _exit(0);
}

void block_sigchld(bool block) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(block ? SIG_BLOCK : SIG_UNBLOCK, &set, nullptr);
}

std::optional<Sandbox> sandbox_of(const Json& order) {
  const auto found = order.find("sandbox");
  if (found == order.end()) return std::nullopt;
  return Sandbox{.readable = found->at("readable"),
                 .writable = found->at("writable"),
                 .file_bytes = found->at("file_bytes"),
                 .address_bytes = found->at("address_bytes")};
}

// Whether nothing of what makes compiling faster is to be used in the child.
bool as_it_is(const Json& order) { return order.value("exec", false) || order.value("plain_compiler", false); }

// The child's socket, where it will serve. A child that can't be confined says so on it and ends.
int begin_child(const Json& order, int socket) {
  if (as_it_is(order))
    unsetenv(kCompilerMode);
  else if (std::getenv(kCompilerMode) != nullptr)
    setenv(kCompilerMode, "use", 1);
  try {
    return become_child(order.at("folder").get<std::string>(), socket, sandbox_of(order));
  } catch (const std::exception& error) {
    std::string bytes;
    Json::to_msgpack(Json{{"broken", error.what()}}, bytes);
    write_frame(socket, bytes);
    _exit(1);
  }
}

[[noreturn]] void exec_fresh(const std::string& program, const Json& order, int socket) {
  if (order.value("fixed", false)) personality(static_cast<unsigned long>(personality(kAsItIs)) | ADDR_NO_RANDOMIZE);
  int spoken = begin_child(order, socket);
  const std::string folder = order.at("folder").get<std::string>();
  fcntl(spoken, F_SETFD, 0);
  std::string number = std::to_string(spoken);
  execl(program.c_str(), program.c_str(), "--serve", number.c_str(), folder.c_str(), nullptr);
  _exit(127);
}

// Answers the driver's request: a child with its socket, or the reason why there is none.
void fork_child(int control, int signals, const std::string& program, const Json& order) {
  if (int threads = thread_count(); threads != 1) {
    say(control, {{"error", "threads"}, {"threads", threads}});
    return;
  }
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    say(control, {{"error", std::string("socketpair: ") + std::strerror(errno)}});
    return;
  }
  Descriptor drivers(ends[0]);
  Descriptor childs(ends[1]);
  bool fresh = order.value("exec", false);

  PyOS_BeforeFork();
  pid_t pid = fork();
  if (pid == 0) {
    PyOS_AfterFork_Child();
    block_sigchld(false);
    close(control);
    close(signals);
    drivers.reset();
    if (fresh) exec_fresh(program, order, childs.release());
    int socket = begin_child(order, childs.release());
    serve(order.at("folder").get<std::string>(), socket, as_it_is(order));
  }
  int error = errno;
  PyOS_AfterFork_Parent();
  if (pid < 0) {
    say(control, {{"error", std::string("fork: ") + std::strerror(error)}});
    return;
  }
  say(control, {{"pid", pid}}, drivers.get());
}

void report_exits(int control, int signals) {
  signalfd_siginfo ignored{};
  while (read(signals, &ignored, sizeof ignored) > 0) {
  }
  int status = 0;
  while (true) {
    pid_t pid = waitpid(-1, &status, WNOHANG);
    if (pid <= 0) return;
    say(control, {{"exited", pid}, {"status", status}});
  }
}

struct Message {
  Json json;
  std::vector<Descriptor> descriptors;
};

std::optional<Message> next_message(int control) {
  std::optional<Datagram> datagram = receive_datagram(control);
  if (!datagram) return std::nullopt;
  return Message{Json::from_msgpack(datagram->payload), std::move(datagram->descriptors)};
}

// Its own processes (the C++ compiler) are waited for there and then: like any others they inherit no blocked signal.
void make_warmer(int control, int signals, const std::string& parts) {
  block_sigchld(false);
  const Json info = warm_up_compiler(parts);
  block_sigchld(true);
  say(control, {{"warm", parts}, {"info", info}});
  report_exits(control, signals);  // children may have ended meanwhile, without a signal that is kept
}

// The configuration, which the driver sends first.
Json configured(int control) {
  std::optional<Message> first = next_message(control);
  if (!first) _exit(0);
  if (first->json.value("version", 0) != kProtocolVersion) {
    throw std::runtime_error("driver and worker are of different versions: build both again with ./dev setup");
  }
  return std::move(first->json);
}

void greet(int control, const Json& info) {
  say(control, {{"version", kProtocolVersion}, {"info", info}, {"pid", getpid()}});
}

[[noreturn]] void obey(int control, const std::string& program, Json info);

// In the process that is to be the guard of a zygote that is warm already. The zygote is its child; a guard is another
// program.
[[noreturn]] void become_guard(const Json& order, int life, int log, pid_t zygote) {
  dup2(log, 1);
  dup2(log, 2);
  // Last, as it may be the number of one of those.
  const int moved = fcntl(life, F_DUPFD, kControlDescriptor);
  dup2(moved, kLifeDescriptor);
  closefrom(kLifeDescriptor + 1);
  const std::string guard = order.at("guard");
  const std::string folder = order.at("folder");
  const std::string number = std::to_string(zygote);
  execl(guard.c_str(), guard.c_str(), folder.c_str(), "--adopt", number.c_str(), nullptr);
  _exit(127);
}

// Below this process: a guard, and below that a zygote for another driver, which is as warm as this one.
void fork_zygote(int control, int signals, const std::string& program, const Message& message, const Json& info) {
  const Json& order = message.json;
  if (message.descriptors.size() != 3 || thread_count() != 1) {
    say(control, {{"error", message.descriptors.size() != 3 ? "descriptors" : "threads"}});
    return;
  }
  const int life = message.descriptors[0].get();
  const int its_control = message.descriptors[1].get();
  const int log = message.descriptors[2].get();
  PyOS_BeforeFork();
  const pid_t guard = fork();
  if (guard == 0) {
    if (chdir(order.at("current").get<std::string>().c_str()) != 0) _exit(1);
    const pid_t parent = getpid();
    const pid_t zygote = fork();
    if (zygote != 0) become_guard(order, life, log, zygote);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    PyOS_AfterFork_Child();
    dup2(log, 1);
    dup2(log, 2);
    for (const int not_its_own : {control, signals, life, log}) close(not_its_own);
    obey(its_control, program, info);
  }
  const int error = errno;
  PyOS_AfterFork_Parent();
  if (guard < 0)
    say(control, {{"error", std::string("fork: ") + std::strerror(error)}});
  else
    say(control, {{"pid", guard}});
}

// Greets once it has its configuration, and does what the driver says until that is gone.
void obey(int control, const std::string& program, Json info) {
  try {
    const Json configuration = configured(control);
    if (info.is_null()) {
      start_interpreter(configuration);
      info = warm_up(configuration);
      info["threads"] = thread_count();
    }
    greet(control, info);
    block_sigchld(true);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    int signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    std::array<pollfd, 2> watched = {pollfd{control, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
    int children = 0;
    while (true) {
      if (poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) _exit(1);
      if (watched[1].revents != 0) report_exits(control, signals);
      if (watched[0].revents == 0) continue;
      std::optional<Message> message = next_message(control);
      if (!message) _exit(0);
      const Json& order = message->json;
      const std::string op = order.value("op", "");
      if (op == "fork") {
        if (++children == kChildrenWithoutHugePages) use_huge_pages();
        fork_child(control, signals, program, order);
      } else if (op == "zygote") {
        fork_zygote(control, signals, program, *message, info);
      } else if (op == "warm") {
        make_warmer(control, signals, order.value("warm", ""));
        children = 0;
      } else {
        say(control, {{"error", "an unknown order"}});
      }
    }
  } catch (const std::exception& error) {
    say(control, {{"error", error.what()}});
    _exit(1);
  }
}

}  // namespace

void run_zygote(int control, const std::string& program) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  obey(control, program, nullptr);
}

void run_fresh(int socket, const std::string& folder) {
  fcntl(socket, F_SETFD, FD_CLOEXEC);
  std::optional<WireFrame> frame = read_frame(socket);
  if (!frame) _exit(0);
  try {
    Json configuration = Json::from_msgpack(frame->message());
    configuration["warm"] = "";
    configuration["compiler"] = "";
    start_interpreter(configuration);
    warm_up(configuration);
  } catch (const std::exception& error) {
    std::string bytes;
    Json::to_msgpack(Json{{"broken", error.what()}}, bytes);
    write_frame(socket, bytes);
    _exit(1);
  }
  serve(folder, socket, true);
}

}  // namespace jp::pyrunner
