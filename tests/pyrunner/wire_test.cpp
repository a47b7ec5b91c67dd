// Frames as they travel, and what comes instead of them from a process that may write anything.
#include "pyrunner/wire.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <thread>

namespace jp::pyrunner {
namespace {

using State = FrameReader::State;

struct Ends {
  Ends() {
    std::array<int, 2> pair{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()), 0);
    one.reset(pair[0]);
    other.reset(pair[1]);
  }
  void write(std::string_view bytes) const {
    EXPECT_EQ(::write(one.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  Descriptor one, other;
};

std::string head(std::uint64_t message, std::uint64_t attachment, std::string_view magic = "JPF2") {
  std::string bytes(magic);
  for (std::uint64_t length : {message, attachment})
    for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(length >> shift);
  return bytes;
}

State state_after(std::string_view bytes) {
  Ends ends;
  ends.write(bytes);
  return FrameReader().pump(ends.other.get());
}

std::size_t virtual_pages() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages;
}

TEST(Wire, FramesOfAllSizesArriveWhole) {
  Ends ends;
  const std::string large(3'000'000, 'l');
  const std::string small = "small";
  for (const auto& [message, attachment] : std::vector<std::pair<std::string, std::string>>{
           {small, ""}, {small, small}, {small, large}, {large, small}, {large, large}, {"", ""}, {"", small}}) {
    std::thread writer([&, &sent = message, &beside = attachment] { write_frame(ends.one.get(), sent, beside); });
    FrameReader reader;
    State state = State::kPartial;
    while (state == State::kPartial) state = reader.pump(ends.other.get());
    ASSERT_EQ(state, State::kFrame);
    const WireFrame frame = reader.take();
    EXPECT_TRUE(frame.message() == message);
    EXPECT_TRUE(frame.attachment() == attachment);
    writer.join();

    std::thread again([&, &sent = message, &beside = attachment] { write_frame(ends.one.get(), sent, beside); });
    const std::optional<WireFrame> read = read_frame(ends.other.get());
    again.join();
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->message() == message && read->attachment() == attachment);
  }
}

TEST(Wire, FramesGoThroughPipes) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const Descriptor reads(ends[0]);
  Descriptor writes(ends[1]);
  ASSERT_TRUE(write_frame(writes.get(), "message", "attachment"));
  writes.reset();
  const std::optional<WireFrame> frame = read_frame(reads.get());
  ASSERT_TRUE(frame);
  EXPECT_EQ(frame->message(), "message");
  EXPECT_EQ(frame->attachment(), "attachment");
  EXPECT_FALSE(read_frame(reads.get()));
}

TEST(Wire, TheNextFrameIsLeftInTheStream) {
  Ends ends;
  ASSERT_TRUE(write_frame(ends.one.get(), "first", "a"));
  ASSERT_TRUE(write_frame(ends.one.get(), "second"));
  FrameReader reader;
  ASSERT_EQ(reader.pump(ends.other.get()), State::kFrame);
  EXPECT_EQ(reader.take().message(), "first");
  ASSERT_EQ(reader.pump(ends.other.get()), State::kFrame);
  const WireFrame second = reader.take();
  EXPECT_EQ(second.message(), "second");
  EXPECT_EQ(second.attachment(), "");
}

TEST(Wire, ForeignBytesAreMalformed) {
  EXPECT_EQ(state_after(std::string(100, 'x')), State::kMalformed);
  EXPECT_EQ(state_after(head(3, 0, "JPF1") + "abc"), State::kMalformed);
  EXPECT_EQ(state_after(head(std::uint64_t{1} << 32, 0)), State::kMalformed);
  EXPECT_EQ(state_after(head(0, std::uint64_t{1} << 32)), State::kMalformed);
  EXPECT_EQ(state_after(head(kMaxFrame, 1)), State::kMalformed);
  EXPECT_EQ(state_after(head(2, ~std::uint64_t{0})), State::kMalformed) << "their sum is 1";
  Ends ends;
  ends.write(head(std::uint64_t{1} << 32, 0));
  EXPECT_FALSE(read_frame(ends.other.get()));
}

TEST(Wire, AFrameThatEndsEarlyIsNone) {
  const std::string whole = head(5, 3) + "answerto";
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Ends ends;
    ends.write(whole.substr(0, size));
    FrameReader reader;
    EXPECT_EQ(reader.pump(ends.other.get()), State::kPartial) << size;
    ends.one.reset();
    EXPECT_EQ(reader.pump(ends.other.get()), State::kClosed) << size;
  }
}

TEST(Wire, AReaderThatTakesNothingIsGivenUp) {
  Ends ends;
  send_within(ends.one.get(), 1);
  EXPECT_TRUE(write_frame(ends.one.get(), "message"));
  EXPECT_FALSE(write_frame(ends.one.get(), std::string(16 << 20, 'x')));
}

TEST(Wire, MemoryIsTakenAsBytesArrive) {
  const std::size_t before = virtual_pages();
  Ends ends;
  ends.write(head(kMaxFrame / 2, kMaxFrame / 2) + "few");
  FrameReader reader;
  EXPECT_EQ(reader.pump(ends.other.get()), State::kPartial);
  const std::size_t page = 4096, most = std::size_t{64} << 20;
  EXPECT_LT((virtual_pages() - before) * page, most);
}

}  // namespace
}  // namespace jp::pyrunner
