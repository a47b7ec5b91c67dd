// Prints what draws of each operator give, as a JSON line an operator: {"op", "calls", "operands", "results"}, which
// check_complete.py compares with what torch offers.
//
//   calls_dump COUNT [OPERATOR…]
//
// COUNT draws of each operator, alone or after two others. `calls` has every different call: names of tensors are `a`,
// integers 0 and fractions 0.5. `operands` has the dtypes of the first three tensors that calls read, `results` those
// of what they give.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "seedgen/bases/members.h"
#include "seedgen/text/emit.h"

namespace {

using namespace jp;

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// One word of a call without what tells two draws of it apart.
std::string generalised(std::string_view word) {
  const bool value = word.size() > 1 && word[0] == 'v' && is_digit(word[1]);
  if (value) {
    const std::size_t dot = word.find('.');
    return fmt::format("a{}", dot == std::string_view::npos ? "" : word.substr(dot));
  }
  if (!is_digit(word[0])) return std::string(word);
  return word.find_first_of(".e") == std::string_view::npos ? "0" : "0.5";
}

std::string generalised_call(std::string_view text) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    if (!in_word(text[at])) {
      made += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && in_word(text[end])) ++end;
    made += generalised(text.substr(at, end - at));
    at = end;
  }
  return made;
}

struct Drawn {
  std::set<std::string> calls;
  std::vector<std::set<std::string>> operands;  // by position
  std::set<std::string> results;
};

void draw(const seedgen::Member& member, std::uint64_t seed, Drawn& drawn) {
  Choices choices(seed);
  seedgen::Draft draft(choices, choices.chance(1, 2) ? 970 : 300);
  const auto& members = seedgen::all_members();
  for (int i = choices.chance(1, 3) ? 0 : 2; i < 2; ++i) {
    const seedgen::Member& other = choices.pick(members);
    other.family->draw(draft, other.index);
  }
  member.family->draw(draft, member.index);
  const Graph& graph = draft.graph();
  const Call& call = graph.calls.back();
  const auto dtype = [&](int id) { return std::string(dtype_name(graph.values[static_cast<std::size_t>(id)].dtype)); };
  for (const std::string& text : seedgen::call_texts(call)) drawn.calls.insert(generalised_call(text));
  const std::vector<int> read = operands(call);
  for (std::size_t at = 0; at < std::min<std::size_t>(read.size(), 3); ++at) {
    if (at == drawn.operands.size()) drawn.operands.emplace_back();
    drawn.operands[at].insert(dtype(read[at]));
  }
  for (int id : call.outputs) drawn.results.insert(dtype(id));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    fmt::print(stderr, "usage: calls_dump COUNT [OPERATOR…]\n");
    return 2;
  }
  const std::uint64_t count = std::strtoull(argv[1], nullptr, 10);
  for (const seedgen::Member& member : seedgen::members_named({argv + 2, argv + argc})) {
    CheckContext context(fmt::format("operator {}", member.id));
    Drawn drawn;
    for (std::uint64_t seed = 0; seed < count; ++seed) draw(member, seed, drawn);
    const nlohmann::json line = {
        {"op", member.id}, {"calls", drawn.calls}, {"operands", drawn.operands}, {"results", drawn.results}};
    fmt::print("{}\n", line.dump());
  }
  return 0;
}
