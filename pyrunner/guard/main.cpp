// jitprobe-guard FOLDER [--confine READABLE... --write FOLDER [--address BYTES]] -- COMMAND ARGUMENTS...: runs between
// the driver and a zygote, or a program of its own, and outlives both by a moment. A program of its own is confined: it
// reads what every program may, and READABLE, writes into the folder after --write alone, and takes so much address
// space at most (sandbox.h).
// jitprobe-guard FOLDER --adopt NUMBER: the zygote is its child already (warm_server.h).
//
// Descriptor kLifeDescriptor is a pipe whose writing end only the driver holds. When it closes, however the driver
// died, the guard kills every descendant, removes FOLDER and ends; it does the same when the zygote ends.
//
// It adopts orphans. Each child of the zygote adopts its own (a process that called setsid and forked twice is still
// below it), so whatever becomes a child of the guard and isn't the zygote was left by a dead child: it is killed at
// once with its tree.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "pyrunner/left_files.h"
#include "pyrunner/options.h"
#include "pyrunner/processes.h"
#include "pyrunner/protocol.h"
#include "pyrunner/sandbox.h"

namespace {

using jp::pyrunner::kControlDescriptor;
using jp::pyrunner::kLifeDescriptor;

constexpr int kPollMilliseconds = 50;
constexpr int kRoundMilliseconds = 2;
constexpr int kRounds = jp::pyrunner::kGuardEndSeconds * 1000 / kRoundMilliseconds;
constexpr int kLeastOwnDescriptor = 16;

// Reaps ended processes; true if the zygote is among them.
bool reap(pid_t zygote) {
  bool ended = false;
  while (true) {
    pid_t pid = waitpid(-1, nullptr, WNOHANG);
    if (pid <= 0) return ended;
    ended = ended || pid == zygote;
  }
}

void kill_orphans(pid_t zygote) {
  for (pid_t child : jp::pyrunner::children_of(getpid())) {
    if (child != zygote) jp::pyrunner::kill_tree(jp::pyrunner::Process::held(child, {getpid()}));
  }
}

void end_everything(const char* folder) {
  for (int round = 0; round < kRounds; ++round) {
    jp::pyrunner::kill_below(getpid());
    reap(0);
    if (jp::pyrunner::children_of(getpid()).empty()) break;
    usleep(kRoundMilliseconds * 1000);
  }
  jp::pyrunner::remove_left(folder);
}

struct Command {
  std::vector<std::string> readable;
  std::vector<std::string> writable;
  std::vector<std::string> address_bytes;  // one number, or none
  bool confined = false;
  char** words = nullptr;  // nullptr: the arguments are wrong
};

Command command_of(char** arguments) {
  Command command;
  std::vector<std::string>* list = nullptr;
  for (; *arguments != nullptr && std::string_view(*arguments) != "--"; ++arguments) {
    const std::string_view word = *arguments;
    if (word == "--confine") {
      command.confined = true;
      list = &command.readable;
    } else if (word == "--write") {
      list = &command.writable;
    } else if (word == "--address") {
      list = &command.address_bytes;
    } else if (list == nullptr) {
      return {};
    } else {
      list->emplace_back(word);
    }
  }
  if (*arguments != nullptr && arguments[1] != nullptr) command.words = arguments + 1;
  return command;
}

bool confine(const Command& command) {
  jp::pyrunner::Sandbox sandbox = jp::pyrunner::system_sandbox();
  sandbox.readable.insert(sandbox.readable.end(), command.readable.begin(), command.readable.end());
  sandbox.writable.insert(sandbox.writable.end(), command.writable.begin(), command.writable.end());
  sandbox.file_bytes = jp::pyrunner::Limits{}.disk_bytes;
  if (!command.address_bytes.empty()) sandbox.address_bytes = std::atoll(command.address_bytes.back().c_str());
  const jp::Status confined = jp::pyrunner::confine(sandbox);
  if (!confined.ok()) std::fprintf(stderr, "%s\n", confined.error().message.c_str());
  return confined.ok();
}

pid_t start(const Command& command) {
  pid_t guard = getpid();
  pid_t pid = fork();
  if (pid != 0) return pid;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(0);
  if (command.confined) jp::pyrunner::offer_to_oom_killer();
  if (command.confined && !confine(command)) _exit(127);
  execv(command.words[0], command.words);
  std::perror(command.words[0]);
  _exit(127);
}

int watch(pid_t zygote, int signals, const char* folder) {
  std::array<pollfd, 2> watched = {pollfd{kLifeDescriptor, POLLIN, 0}, pollfd{signals, POLLIN, 0}};
  while (true) {
    if (poll(watched.data(), watched.size(), kPollMilliseconds) < 0 && errno != EINTR) break;
    if (watched[0].revents != 0) break;
    signalfd_siginfo ignored{};
    while (read(signals, &ignored, sizeof ignored) > 0) {
    }
    if (reap(zygote)) break;
    kill_orphans(zygote);
  }
  end_everything(folder);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  const bool adopts = count == 4 && std::string_view(arguments[2]) == "--adopt";
  const Command command = count < 4 || adopts ? Command{} : command_of(arguments + 2);
  if ((command.words == nullptr && !adopts) || fcntl(kLifeDescriptor, F_GETFD) < 0) {
    std::fputs("jitprobe-guard is started by jitprobe, not by hand\n", stderr);
    return 2;
  }
  setsid();  // Ctrl-C at the terminal is handled by the driver
  std::signal(SIGPIPE, SIG_IGN);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  fcntl(kLifeDescriptor, F_SETFD, FD_CLOEXEC);
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  sigprocmask(SIG_BLOCK, &set, nullptr);
  // Moved away from the number of the control descriptor, which need not be open: closing it would close this one too,
  // and poll() would return at once forever.
  int signals = fcntl(signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), F_DUPFD_CLOEXEC, kLeastOwnDescriptor);
  const pid_t zygote = adopts ? std::atoi(arguments[3]) : start(command);
  if (zygote < 0) return 1;
  close(kControlDescriptor);  // otherwise the driver would not notice the zygote's end
  return watch(zygote, signals, arguments[1]);
}
