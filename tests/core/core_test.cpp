// Invariants of the shared types: draws, edits, programs, hashes.
#include <gtest/gtest.h>

#include "core/check.h"
#include "core/choices.h"
#include "core/dtype.h"
#include "core/edit.h"
#include "core/hash.h"
#include "core/internal_error.h"
#include "core/names.h"
#include "core/program.h"
#include "core/registry.h"
#include "core/utf8.h"
#include "core/verdict.h"

namespace jp {
namespace {

TEST(Hash, Sha256OfKnownTexts) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000, 'a')), "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3");
}

TEST(Utf8, EndsWhereItIsNone) {
  constexpr std::size_t kWhole = std::string_view::npos;
  EXPECT_EQ(invalid_utf8_at(""), kWhole);
  EXPECT_EQ(invalid_utf8_at("more than eight ASCII bytes, é €𝄞\xF4\x8F\xBF\xBF and more"), kWhole);
  for (const char* broken : {"\xff", "\x80", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80",
                             "\xf5\x80\x80\x80", "\xc3("})
    for (std::size_t before = 0; before < 20; ++before) {
      EXPECT_EQ(invalid_utf8_at(std::string(before, 'a') + broken), before) << broken;
      EXPECT_EQ(invalid_utf8_at("é" + std::string(before, 'a') + broken + "é"), before + 2) << broken;
    }
}

TEST(Utf8, IsCutAtWholeCharacters) {
  const std::string_view text = "aé€𝄞";
  const std::vector<std::size_t> sizes = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
  for (std::size_t most = 0; most < sizes.size(); ++most)
    EXPECT_EQ(whole_characters(text, most), text.substr(0, sizes[most])) << most;
  EXPECT_EQ(whole_characters("\xff\xff\xff\xff\xff", 4), "\xff\xff\xff\xff") << "not UTF-8 anyhow";
}

// The stream is a promise: the same seed gives these numbers on every machine, for ever.
TEST(Choices, TheStreamIsPinned) {
  Choices choices(42);
  std::vector<std::uint64_t> drawn;
  for (int i = 0; i < 6; ++i) drawn.push_back(choices.below(1000));
  Choices child = Choices(42).fork("mutate", 3);
  drawn.push_back(child.below(1000));
  Choices again(42);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(again.below(1000), drawn[i]);
  EXPECT_EQ(Choices(42).fork("mutate", 3).below(1000), drawn[6]);
  EXPECT_EQ(drawn, (std::vector<std::uint64_t>{741, 159, 278, 344, 38, 868, 632}));
}

TEST(Choices, DrawsAreUniform) {
  Choices choices(7);
  std::vector<int> counts(7);
  for (int i = 0; i < 70000; ++i) ++counts[choices.below(7)];
  for (int count : counts) EXPECT_NEAR(count, 10000, 400);
  for (int i = 0; i < 1000; ++i) {
    double unit = choices.unit();
    EXPECT_GE(unit, 0);
    EXPECT_LT(unit, 1);
  }
}

TEST(Choices, EndsOfRangesAreReached) {
  Choices choices(1);
  bool low = false, high = false;
  for (int i = 0; i < 200; ++i) {
    std::int64_t drawn = choices.between(-2, 2);
    EXPECT_TRUE(drawn >= -2 && drawn <= 2);
    low |= drawn == -2;
    high |= drawn == 2;
  }
  EXPECT_TRUE(low && high);
  EXPECT_EQ(choices.between(INT64_MIN, INT64_MIN), INT64_MIN);
}

TEST(Choices, ReplayGivesTheRecord) {
  Choices live(99);
  std::vector<std::uint64_t> first;
  for (int i = 1; i < 50; ++i) first.push_back(live.below(static_cast<std::uint64_t>(i)));
  std::string noted = live.note([] { return "from facts"; });
  Choices replayed = Choices::replay(live.draws());
  for (int i = 1; i < 50; ++i) EXPECT_EQ(replayed.below(static_cast<std::uint64_t>(i)), first[i - 1]);
  EXPECT_EQ(replayed.note([]() -> std::string { throw 1; }), noted);
  EXPECT_EQ(replayed.draws(), live.draws());
}

