#include "pyrunner/worker/child.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "pyrunner/protocol.h"
#include "pyrunner/wire.h"
#include "pyrunner/worker/interpreter.h"
#include "pyrunner/worker/native_stack.h"

namespace jp::pyrunner {
namespace {

constexpr rlim_t kVisibleDescriptors = 1024;

int open_output(const std::string& folder, std::string_view name) {
  std::string path = folder + "/" + std::string(name);
  return open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

// Moved above the soft limit of open files: `os.closerange(3, limit)` doesn't reach it.
int hide(int fd) {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  if (limit.rlim_max <= kVisibleDescriptors + 16) return fd;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  int hidden = fcntl(fd, F_DUPFD_CLOEXEC, static_cast<int>(kVisibleDescriptors + 8));
  limit.rlim_cur = kVisibleDescriptors;
  setrlimit(RLIMIT_NOFILE, &limit);
  if (hidden < 0) return fd;
  close(fd);
  return hidden;
}

void redirect(int target, int fd) {
  dup2(fd, target);
  close(fd);
}

std::string pack(const Json& json) {
  std::string bytes;
  Json::to_msgpack(json, bytes);
  return bytes;
}

Json::binary_t take_facts(Json& answer) {
  auto facts = answer.find("facts");
  if (facts == answer.end()) return {};
  Json::binary_t bytes = std::move(facts->get_binary());
  answer.erase(facts);
  return bytes;
}

// The facts of an answer are attached to it. False when the driver is gone.
bool answer(int socket, const WireFrame& request) {
  std::string message;
  Json::binary_t facts;
  try {
    Json said = handle(Json::from_msgpack(request.message()));
    facts = take_facts(said);
    message = pack(said);
  } catch (const std::exception& error) {
    message = pack({{"broken", error.what()}});
    facts.clear();
  }
  return write_frame(socket, message, {reinterpret_cast<const char*>(facts.data()), facts.size()});
}

}  // namespace

int become_child(const std::string& folder, int socket, const std::optional<Sandbox>& sandbox) {
  setsid();
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  offer_to_oom_killer();
  redirect(0, open("/dev/null", O_RDONLY));
  redirect(1, open_output(folder, kStdout));
  redirect(2, open_output(folder, kStderr));
  const int hidden = hide(socket);
  const std::string home = folder + "/home";
  mkdir(home.c_str(), 0700);
  setenv("HOME", home.c_str(), 1);
  if (!sandbox) return hidden;
  if (Status confined = confine(*sandbox); !confined.ok()) throw std::runtime_error(confined.error().message);
  return hidden;
}

void serve(const std::string& folder, int socket, bool as_it_is) {
  int stack = hide(open_output(folder, kStack));
  int native = hide(open_output(folder, kNative));
  try {
    enter_child(folder, stack, as_it_is);
    install_native_stack(native);
  } catch (const std::exception& error) {
    write_frame(socket, pack({{"broken", error.what()}}));
    _exit(1);
  }
  if (!write_frame(socket, pack({{"version", kProtocolVersion}, {"pid", getpid()}}))) _exit(0);
  while (std::optional<WireFrame> frame = read_frame(socket)) {
    if (!answer(socket, *frame)) _exit(kLostSocket);
  }
  _exit(0);
}

}  // namespace jp::pyrunner
