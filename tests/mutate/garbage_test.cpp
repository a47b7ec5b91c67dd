// Where garbage stands, and garbage that is replaced by the constant that it is.
#include "helpers.h"

namespace jp::mutate {
namespace {

const char* const kProgram = R"(import torch
def program(v0, v1):
    v2 = torch.relu(v1)
    return v0 + v2
)";

Facts facts_of_program() {
  Facts facts;
  facts.calls = 1;
  std::int64_t storage = 0;
  for (const char* name : {"v0", "v1", "v2"}) {
    const NameFacts known = testing::tensor_facts({3, 4}, storage++);
    for (const char* statement : {"s2", "s3"}) {
      const bool bound = std::string(statement) != "s2" || std::string(name) != "v2";
      if (bound) facts.before[statement].set(name, known);
      facts.after[statement].set(name, known);
    }
  }
  return facts;
}

/// The program that the mutation makes at the site, with its garbage replaced by a constant; "" where it has none.
std::string with_constant(const Parsed& parsed, const std::string& id, const Site& site, std::uint64_t seed) {
  const Mutation& mutation = *Mutations::instance().find(id);
  const Facts facts = facts_of_program();
  Choices choices(seed);
  if (mutation.rewrite(parsed, facts, site, choices, 1).empty()) return "";
  const Step step{.number = 1, .mutation = id, .site = site, .draws = choices.draws()};
  const std::optional<Step> constant = mutation.as_constant(step);
  if (!constant) return "";
  Choices again = Choices::replay(constant->draws);
  return mutation.rewrite(parsed, facts, site, again, 1).apply(kProgram);
}

TEST(Garbage, BecomesAConstantWhereItsNameIsReadOrWritten) {
  const Parsed parsed = testing::parsed_from(kProgram);
  const std::vector<std::pair<Site, std::string>> expected = {{{"s3", "read0"}, "return (v0 + 0) + v2"},
                                                              {{"s3", "read1"}, "return v0 + (v2 + 0)"},
                                                              {{"s2", ""}, "v2 = v2 + 0"}};
  for (const char* id : {"zero_garbage", "zero_garbage_here"}) {
    for (const auto& [site, text] : expected) {
      int made = 0;
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        const std::string program = with_constant(parsed, id, site, seed);
        if (program.empty()) continue;
        ++made;
        EXPECT_NE(program.find(text), std::string::npos) << id << " at " << site.path << ": " << program;
      }
      EXPECT_GT(made, 50) << id << " at " << site.path;
    }
  }
}

// The sum of a tensor with gaps has none, and slice_scatter gives the operand's own strides.
TEST(Garbage, IsNotAddedWhereAnOperatorKeepsTheStridesOfATensorWithGaps) {
  for (const auto& [read, sites] : std::vector<std::pair<std::string, std::size_t>>{
           {"torch.relu(v0)", 1}, {"torch.slice_scatter(v0, v1, 0, 1, 2)", 1}}) {
    const Parsed parsed = testing::parsed_from("import torch\ndef program(v0, v1):\n    return " + read + "\n");
    for (const bool gaps : {false, true}) {
      Facts facts;
      facts.calls = 1;
      NameFacts known = testing::tensor_facts({3, 4}, 0);
      if (gaps) known.strides = {8, 2};
      facts.before["s2"].set("v0", known);
      facts.after["s2"].set("v0", known);
      const bool keeps = gaps && read.find("scatter") != std::string::npos;
      EXPECT_EQ(Mutations::instance().find("zero_garbage")->sites(parsed, facts).size(), keeps ? 0 : sites) << read;
    }
  }
}

}  // namespace
}  // namespace jp::mutate
