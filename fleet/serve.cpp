#include "fleet/serve.h"

#include <fmt/format.h>
#include <poll.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "campaign/common/stop_condition.h"
#include "campaign/common/stopwatch.h"
#include "campaign/lease.h"
#include "codec/codec.h"
#include "fleet/ranges.h"
#include "pyrunner/wire.h"

namespace jp::fleet {
namespace {

using campaign::Lessee;
using campaign::StopCondition;

// Seconds. Chosen, not measured: many in the time after which a server is taken for lost.
constexpr double kBetweenSigns = 10;

/// Reads messages on a thread of its own, so that the end of the input is noticed while a test runs.
class Input {
 public:
  Input(int in, const std::atomic<bool>& stop) : in_(in), stop_(stop), thread_([this] { read(); }) {}
  ~Input() {
    over_ = true;
    thread_.join();
  }
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  /// Set at the end of the input, and when the process was asked to end.
  const std::atomic<bool>& over() const { return over_; }
  /// It ended with bytes that are no frame, or not a whole one.
  bool nonsense() const { return nonsense_; }
  /// The next message, waiting for it; nothing at the end.
  std::optional<pyrunner::WireFrame> next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return over_ || !frames_.empty(); });
    if (over_) return std::nullopt;
    pyrunner::WireFrame frame = std::move(frames_.front());
    frames_.pop_front();
    return frame;
  }

 private:
  void read() {
    using State = pyrunner::FrameReader::State;
    pyrunner::FrameReader reader;
    while (!over_ && !stop_) {
      pollfd watched{in_, POLLIN, 0};
      if (poll(&watched, 1, static_cast<int>(StopCondition::kPolled.count())) <= 0) continue;
      State state = reader.pump(in_);
      for (; state == State::kFrame; state = reader.pump(in_)) {
        std::lock_guard lock(mutex_);
        frames_.push_back(reader.take());
        arrived_.notify_all();
      }
      if (state == State::kPartial) continue;
      nonsense_ = state == State::kMalformed || reader.has_part();
      break;
    }
    std::lock_guard lock(mutex_);
    over_ = true;
    arrived_.notify_all();
  }

  const int in_;
  const std::atomic<bool>& stop_;
  std::atomic<bool> over_ = false;
  std::atomic<bool> nonsense_ = false;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<pyrunner::WireFrame> frames_;
  std::thread thread_;  // last: it uses the others
};

class LeaseServer {
 public:
  LeaseServer(int out, const std::atomic<bool>& over) : out_(out), stop_(over) {}

  Result<Server> serve(Input& input) {
    while (const std::optional<pyrunner::WireFrame> frame = input.next()) {
      const Result<codec::Json> message = codec::unpack(frame->message());
      Status did = message.ok() ? handle(message.value()) : message.error();
      if (stop_.reached()) break;
      if (!did.ok()) {
        // Whoever asked may be gone; the reason is returned in any case.
        const Status said = say({{"error", did.error().message}});
        return said.ok() ? did.error() : said.error();
      }
      if (!refused_.empty()) break;
    }
    if (input.nonsense())
      return Error{
          "what came on standard input is no frame: jitprobe fuzz --on processes:N starts lease --serve itself"};
    return Server{refused_};
  }

 private:
  Status handle(const codec::Json& message) {
    try {
      const std::string op = message.at("op").get<std::string>();
      if (op == "terms") return begin(message.at("terms"));
      if (!lessee_) return Error{fmt::format("'{}' came before the terms of the campaign", op)};
      if (op == "tables") return lessee_->know(message.at("tables"));
      if (op == "case") return study(message.at("asked").get<std::string>());
      if (op == "lease")
        return make({message.at("begin").get<std::uint64_t>(), message.at("end").get<std::uint64_t>()});
      return Error{fmt::format("there is no '{}' for a lease server", op)};
    } catch (const codec::Json::exception& error) {
      return Error{fmt::format("a message is damaged: {}", error.what())};
    }
  }

  Status begin(const codec::Json& terms) {
    Result<Lessee::Started> started = Lessee::start(terms, stop_, [this] { say_alive(); });
    if (!started.ok()) return started.error();
    lessee_ = std::move(started.value().lessee);
    refused_ = started.value().refused;
    return refused_.empty() ? say({{"ready", true}}) : say({{"refused", refused_}});
  }

  Status make(const Range& range) {
    if (range.first < range.second && !lessee_->knows(lessee_->epochs().of(range.first)))
      return Error{fmt::format("the tables of test {} were not told", range.first)};
    const Result<bool> all = make_range(*lessee_, range, stop_, [this](const campaign::Tested& tested) {
      return say({{"tested", to_json(tested)}});
    });
    if (!all.ok()) return all.error();
    return all.value() ? say({{"done", true}}) : Status(Done{});
  }

  Status study(const std::string& text) {
    studying_ = true;
    said_alive_ = {};
    const Result<codec::Json> asked = codec::parse_text(text);
    if (!asked.ok()) return asked.error();
    const Result<std::optional<codec::Json>> studied = lessee_->study(asked.value());
    studying_ = false;
    if (!studied.ok()) return studied.error();
    return studied.value() ? say({{"studied", *studied.value()}}) : Status(Done{});
  }

  // Called by the thread that studies, and by one that runs a standalone file for it, while they wait for a program. If
  // nobody listens the input ends, too.
  void say_alive() {
    const std::lock_guard lock(alive_mutex_);
    if (!studying_ || said_alive_.seconds() < kBetweenSigns) return;
    said_alive_ = {};
    (void)say({{"alive", true}});
  }

  Status say(const codec::Json& message) const {
    if (pyrunner::write_frame(out_, codec::pack(message))) return Done{};
    return Error{"whoever asked for the tests is gone"};
  }

  const int out_;
  std::mutex alive_mutex_;
  const StopCondition stop_;
  std::unique_ptr<Lessee> lessee_;
  std::string refused_;
  bool studying_ = false;
  campaign::Stopwatch said_alive_;
};

}  // namespace

Result<Server> serve_leases(int in, int out, const std::atomic<bool>& stop) {
  Input input(in, stop);
  return LeaseServer(out, input.over()).serve(input);
}

}  // namespace jp::fleet