TEST(Choices, ShortOrForeignRecordsStillGiveAStream) {
  Choices replayed = Choices::replay({100, "text", -5});
  EXPECT_EQ(replayed.below(7), 100 % 7);
  EXPECT_EQ(replayed.below(7), 0u);  // a text where a number is wanted
  EXPECT_LT(replayed.below(7), 7u);  // negative
  EXPECT_EQ(replayed.below(7), 0u);  // nothing left
  EXPECT_EQ(replayed.note([] { return "live"; }), "");
}

TEST(Choices, ChildrenAreIndependent) {
  Choices parent(5);
  std::uint64_t before = parent.fork("a").below(1u << 30);
  parent.below(10);
  EXPECT_EQ(parent.fork("a").below(1u << 30), before);
  EXPECT_NE(parent.fork("b").below(1u << 30), before);
  EXPECT_NE(parent.fork("a", 1).below(1u << 30), before);
}

TEST(EditSet, AppliesInOrderAndMapsPositions) {
  EditSet edits;
  edits.replace(4, 6, "XYZ");
  edits.insert(0, "<");
  edits.insert(4, "1");
  edits.insert(4, "2");
  edits.insert(8, ">");
  EXPECT_EQ(edits.apply("01234567"), "<012312XYZ67>");
  EXPECT_EQ(edits.map(0), 1u);
  EXPECT_EQ(edits.map(3), 4u);
  EXPECT_EQ(edits.map(4), std::nullopt);
  EXPECT_EQ(edits.map(5), std::nullopt);
  EXPECT_EQ(edits.map(6), 10u);
}

TEST(EditSet, ConflictsAreRefused) {
  EditSet edits;
  edits.replace(2, 5, "");
  EXPECT_FALSE(edits.add({3, 3, "inside"}));
  EXPECT_FALSE(edits.add({4, 6, "over the end"}));
  EXPECT_FALSE(edits.add({0, 3, "over the begin"}));
  EXPECT_FALSE(edits.add({2, 3, "same begin"}));
  EXPECT_TRUE(edits.add({2, 2, "before"}));
  EXPECT_TRUE(edits.add({5, 5, "behind"}));
  EXPECT_EQ(edits.apply("0123456"), "01beforebehind56");
}

// Random edit sets: a mapped position holds the same byte as before.
TEST(EditSet, MappedBytesAreTheSame) {
  Choices choices(11);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (int i = 0; i < 40; ++i) text += static_cast<char>('a' + i % 26);
    EditSet edits;
    for (int i = 0; i < 6; ++i) {
      std::size_t begin = choices.below(40);
      (void)edits.add(
          {begin, begin + choices.below(std::min<std::uint64_t>(4, 41 - begin)), std::string(choices.below(3), '#')});
    }
    std::string changed = edits.apply(text);
    for (std::size_t at = 0; at < text.size(); ++at) {
      auto moved = edits.map(at);
      if (moved) {
        ASSERT_EQ(changed[*moved], text[at]);
      }
    }
  }
}

TEST(Program, RefusesWhatIsNoText) {
  EXPECT_TRUE(Program::make("x = 'é €𝄞'", {}).ok());
  EXPECT_FALSE(Program::make("x = '\xff'", {}).ok());
  EXPECT_FALSE(Program::make("\xc0\x80", {}).ok());      // overlong
  EXPECT_FALSE(Program::make("\xed\xa0\x80", {}).ok());  // surrogate
  EXPECT_FALSE(Program::make("\xe2\x82", {}).ok());      // cut short
  EXPECT_FALSE(Program::make(std::string("a\0b", 3), {}).ok());
  EXPECT_FALSE(Program::make(std::string(kMaxProgramBytes + 1, ' '), {}).ok());
  EXPECT_TRUE(Program::make(std::string(kMaxProgramBytes, ' '), {}).ok());
  EXPECT_FALSE(Program::make("", {}, "", "").ok());
}

TEST(Dtype, NamesAndSizesFit) {
  EXPECT_EQ(all_dtypes().size(), 12u);
  for (Dtype dtype : all_dtypes()) {
    EXPECT_EQ(parse_dtype(dtype_name(dtype)), dtype);
    EXPECT_EQ(is_integral(dtype), epsilon(dtype) == 0);
    EXPECT_EQ(1, int{is_integral(dtype)} + int{is_floating(dtype)} + int{is_complex(dtype)});
  }
  EXPECT_EQ(parse_dtype("torch.bfloat16"), Dtype::kBFloat16);
  EXPECT_FALSE(parse_dtype("float8_e4m3fn"));
  EXPECT_EQ(dtype_size(Dtype::kComplex128), 16);
}

