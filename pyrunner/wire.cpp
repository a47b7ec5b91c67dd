#include "pyrunner/wire.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

namespace jp::pyrunner {
namespace {

constexpr std::string_view kMagic = "JPF1";
constexpr std::size_t kHead = 12;
constexpr std::size_t kTogether = 1 << 16;  // bytes of a payload that are sent together with its header

bool write_all(int fd, const char* data, std::size_t size) {
  while (size > 0) {
    ssize_t wrote = send(fd, data, size, MSG_NOSIGNAL);
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

std::optional<std::size_t> length_of(std::string_view head) {
  if (head.substr(0, kMagic.size()) != kMagic) return std::nullopt;
  std::uint64_t length = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    length |= static_cast<std::uint64_t>(static_cast<unsigned char>(head[kMagic.size() + i])) << (8 * i);
  }
  if (length > kMaxFrame) return std::nullopt;
  return static_cast<std::size_t>(length);
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

// The header is sent together with the start of the payload: alone it would wake the reader for nothing.
bool write_frame(int fd, std::string_view payload) {
  std::string first(kMagic);
  for (std::size_t i = 0; i < 8; ++i) {
    first.push_back(static_cast<char>(static_cast<std::uint64_t>(payload.size()) >> (8 * i)));
  }
  const std::string_view beginning = payload.substr(0, kTogether);
  first += beginning;
  payload.remove_prefix(beginning.size());
  return write_all(fd, first.data(), first.size()) && write_all(fd, payload.data(), payload.size());
}

std::optional<std::string> read_frame(int fd) {
  std::array<char, kHead> head{};
  if (!read_all(fd, head.data(), head.size())) return std::nullopt;
  std::optional<std::size_t> length = length_of({head.data(), head.size()});
  if (!length) return std::nullopt;
  std::string payload(*length, '\0');
  if (!read_all(fd, payload.data(), payload.size())) return std::nullopt;
  return payload;
}

FrameReader::State FrameReader::pump(int fd) {
  std::array<char, 1 << 16> piece;
  while (true) {
    // Never reads beyond the frame: what follows belongs to the next one.
    std::size_t wanted = (have_length_ ? length_ : kHead) - buffer_.size();
    ssize_t got = recv(fd, piece.data(), std::min(wanted, piece.size()), MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return State::kPartial;
    if (got <= 0) return State::kClosed;
    buffer_.append(piece.data(), static_cast<std::size_t>(got));
    State state = inspect();
    if (state != State::kPartial) return state;
  }
}

FrameReader::State FrameReader::inspect() {
  if (!have_length_) {
    if (buffer_.size() < kHead) return State::kPartial;
    std::optional<std::size_t> length = length_of(buffer_);
    if (!length) return State::kMalformed;
    length_ = *length;
    have_length_ = true;
    buffer_.clear();
  }
  return buffer_.size() == length_ ? State::kFrame : State::kPartial;
}

std::string FrameReader::take() {
  have_length_ = false;
  return std::exchange(buffer_, {});
}

bool send_datagram(int fd, std::string_view payload, int descriptor) {
  iovec part{const_cast<char*>(payload.data()), payload.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  if (descriptor >= 0) {
    message.msg_control = space.data();
    message.msg_controllen = space.size();
    cmsghdr* head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(head), &descriptor, sizeof(int));
  }
  while (true) {
    if (sendmsg(fd, &message, MSG_NOSIGNAL) >= 0) return true;
    if (errno != EINTR) return false;
  }
}

std::optional<Datagram> receive_datagram(int fd) {
  std::vector<char> bytes(kMaxDatagram);
  iovec part{bytes.data(), bytes.size()};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> space{};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = space.size();
  ssize_t got = 0;
  do {
    got = recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  if (got <= 0) return std::nullopt;
  Datagram datagram;
  datagram.payload.assign(bytes.data(), static_cast<std::size_t>(got));
  cmsghdr* head = CMSG_FIRSTHDR(&message);
  if (head != nullptr && head->cmsg_level == SOL_SOCKET && head->cmsg_type == SCM_RIGHTS) {
    int passed = -1;
    std::memcpy(&passed, CMSG_DATA(head), sizeof(int));
    datagram.descriptor.reset(passed);
  }
  return datagram;
}

}  // namespace jp::pyrunner
