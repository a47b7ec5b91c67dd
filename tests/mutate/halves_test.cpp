// The two halves of a write that is undone are placed by draws of their own.
#include <map>
#include <set>

#include "helpers.h"

namespace jp::mutate {
namespace {

const char* const kProgram = R"(import torch
def program(v0, v1):
    v2 = torch.relu(v1)
    v3 = torch.relu(v2)
    return v0 + v3
)";

Facts facts_of_program() {
  Facts facts;
  facts.calls = 1;
  std::int64_t storage = 0;
  for (const char* name : {"v0", "v1", "v2", "v3"}) {
    const NameFacts known = testing::tensor_facts({3, 4}, storage++);
    for (const char* statement : {"s2", "s3", "s4"}) {
      if (std::string(statement) == "s2" && storage > 2) continue;  // not bound yet
      facts.before[statement].set(name, known);
      facts.after[statement].set(name, known);
    }
  }
  return facts;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The word that opens the block around the first line that has one of the texts: "def" in a nested function, "program"
/// where no block is around it.
std::string place_of(const std::vector<std::string>& lines, const std::vector<std::string>& texts) {
  const auto has = [&](const std::string& line) {
    return std::any_of(texts.begin(), texts.end(), [&](const std::string& text) { return line.ends_with(text); });
  };
  auto at = std::find_if(lines.begin(), lines.end(), has);
  if (at == lines.end()) return "";
  const std::size_t depth = at->find_first_not_of(' ');
  while (at->find_first_not_of(' ') >= depth) --at;
  const std::size_t outer = at->find_first_not_of(' ');
  return outer == 0 ? "program" : at->substr(outer, at->find_first_of(" :", outer) - outer);
}

/// How often the two halves of a write at "s2" land at each pair of places.
std::map<std::pair<std::string, std::string>, int> places_of(const std::string& name, std::uint64_t draws) {
  const Parsed parsed = testing::parsed_from(kProgram);
  const Facts facts = facts_of_program();
  const Mutation& mutation = *Mutations::instance().find(name);
  std::map<std::pair<std::string, std::string>, int> places;
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    Choices choices(seed);
    const EditSet edits = mutation.rewrite(parsed, facts, {"s2", ""}, choices, 1);
    const std::vector<std::string> lines = lines_of(edits.apply(kProgram));
    ++places[{place_of(lines, {".clone()", ".item()"}), place_of(lines, {"= b1", "_(b1)"})}];
  }
  return places;
}

TEST(Halves, EachIsPlacedByADrawOfItsOwn) {
  // The rarest pair is drawn once in 400 times.
  constexpr std::uint64_t kDraws = 6000;
  for (const char* mutation : {"mutate_recover", "alias_write"}) {
    auto places = places_of(mutation, kDraws);
    for (const char* first : {"program", "def", "for", "try", "finally", "if"})
      for (const char* second : {"program", "def", "for", "try", "finally", "if"})
        EXPECT_GT((places[{first, second}]), 0) << mutation << ' ' << first << ' ' << second;
    EXPECT_EQ(places.size(), 36U) << mutation;
  }
}

}  // namespace
}  // namespace jp::mutate
