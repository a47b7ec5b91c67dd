#include "fleet/framed_child.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "campaign/common/stopwatch.h"

// NOLINTNEXTLINE(readability-redundant-declaration): POSIX leaves it to the program to declare it
extern char** environ;

namespace jp::fleet {
namespace {

// A lease server gives its runs up within a second or two, and its guard ends what is left. Chosen, not measured.
constexpr double kEndSeconds = 10;
// A frozen process takes nothing in. Chosen, not measured.
constexpr timeval kSendPatience{30, 0};

class SpawnSettings {
 public:
  explicit SpawnSettings(int socket) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSID);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

Result<std::unique_ptr<FramedChild>> FramedChild::start(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("socketpair failed: {}", std::strerror(errno))};
  std::unique_ptr<FramedChild> child(new FramedChild);
  child->socket_.reset(ends[0]);
  const pyrunner::Descriptor its_end(ends[1]);
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &kSendPatience, sizeof kSendPatience);
  SpawnSettings settings(ends[1]);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int error = posix_spawn(&child->pid_, words.front().c_str(), &settings.actions, &settings.attributes,
                                arguments.data(), environ);
  if (error == 0) return child;
  child->pid_ = 0;
  return Error{fmt::format("{} can't be started: {}", words.front(), std::strerror(error))};
}

FramedChild::~FramedChild() { ended(); }

bool FramedChild::send(std::string_view message, std::string_view attachment) {
  return pyrunner::write_frame(socket_.get(), message, attachment);
}

bool FramedChild::receive(std::vector<pyrunner::WireFrame>& frames) {
  using State = pyrunner::FrameReader::State;
  State state = reader_.pump(socket_.get());
  for (; state == State::kFrame; state = reader_.pump(socket_.get())) frames.push_back(reader_.take());
  return state == State::kPartial;
}

void FramedChild::kill() {
  if (pid_ > 0 && !status_) ::kill(pid_, SIGKILL);
  ended();
}

std::string FramedChild::ended() {
  socket_.reset();
  if (pid_ <= 0) return "unknown";
  if (!wait_for_end(kEndSeconds)) {
    ::kill(pid_, SIGKILL);
    int status = 0;
    if (waitpid(pid_, &status, 0) == pid_) status_ = status;
  }
  if (!status_) return "unknown";
  return WIFSIGNALED(*status_) ? fmt::format("signal {}", WTERMSIG(*status_))
                               : fmt::format("exit status {}", WEXITSTATUS(*status_));
}

bool FramedChild::wait_for_end(double seconds) {
  constexpr useconds_t kBetween = 5000;
  for (const campaign::Stopwatch waited; !status_ && waited.seconds() < seconds;) {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) == pid_) status_ = status;
    if (!status_) usleep(kBetween);
  }
  return status_.has_value();
}

}  // namespace jp::fleet
