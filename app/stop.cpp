#include "app/stop.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>

namespace jp::app {
namespace {

std::atomic<bool> stop_asked{false};

std::atomic<int> first_signal{0};

std::array<bool, 3> on_terminal{};  // standard input, output and error

// What is written to a terminal that is closed fails, and a campaign that ends has things to say.
void leave_terminal() {
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (null < 0) return;
  for (int stream = 0; stream < 3; ++stream)
    if (on_terminal[static_cast<std::size_t>(stream)]) dup2(null, stream);
  close(null);
}

void on_signal(int number) {
  const int interrupted = errno;  // whoever was interrupted may be about to read it
  if (number == SIGHUP) leave_terminal();
  errno = interrupted;
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
  // A terminal that is closed may say so twice: the shell and the kernel do.
  if (stop_asked.exchange(true) && number != SIGHUP) _exit(128 + number);
}

}  // namespace

const std::atomic<bool>& listen_to_signals() {
  for (int stream = 0; stream < 3; ++stream) on_terminal[static_cast<std::size_t>(stream)] = isatty(stream) == 1;
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that is closed ends a campaign as Ctrl-C does, unless `nohup` says that it goes on without one.
  struct sigaction before = {};
  if (sigaction(SIGHUP, nullptr, &before) == 0 && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);
  return stop_asked;
}

int signal_heard() { return first_signal; }

}  // namespace jp::app
