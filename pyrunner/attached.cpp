#include "pyrunner/attached.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <optional>

namespace jp::pyrunner {
namespace {

// Ctrl-C is left to the command while it runs.
class LeftToTheCommand {
 public:
  LeftToTheCommand() {
    struct sigaction ignore {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGINT, &ignore, &before_);
  }
  ~LeftToTheCommand() { sigaction(SIGINT, &before_, nullptr); }
  LeftToTheCommand(const LeftToTheCommand&) = delete;
  LeftToTheCommand& operator=(const LeftToTheCommand&) = delete;

  const struct sigaction& before() const { return before_; }

 private:
  struct sigaction before_ {};
};

std::atomic<pid_t> attached{0};  // 0 while there is no command
std::atomic<int> early{0};       // a signal that came before there was one
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

void pass_on(int signal) {
  const int interrupted = errno;
  const pid_t command = attached;
  if (command > 0) {
    kill(command, signal);
  } else {
    early = signal;
    // It may have begun meanwhile, where another thread takes the signal.
    if (const pid_t begun = attached; begun > 0 && early.exchange(0) != 0) kill(begun, signal);
  }
  errno = interrupted;
}

// Who ends this process, or closes its terminal, means the command, from before it is started: a signal that comes
// meanwhile waits for it. The command begins with these signals blocked, and as they were handled before.
class PassedOn {
 public:
  PassedOn() {
    attached = 0;
    early = 0;
    sigset_t ours;
    sigemptyset(&ours);
    for (const int signal : kSignals) sigaddset(&ours, signal);
    pthread_sigmask(SIG_BLOCK, &ours, &mask_before_);
    struct sigaction pass {};
    pass.sa_handler = pass_on;
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &pass, &before_[i]);
  }
  ~PassedOn() { restore(); }
  PassedOn(const PassedOn&) = delete;
  PassedOn& operator=(const PassedOn&) = delete;

  void to(pid_t command) {
    attached = command;
    // Threads that block nothing may have taken it.
    if (const int signal = early.exchange(0); signal != 0) kill(command, signal);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }

  // In the command's process too, before it starts.
  void restore() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }

 private:
  static constexpr std::array<int, 3> kSignals = {SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, 3> before_{};
  sigset_t mask_before_{};
};

// Its number stays taken, so that no signal can reach another process.
void await_end(pid_t command) {
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(command), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) continue;
}

// False when the pipe has closed with nothing in it. A signal that is passed on may interrupt the wait.
bool read_whole(int pipe, int& number) {
  ssize_t count = -1;
  while ((count = read(pipe, &number, sizeof number)) < 0 && errno == EINTR) continue;
  return count == sizeof number;
}

}  // namespace

Result<int> run_attached(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp's own
  words.push_back(nullptr);
  // Its writing end closes when the command starts; whatever is read from it says why the command didn't.
  std::array<int, 2> trouble{};
  if (pipe2(trouble.data(), O_CLOEXEC) != 0) return Error{fmt::format("can't make a pipe: {}", std::strerror(errno))};
  const LeftToTheCommand left;
  std::optional<PassedOn> passed(std::in_place);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
    passed->restore();
    sigaction(SIGINT, &left.before(), nullptr);
    std::signal(SIGPIPE, SIG_DFL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    execvp(words[0], words.data());
    const int why = errno;
    [[maybe_unused]] const auto written = write(trouble[1], &why, sizeof why);
    _exit(127);
  }
  int why = errno;
  if (child > 0) passed->to(child);
  close(trouble[1]);
  const bool failed = child < 0 || read_whole(trouble[0], why);
  close(trouble[0]);
  int status = 0;
  if (child > 0) await_end(child);
  passed.reset();
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (failed) return Error{fmt::format("can't start {}: {}", command[0], std::strerror(why))};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace jp::pyrunner
