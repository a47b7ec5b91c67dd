// A model of a campaign: planted faults that show when a program has their trigger, found by programs that are drawn by
// chance and by programs that are drawn under the guide of coverage. No torch, no mutations; as many tests each.
//
//   guide_model FAULTS TESTS REPETITIONS FIRST [EPOCH]
//   guide_model programs none|coverage TESTS SEED [EPOCH]      the programs alone: [{"source": text}, ...]
//
// Faults are drawn for each repetition (seeds FIRST, FIRST + 1, ...), a quarter of each kind: an edge between two
// operators; an edge over a value of one dtype; an operator whose result has one dtype and shape class; three operators
// in one program. Dtypes and edges are those that draws of the operators alone show as possible. Prints one JSON object
// {"none": [faults found, by repetition], "coverage": [...]}.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "campaign/common/epochs.h"
#include "campaign/feedback/guide.h"
#include "campaign/sources/seed_source.h"
#include "seedgen/bases/members.h"
#include "seedgen/generate.h"
#include "seedgen/measure/metrics.h"

namespace {

using namespace jp;

struct Fault {
  enum class Kind : std::uint8_t { kEdge, kTypedEdge, kForm, kThree };
  Kind kind = Kind::kEdge;
  std::array<int, 3> operators = {-1, -1, -1};
  int dtype = -1;
  int rank = -1;
};

struct Edge {
  int from = -1;
  int to = -1;
  int dtype = -1;
  auto operator<=>(const Edge&) const = default;
};

struct Form {
  int op = -1;
  int dtype = -1;
  int rank = -1;
  auto operator<=>(const Form&) const = default;
};

// What a program has that faults look at.
struct Shown {
  std::set<int> operators;
  std::set<Edge> edges;
  std::set<Form> forms;
};

Shown shown_by(const Graph& graph) {
  Shown shown;
  std::vector<int> producers(graph.values.size(), -1);
  for (const Call& call : graph.calls) {
    const int op = seedgen::member_number(call.op);
    shown.operators.insert(op);
    for (int operand : operands(call)) {
      const int from = producers[static_cast<std::size_t>(operand)];
      const int dtype = static_cast<int>(graph.values[static_cast<std::size_t>(operand)].dtype);
      if (from >= 0) shown.edges.insert({{from, op, -1}, {from, op, dtype}});
    }
    for (int output : call.outputs) {
      const GraphValue& value = graph.values[static_cast<std::size_t>(output)];
      producers[static_cast<std::size_t>(output)] = op;
      shown.forms.insert({op, static_cast<int>(value.dtype), value.shape.size()});
    }
  }
  return shown;
}

bool shows(const Shown& shown, const Fault& fault) {
  const auto& [a, b, c] = fault.operators;
  switch (fault.kind) {
    case Fault::Kind::kEdge:
    case Fault::Kind::kTypedEdge:
      return shown.edges.contains({a, b, fault.dtype});
    case Fault::Kind::kForm:
      return shown.forms.contains({a, fault.dtype, fault.rank});
    case Fault::Kind::kThree:
      return shown.operators.contains(a) && shown.operators.contains(b) && shown.operators.contains(c);
  }
  return false;
}

const std::vector<seedgen::OperatorProfile>& profiles() {
  static const std::vector<seedgen::OperatorProfile> all = [] {
    std::vector<seedgen::OperatorProfile> made;
    for (const seedgen::Member& member : seedgen::all_members())
      made.push_back(seedgen::profile_of(member, seedgen::all_members()));
    return made;
  }();
  return all;
}

int draw_bit(Choices& choices, std::uint32_t bits) {
  std::vector<int> set;
  for (int i = 0; i < 32; ++i)
    if (bits >> i & 1U) set.push_back(i);
  return choices.pick(set);
}

Fault draw_fault(Choices& choices, Fault::Kind kind) {
  for (;;) {
    Fault fault{.kind = kind};
    for (int& op : fault.operators) op = static_cast<int>(choices.below(profiles().size()));
    const seedgen::OperatorProfile& first = profiles()[static_cast<std::size_t>(fault.operators[0])];
    const std::uint32_t common = first.gives & profiles()[static_cast<std::size_t>(fault.operators[1])].takes;
    // Exact or not is all the same here.
    auto dtypes = [](std::uint32_t kinds) { return (kinds | kinds >> 16) & 0xffff; };
    const bool edge = kind == Fault::Kind::kEdge || kind == Fault::Kind::kTypedEdge;
    if (edge && common == 0) continue;
    if (kind == Fault::Kind::kTypedEdge) fault.dtype = draw_bit(choices, dtypes(common));
    if (kind == Fault::Kind::kForm) {
      fault.dtype = draw_bit(choices, dtypes(first.gives));
      fault.rank = static_cast<int>(choices.below(seedgen::kMaxRank + 1));
    }
    return fault;
  }
}

std::vector<Fault> draw_faults(std::uint64_t seed, int count) {
  Choices choices = Choices(seed).fork("faults");
  std::vector<Fault> faults;
  for (int i = 0; i < count; ++i) faults.push_back(draw_fault(choices, static_cast<Fault::Kind>(i % 4)));
  return faults;
}

struct Sizes {
  int faults = 0;
  std::uint64_t tests = 0;
  campaign::Epochs epochs;
};

// The programs of a campaign of that seed, as campaigns draw their seeds.
void draw_programs(std::uint64_t seed, const Sizes& sizes, bool guided,
                   const std::function<void(const Program&)>& take) {
  const auto seed_source = campaign::generated_source(seedgen::GenerateOptions{}.operators);
  std::map<std::uint64_t, campaign::GuideRow> rows;
  campaign::GuideTable table;
  std::int64_t dropped = 0;
  for (std::uint64_t test = 0; test < sizes.tests; ++test) {
    const Choices choices = Choices(seed).fork("test", test);
    const std::uint64_t epoch = sizes.epochs.of(test);
    if (test == sizes.epochs.begin(epoch) && epoch >= 2)
      table.learn(rows, sizes.epochs.begin(epoch - 2), sizes.epochs.begin(epoch - 1));
    const Program program = guided ? *campaign::draw_guided_seed(*seed_source, choices, 0, table, dropped)
                                   : seed_source->seed(campaign::drawn_number(choices, 0));
    rows[test] = {test, program.lineage().seed, {}};
    take(program);
  }
}

// Distinct faults that such a campaign sees.
int found(std::uint64_t seed, const Sizes& sizes, bool guided) {
  std::vector<Fault> left = draw_faults(seed, sizes.faults);
  draw_programs(seed, sizes, guided, [&](const Program& program) {
    const Seed& made = program.lineage().seed;
    seedgen::GenerateOptions options{.operators = made.operators};
    options.refused = made.refused;
    const Shown shown = shown_by(seedgen::generate_graph(made.seed, options));
    std::erase_if(left, [&](const Fault& fault) { return shows(shown, fault); });
  });
  return sizes.faults - static_cast<int>(left.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(
        stderr,
        "usage: guide_model FAULTS TESTS REPETITIONS FIRST [EPOCH], or programs none|coverage TESTS SEED [EPOCH]\n");
    return 2;
  }
  const bool programs = std::string_view(argv[1]) == "programs";
  const Sizes sizes = {std::atoi(argv[1]), std::strtoull(argv[programs ? 3 : 2], nullptr, 10),
                       campaign::Epochs(argc > 5 ? std::strtoull(argv[5], nullptr, 10) : campaign::Epochs::kSize)};
  if (programs) {
    nlohmann::json sources = nlohmann::json::array();
    draw_programs(std::strtoull(argv[4], nullptr, 10), sizes, std::string_view(argv[2]) == "coverage",
                  [&](const Program& program) {
                    sources.push_back({{"source", program.source()}});
                  });
    fmt::print("{}\n", sources.dump());
    return 0;
  }
  nlohmann::json result = {{"none", nlohmann::json::array()}, {"coverage", nlohmann::json::array()}};
  const std::uint64_t first = std::strtoull(argv[4], nullptr, 10);
  for (std::uint64_t seed = first; seed < first + std::strtoull(argv[3], nullptr, 10); ++seed) {
    result["none"].push_back(found(seed, sizes, false));
    result["coverage"].push_back(found(seed, sizes, true));
  }
  fmt::print("{}\n", result.dump());
  return 0;
}
