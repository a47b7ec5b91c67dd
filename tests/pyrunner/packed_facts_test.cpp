// A worker's messages may be forged by the program under test: bytes give facts, or an error, and cost little.
#include "pyrunner/packed_facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "codec/codec.h"
#include "pyrunner/facts.h"

namespace jp::pyrunner::test {
namespace {

using codec::Json;

PackedFacts small() {
  NameFacts tensor;
  tensor.kind = "tensor";
  tensor.dtype = Dtype::kBFloat16;
  tensor.shape = {7};
  tensor.strides = {1};
  tensor.elements = {{0, -HUGE_VAL}, {2, 1.5}, {6, std::numeric_limits<double>::quiet_NaN()}};
  NameFacts number;
  number.kind = "int";
  number.literal = "3";
  PackedFacts facts;
  facts.table = {tensor, number};
  facts.names = {"n", "x", "y"};
  facts.items = {{0, 1, -1}, {1, 0, 1}, {2, 0, 1}};
  facts.points = {{0, 1}, {2}, {~0, ~1}, {}};
  facts.before = {{"s1", 0}, {"s2", 1}};
  facts.after = {{"s1", 1}, {"s2", 3}};
  facts.visits = {{"s1", 1}, {"s2", 1}};
  facts.calls = 1;
  return facts;
}

Result<Facts> facts_of(const std::string& bytes) { return read_facts(Json::binary({bytes.begin(), bytes.end()})); }

TEST(PackedFacts, ComeBack) {
  const Result<Facts> facts = facts_of(pack(small()));
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(facts.value().before.at("s1").size(), 2U);
  const NameFacts* x = facts.value().find_after("s1", "x");
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(x->storage, facts.value().find_after("s1", "y")->storage);
  EXPECT_EQ(*x->elements.find(0), -HUGE_VAL);
  EXPECT_EQ(*x->elements.find(2), 1.5);
  EXPECT_TRUE(std::isnan(*x->elements.find(6)));
  EXPECT_EQ(facts.value().find_before("s1", "n")->literal, "3");
  EXPECT_EQ(facts.value().after.at("s2").size(), 1U) << "what is gone is gone";
}

TEST(PackedFacts, CutOrChangedBytes) {
  const std::string bytes = pack(small());
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(facts_of(bytes.substr(0, size)).ok()) << size;
  EXPECT_FALSE(facts_of(bytes + "x").ok());
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ (1 << bit));
      const Result<Facts> facts = facts_of(changed);
      if (!facts.ok()) continue;
      for (const auto& [statement, names] : facts.value().before)
        for (const auto& [name, known] : names)
          for (const auto& [position, value] : known.elements)
            EXPECT_TRUE(!known.shape || known.shape->size() != 1 || position < known.shape->front());
    }
}

TEST(PackedFacts, FewBytesAreNotMany) {
  PackedFacts wide = small();
  wide.table = {NameFacts{.kind = "int"}};
  wide.names.clear();
  wide.items.clear();
  wide.points = {{}};
  for (int i = 0; i < 20'000; ++i) {
    wide.names.push_back(fmt::format("v{}", 100000 + i));
    wide.items.push_back({i, 0, -1});
    wide.points.front().push_back(i);
  }
  for (int i = 0; i < 20'000; ++i) wide.points.push_back({~(i % 2 == 0 ? 0 : 1)});
  EXPECT_FALSE(facts_of(pack(wide)).ok());
  PackedFacts long_text = wide;
  long_text.points = {{}};
  long_text.table.front().literal = std::string(200'000, '1');
  EXPECT_FALSE(facts_of(pack(long_text)).ok());
  std::string forged = pack(PackedFacts());
  forged.assign(1 << 20, '\x7f');
  EXPECT_FALSE(facts_of(forged).ok());
}

std::string packed(const Json& json) {
  std::string bytes;
  Json::to_msgpack(json, bytes);
  return bytes;
}

WireFrame frame_of(const std::string& message, const std::string& attachment = "") {
  return {message + attachment, message.size()};
}

TEST(Answers, WithFactsAttachedOrNothing) {
  const std::string nested(10'000'000, '\x91');
  const Result<Json> whole = read_answer(frame_of(packed({{"retire", false}}), "abc"));
  ASSERT_TRUE(whole.ok());
  const auto& facts = whole.value().at("facts").get_binary();
  EXPECT_EQ(std::string(facts.begin(), facts.end()), "abc");
  const Result<Json> plain = read_answer(frame_of(packed({{"retire", false}})));
  ASSERT_TRUE(plain.ok());
  EXPECT_FALSE(plain.value().contains("facts"));
  EXPECT_FALSE(read_answer(frame_of(packed({{"retire", false}}) + "abc")).ok()) << "bytes behind the message";
  EXPECT_FALSE(read_answer({packed({{"retire", false}}), 3}).ok()) << "a message cut short";
  EXPECT_FALSE(read_answer(frame_of(packed({{"facts", 3U}}), "abc")).ok()) << "facts in the message";
  EXPECT_FALSE(read_answer(frame_of(packed({{"facts", Json::binary({1})}}))).ok());
  EXPECT_FALSE(read_answer(frame_of(nested)).ok());
  EXPECT_FALSE(read_answer(frame_of("\x91\x01")).ok()) << "no object";
  EXPECT_FALSE(read_answer(frame_of("")).ok());
  EXPECT_FALSE(read_answer(frame_of("", "abc")).ok());
}

}  // namespace
}  // namespace jp::pyrunner::test
