#include "pyrunner/wire.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace jp::pyrunner {
namespace {

constexpr std::string_view kMagic = "JPF2";
constexpr std::size_t kLength = sizeof(std::uint64_t);
constexpr std::size_t kHead = kMagic.size() + 2 * kLength;
constexpr std::size_t kTogether = 1 << 16;  // bytes of a message or an attachment that are sent with the head

bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    ssize_t wrote = send(fd, data, size, MSG_NOSIGNAL);
    if (wrote < 0 && errno == ENOTSOCK) wrote = write(fd, data, size);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    data += wrote;
    size -= static_cast<std::size_t>(wrote);
  }
  return true;
}

bool read_all(int fd, char* data, std::size_t size) {
  while (size > 0) {
    ssize_t got = read(fd, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void append_length(std::string& head, std::uint64_t length) {
  for (std::size_t i = 0; i < kLength; ++i) head.push_back(static_cast<char>(length >> (8 * i)));
}

std::uint64_t length_at(std::string_view bytes) {
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < kLength; ++i)
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
  return length;
}

struct Lengths {
  std::size_t message = 0;
  std::size_t attachment = 0;
};

// Nothing for a head that isn't ours.
std::optional<Lengths> lengths_of(std::string_view head) {
  if (!head.starts_with(kMagic)) return std::nullopt;
  const std::uint64_t message = length_at(head.substr(kMagic.size()));
  const std::uint64_t attachment = length_at(head.substr(kMagic.size() + kLength));
  if (message > kMaxFrame || attachment > kMaxFrame - message) return std::nullopt;
  return Lengths{message, attachment};
}

// Moves what still fits from the front of `part` to `piece`, which is sent in one go.
void move_front(std::string& piece, std::string_view& part) {
  const std::string_view front = part.substr(0, kTogether);
  piece += front;
  part.remove_prefix(front.size());
}

}  // namespace

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) reset(other.release());
  return *this;
}

int Descriptor::release() { return std::exchange(fd_, -1); }

void Descriptor::reset(int fd) {
  if (fd_ >= 0) close(fd_);
  fd_ = fd;
}

// The head goes with what the message begins with: alone it would wake the reader for nothing. So does an attachment
// behind a message that is short.
bool write_frame(int fd, std::string_view message, std::string_view attachment) {
  std::string first(kMagic);
  append_length(first, message.size());
  append_length(first, attachment.size());
  move_front(first, message);
  if (message.empty()) move_front(first, attachment);
  return write_all(fd, first.data(), first.size()) && write_all(fd, message.data(), message.size()) &&
         write_all(fd, attachment.data(), attachment.size());
}

void send_within(int fd, int seconds) {
  const timeval patience{seconds, 0};
  setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
}

std::optional<WireFrame> read_frame(int fd) {
  std::array<char, kHead> head{};
  if (!read_all(fd, head.data(), head.size())) return std::nullopt;
  const std::optional<Lengths> lengths = lengths_of({head.data(), head.size()});
  if (!lengths) return std::nullopt;
  WireFrame frame{std::string(lengths->message + lengths->attachment, '\0'), lengths->message};
  if (!read_all(fd, frame.bytes.data(), frame.bytes.size())) return std::nullopt;
  return frame;
}

namespace {

// Like recv without waiting, also for a pipe.
ssize_t read_available(int fd, char* into, std::size_t most) {
  const ssize_t got = recv(fd, into, most, MSG_DONTWAIT);
  if (got >= 0 || errno != ENOTSOCK) return got;
  pollfd watched{fd, POLLIN, 0};
  if (poll(&watched, 1, 0) > 0) return read(fd, into, most);
  errno = EAGAIN;
  return -1;
}

}  // namespace

FrameReader::State FrameReader::pump(int fd) {
  std::array<char, 1 << 16> piece;
  while (true) {
    // Never beyond the frame: what follows belongs to the next one.
    std::size_t wanted = (have_head_ ? size_ : kHead) - buffer_.size();
    ssize_t got = read_available(fd, piece.data(), std::min(wanted, piece.size()));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return State::kPartial;
    if (got <= 0) return State::kClosed;
    buffer_.append(piece.data(), static_cast<std::size_t>(got));
    State state = inspect();
    if (state != State::kPartial) return state;
  }
}

FrameReader::State FrameReader::inspect() {
  if (!have_head_) {
    if (buffer_.size() < kHead) return State::kPartial;
    const std::optional<Lengths> lengths = lengths_of(buffer_);
    if (!lengths) return State::kMalformed;
    message_size_ = lengths->message;
    size_ = lengths->message + lengths->attachment;
    have_head_ = true;
    buffer_.clear();
  }
  return buffer_.size() == size_ ? State::kFrame : State::kPartial;
}

WireFrame FrameReader::take() {
  have_head_ = false;
  return {std::exchange(buffer_, {}), message_size_};
}

namespace {

// Room for the descriptors of one datagram.
struct alignas(cmsghdr) Control {
  std::array<char, CMSG_SPACE(kMaxDescriptors * sizeof(int))> bytes{};
};

std::vector<Descriptor> descriptors_of(msghdr& message) {
  std::vector<Descriptor> passed;
  const cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head == nullptr || head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) return passed;
  const std::size_t count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count; ++i) {
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
    passed.emplace_back(fd);
  }
  return passed;
}

}  // namespace

bool send_datagram(int fd, std::string_view payload, std::span<const int> descriptors) {
  iovec part{const_cast<char*>(payload.data()), payload.size()};
  Control space;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (!descriptors.empty()) {
    message.msg_control = space.bytes.data();
    message.msg_controllen = CMSG_SPACE(descriptors.size_bytes());
    auto* head = reinterpret_cast<cmsghdr*>(space.bytes.data());
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(descriptors.size_bytes());
    std::memcpy(CMSG_DATA(head), descriptors.data(), descriptors.size_bytes());
  }
  while (true) {
    if (sendmsg(fd, &message, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR) return false;
  }
}

std::optional<Datagram> receive_datagram(int fd) {
  std::vector<char> bytes(kMaxDatagram);
  iovec part{bytes.data(), bytes.size()};
  Control space;
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.bytes.data();
  message.msg_controllen = space.bytes.size();
  ssize_t got = 0;
  do {
    got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  return Datagram{std::string(bytes.data(), static_cast<std::size_t>(got)), descriptors_of(message)};
}

}  // namespace jp::pyrunner
