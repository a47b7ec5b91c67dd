// The names that a person would choose.
#include "oracle/reduce/names.h"

#include <gtest/gtest.h>

#include "helpers.h"
#include "oracle/reduce/edits.h"

namespace jp::reduce {
namespace {

using testing::parsed_from;

std::string named(const std::string& source) {
  const Parsed parsed = parsed_from(source);
  const auto edits = plain_names(parsed);
  if (!edits) return source;
  const auto named = apply(parsed, *edits);
  return named ? named->source() : "";
}

TEST(PlainNames, ParametersThenVariablesInTheirOrder) {
  EXPECT_EQ(named("import torch\n\n\ndef program(z, v17):\n    v29 = torch.relu(v17)\n    e = v29 + z\n    return e\n"),
            "import torch\n\n\ndef program(x, y):\n    a = torch.relu(y)\n    b = a + x\n    return b\n");
}

TEST(PlainNames, NamesChangePlaces) {
  EXPECT_EQ(named("def program(y, x):\n    return y - x\n"), "def program(x, y):\n    return x - y\n");
}

TEST(PlainNames, TheEntryComesFirst) {
  EXPECT_EQ(named("def make_inputs():\n    a = 1\n    return (a,)\n\n\ndef program(x):\n    t = x\n    return t\n"),
            "def make_inputs():\n    b = 1\n    return (b,)\n\n\ndef program(x):\n    a = x\n    return a\n");
}

TEST(PlainNames, WhatHasThemStays) {
  const std::string plain = "import torch\n\n\ndef program(x, y):\n    a = torch.relu(x)\n    return a + y\n";
  EXPECT_FALSE(plain_names(parsed_from(plain)));
}

TEST(PlainNames, NamesOfOthersAreNotTaken) {
  // A keyword keeps its name, and so does a name that nothing in the file binds.
  EXPECT_EQ(named("def program(v):\n    return f(v, x=1) + x\n"), "def program(y):\n    return f(y, x=1) + x\n");
}

TEST(PlainNames, AreAnEnd) {
  for (const auto& file : testing::program_files()) {
    const Parsed start = parsed_from(testing::read_file(file));
    const auto edits = plain_names(start);
    if (!edits) continue;
    const auto once = apply(start, *edits);
    ASSERT_TRUE(once) << file;
    EXPECT_FALSE(plain_names(*once)) << file << "\n" << once->source();
  }
}

}  // namespace
}  // namespace jp::reduce
