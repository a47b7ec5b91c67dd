// Frames from a child that may write anything: read as far as they come, and what they hold is an outcome with facts or
// an Error.
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#include "codec/codec.h"
#include "core/outcome.h"
#include "pyrunner/packed_facts.h"
#include "pyrunner/wire.h"

namespace {

// What a socket takes at once.
constexpr std::size_t kMost = 1 << 15;

void read_payload(std::string_view message, std::string_view attachment) {
  using namespace jp;
  if (Result<codec::Json> json = codec::unpack(message); json.ok() && json.value().is_object())
    if (json.value().contains("outcome")) (void)codec::read<Outcome>(json.value()["outcome"]);
  try {
    pyrunner::unpack_facts(attachment);
  } catch (const std::runtime_error&) {
    return;  // as the driver takes it
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace jp::pyrunner;
  const std::string_view all(reinterpret_cast<const char*>(bytes), std::min(size, kMost));
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) != 0) return 0;
  Descriptor near(pair[0]);
  Descriptor far(pair[1]);
  if (write(near.get(), all.data(), all.size()) != static_cast<ssize_t>(all.size())) return 0;
  near.reset();
  FrameReader reader;
  for (auto state = reader.pump(far.get()); state == FrameReader::State::kFrame; state = reader.pump(far.get())) {
    const WireFrame frame = reader.take();
    read_payload(frame.message(), frame.attachment());
  }
  // The same bytes without a frame's head, which chance seldom hits.
  const std::size_t half = all.size() / 2;
  read_payload(all.substr(0, half), all.substr(half));
  read_payload(all, "");
  return 0;
}
