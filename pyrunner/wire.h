// Frames over a stream socket, and datagrams with a descriptor over a control socket: the transport between driver,
// zygote and children. No Python, nothing but POSIX in here: the worker compiles this file too.
//
// Stream (driver <-> child): "JPF2", the length of the message and that of the attachment (8 bytes little-endian each),
// the message, the attachment. A message is one MessagePack value; pyrunner/protocol.h says which. The attachment has
// an answer's facts, which would be decoded byte by byte inside the message; mostly it is empty. Any other first four
// bytes, or lengths that add up to more than kMaxFrame, are malformed: the program under test wrote into our socket.
// Control (driver <-> zygote): SOCK_SEQPACKET, one MessagePack value a datagram, at most kMaxDatagram bytes, with at
// most kMaxDescriptors descriptors (SCM_RIGHTS).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jp::pyrunner {

/// Bytes of message and attachment together.
inline constexpr std::size_t kMaxFrame = std::size_t{1} << 31;
inline constexpr std::size_t kMaxDatagram = 1 << 16;
inline constexpr std::size_t kMaxDescriptors = 3;

/// A descriptor that is closed with its owner; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() { reset(); }
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }
  int release();
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

/// What a frame carries, in one piece: the message's bytes and then the attachment's.
struct WireFrame {
  std::string bytes;
  std::size_t message_size = 0;  // at most bytes.size()

  std::string_view message() const { return std::string_view(bytes).substr(0, message_size); }
  std::string_view attachment() const { return std::string_view(bytes).substr(message_size); }
};

/// Writes a whole frame; waits as long as the reader needs. False when the other end is gone. A pipe does, too; then
/// SIGPIPE is for the caller to ignore.
bool write_frame(int fd, std::string_view message, std::string_view attachment = {});
/// From here on write_frame() to this socket gives up, and returns false, if the reader takes nothing for so long.
void send_within(int fd, int seconds);
/// Reads a whole frame; nothing at the end of the stream or for a malformed one. For the child, which may wait forever
/// and believes the lengths: the driver wrote them.
std::optional<WireFrame> read_frame(int fd);

/// Collects a frame from a descriptor that is polled elsewhere. Lengths are the word of a process in which the program
/// under test runs: memory is taken as bytes arrive, never on their word.
class FrameReader {
 public:
  enum class State { kPartial, kFrame, kClosed, kMalformed };
  /// Reads what is available in a socket or pipe, without waiting. On kFrame the payload is in `take()`; afterwards the
  /// reader starts anew.
  State pump(int fd);
  WireFrame take();
  /// Whether part of a frame has been read.
  bool has_part() const { return have_head_ || !buffer_.empty(); }

 private:
  State inspect();
  std::string buffer_;
  std::size_t message_size_ = 0;
  std::size_t size_ = 0;  // of message and attachment, once the head is read
  bool have_head_ = false;
};

/// Sends one datagram, together with these descriptors. False if the other end is gone.
bool send_datagram(int fd, std::string_view payload, std::span<const int> descriptors = {});

struct Datagram {
  std::string payload;
  std::vector<Descriptor> descriptors;
};
/// The next datagram, waiting for it; nothing if the other end is gone.
std::optional<Datagram> receive_datagram(int fd);

}  // namespace jp::pyrunner
