#include "pyrunner/zygote_messages.h"

#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <utility>
#include <vector>

#include "codec/codec.h"
#include "pyrunner/cancellable_lock.h"
#include "pyrunner/options.h"

namespace jp::pyrunner {
namespace {

using Clock = std::chrono::steady_clock;

Clock::time_point after(double seconds) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// The thread inherits the mask: signals are for the threads that wait for them.
std::thread without_signals(const std::function<void()>& work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(work);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

ZygoteMessages::ZygoteMessages(Descriptor control) : control_(std::move(control)) {
  reader_ = without_signals([this] { read(); });
}

ZygoteMessages::~ZygoteMessages() {
  shutdown(control_.get(), SHUT_RDWR);
  reader_.join();
}

void ZygoteMessages::read() {
  bool understood = true;
  while (understood) {
    std::optional<Datagram> datagram = receive_datagram(control_.get());
    const std::lock_guard lock(mutex_);
    try {
      understood = datagram && understand(std::move(*datagram));
    } catch (const codec::Json::exception&) {
      understood = false;
    }
    if (!understood && silent_.empty()) silent_ = datagram ? "the zygote spoke nonsense" : "the zygote has ended";
    heard_.notify_all();
  }
}

bool ZygoteMessages::understand(Datagram datagram) {
  Result<codec::Json> message = codec::unpack(datagram.payload);
  if (!message.ok() || !message.value().is_object()) return false;
  const codec::Json& json = message.value();
  if (json.contains("exited")) {
    exits_[json["exited"].get<pid_t>()] = json.value("status", 0);
    return true;
  }
  exits_.erase(json.value("pid", pid_t{0}));  // of an earlier child that had the same number
  answer_ = std::move(datagram);
  return true;
}

ZygoteMessages::Turn ZygoteMessages::turn(const std::function<bool()>& given_up) {
  return lock_unless(orders_, given_up);
}

Result<Datagram> ZygoteMessages::ask(const Turn& turn, std::string_view order, double seconds,
                                     const std::function<bool()>& given_up, std::span<const Descriptor> descriptors) {
  if (!turn.owns_lock()) return Error{std::string(kStartCancelled)};
  {
    const std::lock_guard lock(mutex_);
    if (!silent_.empty()) return Error{silent_};
    busy_ = true;
  }
  std::vector<int> numbers;
  for (const Descriptor& descriptor : descriptors) numbers.push_back(descriptor.get());
  const bool sent = send_datagram(control_.get(), order, numbers);
  const Status answered = sent ? wait_for_answer(seconds, given_up) : Status(Error{"the zygote has ended"});
  const std::lock_guard lock(mutex_);
  busy_ = false;
  heard_.notify_all();
  if (!answered.ok()) return answered.error();
  return std::exchange(answer_, std::nullopt).value();
}

bool ZygoteMessages::listens() const {
  const std::lock_guard lock(mutex_);
  return silent_.empty();
}

Status ZygoteMessages::wait_for_answer(double seconds, const std::function<bool()>& given_up) {
  const Clock::time_point deadline = after(seconds);
  std::unique_lock lock(mutex_);
  while (!heard_.wait_for(lock, kCancelPeriod, [&] { return answer_ || !silent_.empty(); })) {
    lock.unlock();
    const bool cancelled = given_up && given_up();
    lock.lock();
    if (answer_) break;
    // A late answer would be taken for that of the next order.
    if (cancelled) silent_ = kStartCancelled;
    if (!cancelled && Clock::now() > deadline) silent_ = "the zygote does not answer";
  }
  if (answer_) return Done{};
  return Error{silent_};
}

std::optional<int> ZygoteMessages::exit_status(pid_t child, double seconds) {
  std::unique_lock lock(mutex_);
  const auto over = [&] { return exits_.contains(child) || !silent_.empty(); };
  for (Clock::time_point deadline = after(seconds); !over() && Clock::now() < deadline;) {
    heard_.wait_until(lock, std::min(deadline, Clock::now() + kCancelPeriod), over);
    if (busy_) deadline = after(seconds);
  }
  const auto found = exits_.find(child);
  return found == exits_.end() ? std::nullopt : std::optional(found->second);
}

bool ZygoteMessages::take_exit(pid_t child) {
  const std::lock_guard lock(mutex_);
  return exits_.erase(child) > 0;
}

}  // namespace jp::pyrunner
