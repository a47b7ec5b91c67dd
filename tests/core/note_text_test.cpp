// Notes: every value comes back from its text, and no text is harmful.
#include "core/note_text.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "core/choices.h"

namespace jp {
namespace {

struct Inner {
  std::string name;
  std::vector<std::int64_t> shape;

  auto fields() { return std::tie(name, shape); }
  bool fits() const { return shape.size() < 4; }
};
struct Outer {
  Dtype dtype = Dtype::kFloat32;
  bool flag = false;
  std::optional<Inner> one;
  std::vector<Inner> many;
  std::optional<std::string> text;
  std::pair<std::size_t, std::vector<std::string>> both;

  auto fields() { return std::tie(dtype, flag, one, many, text, both); }
};

std::vector<Outer> samples() {
  return {
      {},
      {Dtype::kBool, true, Inner{"v0", {3, 4}}, {{"", {}}, {"x y", {-1}}}, "-", {7, {"a", "(", "\"\\", "\n$0$ = b"}}},
      {Dtype::kBFloat16, false, Inner{"yes", {}}, {}, "", {0, {}}}};
}

TEST(NoteText, IsShortAndPlain) {
  EXPECT_EQ(note_text(samples()[1]),
            "(bool yes (v0 [3 4]) [(\"\" []) (\"x y\" [-1])] \"-\" (7 [a \"(\" \"\\\"\\\\\" \"\n$0$ = b\"]))");
  EXPECT_EQ(note_text(std::string("v0[1, 2].item()")), "v0[1, 2].item()");
  EXPECT_EQ(note_text(std::optional<Dtype>()), "");
  EXPECT_EQ(note_text(std::optional(Dtype::kInt8)), "int8");
  EXPECT_EQ(note_text(true), "yes");
}

TEST(NoteText, ComesBack) {
  for (const Outer& value : samples()) {
    const std::string text = note_text(value);
    EXPECT_EQ(note_text(read_note<Outer>(text)), text);
    EXPECT_EQ(note_text(read_note<std::optional<Outer>>(text)), text);
  }
  EXPECT_EQ(read_note<std::int64_t>("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(read_note<std::string>(" as it is\n"), " as it is\n");
  EXPECT_TRUE(read_note<bool>(" yes "));
}

TEST(NoteText, WhatDoesNotFitIsNothing) {
  for (const char* text : {"", "-", "(", "()", "(v0)", "(v0 [3 4)", "(v0 [3 4]", "(v0 [3 4]) 1", "(v0 [3,4])",
                           "v0 [3 4]", "(v0 [99999999999999999999])", "(v0 [1.5])", "(v0 [x])", "(v0 [1 2 3 4])",
                           "(\"v0 [3 4])", "(v0 \"[3 4]\")", "(v-0 [])", "[v0 [3 4]]"})
    EXPECT_FALSE(read_note<std::optional<Inner>>(text)) << text;
  for (const char* text : {"", "true", "1", "y", "no", "yes yes"}) EXPECT_FALSE(read_note<bool>(text)) << text;
  EXPECT_EQ(read_note<std::size_t>("-1"), 0u);
  EXPECT_FALSE(read_note<std::optional<Dtype>>("float99"));
}

// Cut off anywhere, or with any byte changed: what is still read is what its own text says.
TEST(NoteText, DamageIsHarmless) {
  for (const Outer& value : samples()) {
    const std::string text = note_text(value);
    for (std::size_t i = 0; i < text.size(); ++i) {
      EXPECT_FALSE(read_note<std::optional<Outer>>(text.substr(0, i)));
      for (const char by : {' ', '(', ')', '[', ']', '"', '\\', '-', '9', 'n', '\0', '\xff'}) {
        std::string changed = text;
        changed[i] = by;
        if (auto read = read_note<std::optional<Outer>>(changed)) {
          EXPECT_EQ(note_text(read_note<Outer>(note_text(*read))), note_text(*read)) << changed;
        }
      }
    }
  }
}

TEST(Choices, NotesOfDrawsReplayWithoutThem) {
  Choices live(7);
  const auto drawn = live.note_drawn([](Choices& inner) { return std::optional(inner.below(1000)); });
  const std::uint64_t behind = live.below(1000);
  Choices replayed = Choices::replay(live.draws());
  EXPECT_EQ(replayed.note_drawn([](Choices&) -> std::optional<std::uint64_t> { throw 1; }), drawn);
  EXPECT_EQ(replayed.below(1000), behind);
  EXPECT_EQ(replayed.draws(), live.draws());
}

}  // namespace
}  // namespace jp
