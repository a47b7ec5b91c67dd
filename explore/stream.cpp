#include "explore/stream.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "codec/codec.h"

namespace jp::explore {
namespace {

/// Progress is told this often, so that a page knows that the server is there.
constexpr auto kTell = std::chrono::milliseconds(500);
/// Streams at a time: more than a person opens, and few enough for the server's threads.
constexpr std::size_t kMost = 8;

}  // namespace

std::string event_text(const std::string& name, const codec::Json& data) {
  return fmt::format("event: {}\ndata: {}\n\n", name, codec::text(data));
}

Stream::Stream(std::string id) : id_(std::move(id)), begun_(Clock::now()), told_(begun_) {
  emit("started", {{"run", id_}});
}

Stream::~Stream() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void Stream::start(Work work) {
  thread_ = std::thread([this, work = std::move(work)] { work_to_the_end(work); });
}

void Stream::work_to_the_end(const Work& work) {
  try {
    work(*this);
  } catch (const std::exception& error) {
    emit("failed", {{"error", fmt::format("internal error: {}", error.what())}});
  }
  if (cancel_.asked()) emit("cancelled", codec::Json::object());
  emit("ended", codec::Json::object());
  const std::lock_guard lock(mutex_);
  over_ = true;
  changed_.notify_all();
}

void Stream::emit(const std::string& name, const codec::Json& data) {
  std::string text = event_text(name, data);
  const std::lock_guard lock(mutex_);
  events_.push_back(std::move(text));
  changed_.notify_all();
}

void Stream::say(std::string what) {
  const std::lock_guard lock(mutex_);
  says_ = std::move(what);
  told_ = {};
  changed_.notify_all();
}

void Stream::count(std::string name, std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  counts_[std::move(name)] = number;
}

std::string Stream::progress() {
  told_ = Clock::now();
  codec::Json data = {{"says", says_}, {"seconds", std::chrono::duration<double>(told_ - begun_).count()}};
  for (const auto& [name, number] : counts_) data[name] = number;
  return event_text("progress", data);
}

std::optional<std::string> Stream::next(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, patience, [&] { return over_ || !events_.empty() || Clock::now() - told_ >= kTell; });
  if (!events_.empty()) {
    std::string text = std::move(events_.front());
    events_.pop_front();
    return text;
  }
  if (over_) return std::nullopt;
  return Clock::now() - told_ >= kTell ? progress() : "";
}

void tell(Stream& stream, const char* event, const Result<codec::Json>& answer) {
  if (stream.cancel().asked()) return;
  if (answer.ok())
    stream.emit(event, answer.value());
  else
    stream.emit("failed", {{"error", answer.error().message}});
}

// Started first: where no thread can be had, nobody would close the stream, and its place would be taken for ever.
std::shared_ptr<Stream> Streams::open(Stream::Work work) {
  const std::lock_guard lock(mutex_);
  if (running_.size() >= kMost) return nullptr;
  auto stream = std::make_shared<Stream>(fmt::format("r{}", ++opened_));
  stream->start(std::move(work));
  running_[stream->id()] = stream;
  return stream;
}

bool Streams::cancel(const std::string& id) {
  const std::lock_guard lock(mutex_);
  auto found = running_.find(id);
  if (found == running_.end()) return false;
  found->second->stop();
  return true;
}

void Streams::close(const std::string& id) {
  std::shared_ptr<Stream> closed;
  const std::lock_guard lock(mutex_);
  if (auto found = running_.find(id); found != running_.end()) {
    found->second->stop();
    closed = std::move(found->second);  // its end is waited for without the lock
    running_.erase(found);
  }
}

void Streams::stop_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& [id, stream] : running_) stream->stop();
}

}  // namespace jp::explore
