// A run that a page watches: a thread that works, and the events that it sends (server-sent events).
//
// The events `started`, then any number of `progress` and others, then `cancelled` if it was, and `ended`. Whoever
// reads takes them with `next`; when the reader is gone, it cancels.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "codec/json.h"
#include "core/result.h"
#include "explore/cancel.h"

namespace jp::explore {

/// "event: NAME\ndata: JSON\n\n".
std::string event_text(const std::string& name, const codec::Json& data);

class Stream {
 public:
  using Work = std::function<void(Stream&)>;
  explicit Stream(std::string id);
  /// Cancels the work, and waits for it.
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  void start(Work work);
  const std::string& id() const { return id_; }
  const Cancel& cancel() const { return cancel_; }
  void stop() { cancel_.set(); }

  // For the work.
  void emit(const std::string& name, const codec::Json& data);
  /// What `progress` events say from now on.
  void say(std::string what);
  /// A number that `progress` events have from now on, under this name.
  void count(std::string name, std::uint64_t number);

  // For the reader.
  /// The next event's text, after at most so long; "" for none yet, nothing after the last.
  std::optional<std::string> next(std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  void work_to_the_end(const Work& work);
  std::string progress();

  std::string id_;
  Cancel cancel_;
  std::mutex mutex_;  // guards everything below
  std::condition_variable changed_;
  std::deque<std::string> events_;
  bool over_ = false;
  std::string says_;
  std::map<std::string, std::uint64_t> counts_;
  Clock::time_point begun_;
  Clock::time_point told_;  // the last progress
  std::thread thread_;
};

/// The event of that name with the answer, or `failed` with what was wrong; of what was cancelled neither.
void tell(Stream& stream, const char* event, const Result<codec::Json>& answer);

/// The streams that run, by id. Thread-safe.
class Streams {
 public:
  /// Nothing if as many as there may be run already.
  std::shared_ptr<Stream> open(Stream::Work work);
  /// Whether there was one of that id.
  bool cancel(const std::string& id);
  void close(const std::string& id);
  void stop_all();

 private:
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Stream>> running_;
  std::uint64_t opened_ = 0;
};

}  // namespace jp::explore