// The place, what broke, and what was being worked on, in one line; the text of a scope that was left is gone.
TEST(Check, ThrowsWhatIsNeededToRepeatIt) {
  std::string text;
  try {
    const CheckContext outer("seed 7, test 12");
    const CheckContext inner("seed 7, call 3\noperator add");
    JP_CHECK(1 + 1 == 3, "a sum of {}", 2);
  } catch (const InternalError& error) {
    text = error.what();
  }
  EXPECT_TRUE(text.starts_with("internal error at ")) << text;
  EXPECT_NE(text.find("core_test.cpp:"), std::string::npos) << text;
  EXPECT_NE(text.find("a sum of 2 (1 + 1 == 3), while working on seed 7, call 3 operator add"), std::string::npos)
      << text;
  try {
    JP_CHECK(false, "again");
  } catch (const InternalError& error) {
    EXPECT_EQ(std::string(error.what()).find("working on"), std::string::npos) << error.what();
  }
}

struct Rule {
  virtual ~Rule() = default;
  virtual std::string_view name() const = 0;
};
struct Named : Rule {
  explicit Named(std::string_view text) : text_(text) {}
  std::string_view name() const override { return text_; }
  std::string_view text_;
};

TEST(Registry, SortsByNameAndRefusesDuplicates) {
  Registry<Rule> registry;
  registry.add(std::make_unique<Named>("b"));
  registry.add(std::make_unique<Named>("a"));
  ASSERT_EQ(registry.all().size(), 2u);
  EXPECT_EQ(registry.all()[0]->name(), "a");
  EXPECT_EQ(registry.find("c"), nullptr);
  EXPECT_THROW(registry.add(std::make_unique<Named>("a")), InternalError);
}

TEST(Signature, IdDependsOnEveryPart) {
  Signature base{.version = 1, .backend = "eager", .stage = "dynamo", .kind = "value", .frames = {"a"}};
  Signature other = base;
  EXPECT_EQ(base.id(), other.id());
  EXPECT_EQ(base.id().size(), 16u);
  other.frames = {"b"};
  EXPECT_NE(base.id(), other.id());
  other = base;
  other.version = 2;
  EXPECT_NE(base.id(), other.id());
}

NameFacts of_kind(const std::string& kind) {
  NameFacts facts;
  facts.kind = kind;
  return facts;
}

TEST(Names, AreAMapThatCopiesShare) {
  Names names = {{"b", of_kind("int")}, {"d", of_kind("str")}};
  const Names before = names;
  names.set("c", of_kind("list"));
  names.set("a", of_kind("dict"));
  names.set("d", of_kind("float"));
  std::string order;
  for (const auto& [name, known] : names) order += name + " " + known.kind + ", ";
  EXPECT_EQ(order, "a dict, b int, c list, d float, ");
  EXPECT_EQ(before.size(), 2u) << "a copy stays as it was";
  EXPECT_EQ(before.at("d").kind, "str");
  EXPECT_EQ(&before.at("b"), &names.at("b")) << "what didn't change is shared";
  EXPECT_FALSE(before.contains("c"));
  EXPECT_EQ(names.find("bb"), names.end());
  EXPECT_EQ(Names().begin(), Names().end());
  EXPECT_THROW((void)names.at("e"), std::out_of_range);
  EXPECT_FALSE(names == before);
  names = before;
  EXPECT_TRUE(names == before);
}

TEST(Verdict, WeakClassesAreTheLastOnes) {
  EXPECT_FALSE(is_weak(Mismatch::kValue));
  EXPECT_FALSE(is_weak(Mismatch::kAccepts));
  EXPECT_TRUE(is_weak(Mismatch::kStrides));
  EXPECT_TRUE(is_weak(Mismatch::kErrorClass));
  EXPECT_EQ(mismatch_name(Mismatch::kErrorClass), "error_class");
}

}  // namespace
}  // namespace jp
