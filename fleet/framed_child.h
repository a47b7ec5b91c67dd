// A child process that speaks in frames: its standard input and output are one socket, whose other end is held here.
// When this process dies, in whatever way, the child reads the end of its input.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "pyrunner/wire.h"

namespace jp::fleet {

class FramedChild {
 public:
  /// Starts `words` in a session of its own: Ctrl-C at the terminal is the driver's matter. Its standard error is ours.
  static Result<std::unique_ptr<FramedChild>> start(std::vector<std::string> words);
  /// Closes the socket, and kills the child if it doesn't end by itself in a few seconds.
  ~FramedChild();
  FramedChild(const FramedChild&) = delete;
  FramedChild& operator=(const FramedChild&) = delete;

  /// To be polled for reading.
  int socket() const { return socket_.get(); }
  /// False if the child is gone, or takes nothing in for half a minute.
  bool send(std::string_view message, std::string_view attachment = {});
  /// Adds the frames that have arrived, without waiting; false once there will be no others.
  bool receive(std::vector<pyrunner::WireFrame>& frames);
  /// Says that there is nothing more to come; the child ends by itself then.
  void close() { socket_.reset(); }
  void kill();
  /// Waits a few seconds for its end, then kills it; how it ended: "exit status 3", "signal 9".
  std::string ended();

 private:
  FramedChild() = default;
  bool wait_for_end(double seconds);

  pid_t pid_ = 0;
  std::optional<int> status_;  // once it was waited for
  pyrunner::Descriptor socket_;
  pyrunner::FrameReader reader_;
};

}  // namespace jp::fleet
