#include "app/stop.h"

#include <unistd.h>

#include <csignal>

namespace jp::app {
namespace {

std::atomic<bool> stop_asked{false};

std::atomic<int> first_signal{0};

void on_signal(int number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, number);
  if (stop_asked.exchange(true)) _exit(128 + number);
}

}  // namespace

const std::atomic<bool>& listen_to_signals() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  return stop_asked;
}

int signal_heard() { return first_signal; }

}  // namespace jp::app
