#include "pyrunner/attached.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
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

volatile std::sig_atomic_t attached = 0;

// Who ends this process, or closes its terminal, means the command.
class PassedOn {
 public:
  explicit PassedOn(pid_t command) {
    attached = static_cast<std::sig_atomic_t>(command);
    struct sigaction pass {};
    pass.sa_handler = [](int signal) { kill(static_cast<pid_t>(attached), signal); };
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &pass, &before_[i]);
  }
  ~PassedOn() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  PassedOn(const PassedOn&) = delete;
  PassedOn& operator=(const PassedOn&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, 3> before_{};
};

}  // namespace

Result<int> run_attached(const std::vector<std::string>& command) {
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: execvp's own
  words.push_back(nullptr);
  // Its writing end closes when the command starts; whatever is read from it says why the command didn't.
  std::array<int, 2> trouble{};
  if (pipe2(trouble.data(), O_CLOEXEC) != 0) return Error{fmt::format("can't make a pipe: {}", std::strerror(errno))};
  const LeftToTheCommand left;
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) {
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
  close(trouble[1]);
  const bool failed = child < 0 || read(trouble[0], &why, sizeof why) == sizeof why;
  close(trouble[0]);
  int status = 0;
  const std::optional<PassedOn> passed = child > 0 ? std::make_optional<PassedOn>(child) : std::nullopt;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (failed) return Error{fmt::format("can't start {}: {}", command[0], std::strerror(why))};
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace jp::pyrunner
