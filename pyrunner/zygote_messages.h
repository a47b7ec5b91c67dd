// What a zygote says, which a thread of its own reads: answers to orders, and the ends of children. So several threads
// may give orders and wait for ends.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>

#include "core/result.h"
#include "pyrunner/wire.h"

namespace jp::pyrunner {

class ZygoteMessages {
 public:
  /// Our end of the control socket (protocol.h).
  explicit ZygoteMessages(Descriptor control);
  /// Closes it: the zygote ends.
  ~ZygoteMessages();
  ZygoteMessages(const ZygoteMessages&) = delete;
  ZygoteMessages& operator=(const ZygoteMessages&) = delete;

  /// The right to give orders, which one thread has at a time. Not owned if `given_up` ended the waiting for it.
  using Turn = std::unique_lock<std::timed_mutex>;
  Turn turn(const std::function<bool()>& given_up);
  /// Sends an order, a MessagePack value, with these descriptors, and waits for its answer, a MessagePack map. An
  /// Error, kStartCancelled if `given_up` says so, if none comes within so many seconds; then none is given to a later
  /// order either.
  Result<Datagram> ask(const Turn& turn, std::string_view order, double seconds,
                       const std::function<bool()>& given_up = {}, std::span<const Descriptor> descriptors = {});
  /// Whether orders are still answered.
  bool listens() const;
  /// A child's wait status, waiting for its end up to `seconds`, not counting the time in which the zygote is at work
  /// on an order and reports no ends; nothing if it still runs.
  std::optional<int> exit_status(pid_t child, double seconds);
  /// Whether a child's end was reported; it is forgotten then.
  bool take_exit(pid_t child);

 private:
  void read();
  bool understand(Datagram datagram);
  Status wait_for_answer(double seconds, const std::function<bool()>& given_up);

  Descriptor control_;
  std::timed_mutex orders_;  // held by whoever has the turn

  mutable std::mutex mutex_;  // guards everything below
  std::condition_variable heard_;
  std::optional<Datagram> answer_;
  std::map<pid_t, int> exits_;
  bool busy_ = false;   // with an order
  std::string silent_;  // why no answer can come any more; "": it can
  std::thread reader_;
};

}  // namespace jp::pyrunner
