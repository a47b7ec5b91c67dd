// What a stream sends, and how it ends.
#include "explore/stream.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "codec/codec.h"

namespace jp::explore {
namespace {

using std::chrono::milliseconds;

/// The names of all events until the end, progress left out.
std::vector<std::string> names_of(Stream& stream) {
  std::vector<std::string> names;
  while (const auto event = stream.next(milliseconds(20))) {
    const std::string name = event->substr(0, event->find('\n'));
    if (!event->empty() && name != "event: progress") names.push_back(name.substr(std::string("event: ").size()));
  }
  return names;
}

void until_cancelled(Stream& stream) {
  while (!stream.cancel().asked()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(Stream, SendsEventsInOrderAndEnds) {
  Stream stream("r1");
  stream.start([](Stream& own) {
    own.emit("result", {{"one", 1}});
    own.emit("explained", {{"two", 2}});
  });
  EXPECT_EQ(names_of(stream), (std::vector<std::string>{"started", "result", "explained", "ended"}));
}

TEST(Stream, ReadsAsServerSentEvents) {
  EXPECT_EQ(event_text("result", {{"text", "two\nlines"}}), "event: result\ndata: {\"text\":\"two\\nlines\"}\n\n");
}

TEST(Stream, SaysWhatItDoes) {
  Stream stream("r1");
  stream.start([](Stream& own) {
    own.say("waits");
    own.count("tried", 3);
    until_cancelled(own);
  });
  std::string progress;
  while (progress.find("\"tried\":3") == std::string::npos) {
    const auto event = stream.next(milliseconds(20));
    ASSERT_TRUE(event);
    if (event->starts_with("event: progress")) progress = *event;
  }
  EXPECT_NE(progress.find("\"says\":\"waits\""), std::string::npos) << progress;
  EXPECT_NE(progress.find("\"seconds\":"), std::string::npos) << progress;
}

TEST(Stream, SaysThatItWasCancelled) {
  Stream stream("r1");
  stream.start(until_cancelled);
  stream.stop();
  EXPECT_EQ(names_of(stream), (std::vector<std::string>{"started", "cancelled", "ended"}));
}

TEST(Stream, SaysWhatBroke) {
  Stream stream("r1");
  stream.start([](Stream&) { throw std::runtime_error("a rule"); });
  EXPECT_EQ(names_of(stream), (std::vector<std::string>{"started", "failed", "ended"}));
}

TEST(Stream, TellsAnAnswerUnlessItWasCancelled) {
  Stream told("r1");
  told.start([](Stream& own) {
    tell(own, "exported", codec::Json{{"one", 1}});
    tell(own, "exported", Error{"a sentence"});
    own.stop();
    tell(own, "exported", codec::Json{{"two", 2}});
  });
  EXPECT_EQ(names_of(told), (std::vector<std::string>{"started", "exported", "failed", "cancelled", "ended"}));
}

TEST(Streams, CancelsByIdAndBoundsTheirNumber) {
  Streams streams;
  std::vector<std::shared_ptr<Stream>> open;
  while (const auto stream = streams.open(until_cancelled)) open.push_back(stream);
  EXPECT_EQ(open.size(), 8U);
  EXPECT_FALSE(streams.cancel("r99"));
  EXPECT_TRUE(streams.cancel(open[2]->id()));
  EXPECT_EQ(names_of(*open[2]), (std::vector<std::string>{"started", "cancelled", "ended"}));
  EXPECT_FALSE(open[3]->cancel().asked());
  streams.close(open[2]->id());
  EXPECT_FALSE(streams.cancel(open[2]->id()));
  EXPECT_NE(streams.open(until_cancelled), nullptr);
  streams.stop_all();
  EXPECT_TRUE(open[3]->cancel().asked());
}

}  // namespace
}  // namespace jp::explore
