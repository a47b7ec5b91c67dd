#include "pyrunner/worker/native_stack.h"

#include <execinfo.h>
#include <signal.h>

#include <array>

namespace jp::pyrunner {
namespace {

constexpr std::array<int, 5> kFatal = {SIGSEGV, SIGFPE, SIGABRT, SIGBUS, SIGILL};
constexpr int kFrames = 32;

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): a signal handler has no other place
struct sigaction former[NSIG];
int output = -1;

void on_signal(int number, siginfo_t*, void*) {
  // The former handler is restored before anything here can fault.
  sigaction(number, &former[number], nullptr);
  std::array<void*, kFrames> frames{};
  int count = backtrace(frames.data(), kFrames);
  backtrace_symbols_fd(frames.data(), count, output);
  raise(number);
}

}  // namespace

void install_native_stack(int descriptor) {
  output = descriptor;
  std::array<void*, 1> first{};
  backtrace(first.data(), 1);  // loads libgcc now: loading inside a handler may deadlock
  for (int number : kFatal) {
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, &former[number]);
  }
}

}  // namespace jp::pyrunner
