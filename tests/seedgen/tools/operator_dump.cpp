// Prints programs of every operator, as JSON lines {"seed", "source", "values", "calls"} for check_programs.py: one
// call of it alone, or behind two calls of any operators.
//
//   operator_dump FIRST COUNT [FAMILY…] [--text]
//
// COUNT programs of each operator, by default of all families. `--text` prints the programs themselves.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "seedgen/bases/operator.h"
#include "seedgen/generate.h"

namespace {

using namespace jp;

Graph draw(const seedgen::Operator& family, std::size_t member, std::uint64_t seed) {
  Choices choices(seed);
  bool alone = !choices.chance(1, 3);
  seedgen::Draft draft(choices, choices.chance(1, 2) ? 970 : 500);
  auto families = Registry<seedgen::Operator>::instance().all();
  for (int i = alone ? 2 : 0; i < 2; ++i) {
    const seedgen::Operator& other = *families[choices.below(families.size())];
    other.draw(draft, choices.below(other.members().size()));
  }
  family.draw(draft, member);
  return draft.finish();
}

void print(const Graph& graph, std::uint64_t seed, std::string_view member, bool text) {
  Choices words = Choices(seed).fork("text");
  std::string source = seedgen::emit(graph, words);
  if (text) {
    fmt::print("# {}, seed {}\n{}\n", member, seed, source);
    return;
  }
  nlohmann::json calls = nlohmann::json::array();
  for (const Call& call : graph.calls) calls.push_back(std::string(call.op));
  nlohmann::json line = {{"seed", fmt::format("{} of {}", seed, member)},
                         {"source", source},
                         {"calls", calls},
                         {"values", nlohmann::json::parse(seedgen::describe_values(graph))}};
  fmt::print("{}\n", line.dump());
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  bool text = std::erase(words, "--text") > 0;
  if (words.size() < 2) {
    fmt::print(stderr, "usage: operator_dump FIRST COUNT [FAMILY…] [--text]\n");
    return 2;
  }
  std::uint64_t first = std::strtoull(words[0].c_str(), nullptr, 10);
  std::uint64_t count = std::strtoull(words[1].c_str(), nullptr, 10);
  for (const seedgen::Operator* family : Registry<seedgen::Operator>::instance().all()) {
    if (words.size() > 2 && std::find(words.begin() + 2, words.end(), family->name()) == words.end()) continue;
    std::vector<std::string_view> members = family->members();
    for (std::size_t member = 0; member < members.size(); ++member)
      for (std::uint64_t seed = first; seed < first + count; ++seed) {
        CheckContext context(fmt::format("seed {}, operator {}", seed, members[member]));
        print(draw(*family, member, seed), seed, members[member], text);
      }
  }
  return 0;
}
