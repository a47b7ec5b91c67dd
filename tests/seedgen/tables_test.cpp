// Tables: the same cell is the same program, cells differ, and a seed gives its program again.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "seedgen/bases/table.h"
#include "seedgen/generate.h"

namespace jp::seedgen {
namespace {

std::vector<const Table*> tables() { return Registry<Table>::instance().all(); }

std::uint64_t some(const Table& table, std::uint64_t i) { return i * table.size() / 200; }

TEST(Tables, CellsAreProgramsThatDiffer) {
  ASSERT_FALSE(tables().empty());
  for (const Table* table : tables()) {
    SCOPED_TRACE(table->name());
    EXPECT_FALSE(table->varies().empty());
    std::set<std::string> texts;
    std::set<std::uint64_t> cells;
    for (std::uint64_t i = 0; i < 200; ++i) cells.insert(some(*table, i));
    for (std::uint64_t cell : cells) {
      const std::string text = table->text(cell);
      EXPECT_TRUE(text.starts_with("import torch\n")) << text;
      EXPECT_NE(text.find("def program("), std::string::npos) << text;
      EXPECT_EQ(text.find('\t'), std::string::npos) << text;
      EXPECT_EQ(text.back(), '\n') << text;
      texts.insert(text);
    }
    EXPECT_EQ(texts.size(), cells.size());
  }
}

TEST(Tables, ASeedGivesItsProgramAgain) {
  for (const Table* table : tables()) {
    const Program program = table_program(*table, table->size() - 1).value();
    const Seed& seed = program.lineage().seed;
    EXPECT_EQ(seed.origin, Seed::Origin::kTable);
    EXPECT_EQ(seed.table, table->name());
    EXPECT_EQ(regenerate(seed).value().source(), program.source());
  }
}

TEST(Tables, WhatIsGoneIsSaid) {
  const Table& table = *tables().front();
  EXPECT_FALSE(table_program(table, table.size()).ok());
  Seed seed = table_program(table, 0).value().lineage().seed;
  seed.table = "none";
  EXPECT_FALSE(regenerate(seed).ok());
  seed = table_program(table, 0).value().lineage().seed;
  ++seed.generator_version;
  EXPECT_FALSE(regenerate(seed).ok());
}

// Three lengths of which every fourth combination is left out.
class Small : public Grid {
 public:
  std::string_view name() const override { return "small"; }
  std::string_view varies() const override { return "three digits"; }

 protected:
  At lengths() const override { return {2, 3, 2}; }
  bool defined(const At& at) const override { return at[1] != 1 || at[2] != 0; }
  std::string text_at(const At& at) const override {
    std::string digits;
    for (std::size_t digit : at) digits += static_cast<char>('0' + digit);
    return digits;
  }
};

TEST(Grid, TheLastAxisRunsFastestAndGapsAreLeftOut) {
  const Small small;
  std::vector<std::string> texts;
  for (std::uint64_t i = 0; i < small.size(); ++i) texts.push_back(small.text(i));
  EXPECT_EQ(texts, (std::vector<std::string>{"000", "001", "011", "020", "021", "100", "101", "111", "120", "121"}));
}

TEST(Sheet, PartsStandInOrder) {
  EXPECT_EQ(print({.head = "K = 1\n",
                   .inputs = "return (1,)\n",
                   .parameters = "x",
                   .body = "if x:\n\n    return K\n",
                   .foot = "L = 2\n"}),
            "import torch\n\n\nK = 1\n\n\ndef make_inputs():\n    return (1,)\n\n\n"
            "def program(x):\n    if x:\n\n        return K\n\n\nL = 2\n");
}

}  // namespace
}  // namespace jp::seedgen
