#include "fleet/framed_child.h"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "campaign/common/stopwatch.h"
#include "pyrunner/spawn.h"

namespace jp::fleet {
namespace {

// A lease server gives its runs up within a second or two, and its guard ends what is left. Chosen, not measured.
constexpr double kEndSeconds = 10;
// A frozen process takes nothing in. Chosen, not measured.
constexpr int kSendSeconds = 30;

}  // namespace

Result<std::unique_ptr<FramedChild>> FramedChild::start(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{fmt::format("socketpair failed: {}", std::strerror(errno))};
  std::unique_ptr<FramedChild> child(new FramedChild);
  child->socket_.reset(ends[0]);
  const pyrunner::Descriptor its_end(ends[1]);
  pyrunner::send_within(ends[0], kSendSeconds);
  pyrunner::Spawn spawn;
  spawn.give(ends[1], STDIN_FILENO);
  spawn.give(ends[1], STDOUT_FILENO);
  spawn.in_own_session();
  const Result<pid_t> pid = spawn.start(std::move(words), STDERR_FILENO + 1);
  if (!pid.ok()) return pid.error();
  child->pid_ = pid.value();
  return child;
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
