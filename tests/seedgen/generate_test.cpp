// Properties of whole programs, over many seeds and every registered operator.
#include "seedgen/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <set>

#include "core/hash.h"
#include "seedgen/bases/operator.h"

namespace jp::seedgen {
namespace {

std::string source_of(std::uint64_t seed, int operators = 20) {
  Result<Program> program = generate(seed, {.operators = operators});
  EXPECT_TRUE(program.ok());
  return program.value().source();
}

TEST(Generate, SameSeedSameBytes) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(source_of(seed), source_of(seed));
}

TEST(Generate, OtherSeedsOtherPrograms) {
  std::set<std::string> sources;
  for (std::uint64_t seed = 0; seed < 500; ++seed) sources.insert(source_of(seed));
  EXPECT_EQ(sources.size(), 500u);
}

TEST(Generate, TheSeedComesBackFromTheLineage) {
  Program program = generate(7, {.operators = 12}).value();
  const Seed& seed = program.lineage().seed;
  EXPECT_EQ(seed.origin, Seed::Origin::kGenerated);
  EXPECT_EQ(seed.operators, 12);
  EXPECT_EQ(regenerate(seed).value().source(), program.source());
}

TEST(Generate, RefusesWhatItCanNotMake) {
  EXPECT_FALSE(generate(1, {.operators = 0}).ok());
  EXPECT_FALSE(generate(1, {.operators = kMaxOperators + 1}).ok());
  EXPECT_FALSE(generate(1, {.reuse_rate = 1.5}).ok());
  Seed seed = generate(1, {}).value().lineage().seed;
  seed.generator_version = kGeneratorVersion + 1;
  EXPECT_FALSE(regenerate(seed).ok());
  EXPECT_FALSE(regenerate(Seed{}).ok());
}

TEST(Generate, AsManyCallsAsAskedFor) {
  for (int operators : {1, 2, 20, 200})
    for (std::uint64_t seed = 0; seed < 20; ++seed)
      EXPECT_EQ(generate_graph(seed, {.operators = operators}).calls.size(), static_cast<std::size_t>(operators));
}

TEST(Generate, EveryCallReachesAnOutput) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Graph graph = generate_graph(seed, {});
    std::vector<int> sinks = graph.sinks();
    std::set<int> reached(sinks.begin(), sinks.end());
    for (auto call = graph.calls.rbegin(); call != graph.calls.rend(); ++call) {
      bool reaches = false;
      for (int output : call->outputs) reaches = reaches || reached.contains(output);
      EXPECT_TRUE(reaches) << "seed " << seed << ": " << call->op;
      for (int operand : operands(*call)) reached.insert(operand);
    }
  }
}

TEST(Generate, EveryOperandStandsBeforeItsCall) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Graph graph = generate_graph(seed, {});
    int known = static_cast<int>(graph.inputs.size());
    for (const Call& call : graph.calls) {
      for (int operand : operands(call)) EXPECT_LT(operand, known);
      for (int output : call.outputs) EXPECT_EQ(output, known++);
    }
    EXPECT_EQ(graph.values.size(), static_cast<std::size_t>(known));
    for (std::size_t i = 0; i < graph.values.size(); ++i) EXPECT_EQ(graph.values[i].id, static_cast<int>(i));
  }
}

TEST(Generate, IntervalsStayInTheRangeOfTheirDtype) {
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Value& value : generate_graph(seed, {}).values) {
      EXPECT_LE(value.interval.low, value.interval.high);
      EXPECT_TRUE(inside(value.interval, range_of(value.dtype))) << "seed " << seed << " v" << value.id;
      EXPECT_LE(value.shape.size(), kMaxRank);
      EXPECT_LE(element_count(value.shape), kMaxElements);
    }
}

TEST(Generate, InPlaceCallsNeverWriteLeavesOrOverlaps) {
  int writes = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    Graph graph = generate_graph(seed, {});
    std::set<int> leaves;
    for (const Input& input : graph.inputs)
      if (input.requires_grad) leaves.insert(graph.values[static_cast<std::size_t>(input.value)].storage);
    for (const Call& call : graph.calls) {
      if (call.written < 0) continue;
      ++writes;
      const Value& target = graph.values[static_cast<std::size_t>(call.written)];
      EXPECT_FALSE(leaves.contains(target.storage)) << "seed " << seed;
      EXPECT_FALSE(target.overlaps_itself) << "seed " << seed;
    }
  }
  EXPECT_GT(writes, 100);
}

TEST(Generate, SomeArgumentsShareMemory) {
  int shared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Graph graph = generate_graph(seed, {});
    for (const Input& input : graph.inputs) {
      if (input.base < 0) continue;
      ++shared;
      EXPECT_LT(input.base, input.value);
      EXPECT_EQ(graph.values[static_cast<std::size_t>(input.base)].storage,
                graph.values[static_cast<std::size_t>(input.value)].storage);
      EXPECT_FALSE(graph.values[static_cast<std::size_t>(input.base)].requires_grad);
    }
  }
  EXPECT_GT(shared, 20);
}

TEST(Generate, AFewArgumentsAreComplex) {
  double complex = 0;
  double all = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Graph graph = generate_graph(seed, {});
    for (const Input& input : graph.inputs) {
      ++all;
      complex += is_complex(graph.values[static_cast<std::size_t>(input.value)].dtype);
    }
  }
  EXPECT_GT(complex / all, 0.01);
  EXPECT_LT(complex / all, 0.10);
}

// What a conjugate shares memory with may change its sign: both then contain what was written, and its negative.
TEST(Generate, WritesReachConjugates) {
  int written = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Choices choices(seed);
    Draft draft(choices, 0);
    Value x = draft.input({.dtypes = kComplex, .written = true});
    Value view = x;
    view.lazy = true;
    view.interval = hull(x.interval, -x.interval);
    constexpr std::string_view kConj[] = {"$0.conj()"};
    constexpr std::string_view kAdd[] = {"$0.add_(4)"};
    draft.record({.op = "conj", .forms = kConj, .arguments = {Ref{x.id}}}, view, {});
    draft.record_write({.op = "add_", .forms = kAdd, .arguments = {Ref{x.id}}}, x, {4, 5}, {});
    for (const Value& value : draft.graph().values)
      if (value.lazy) {
        ++written;
        EXPECT_TRUE(inside({-5, -4}, value.interval));
        EXPECT_TRUE(inside({4, 5}, value.interval));
      }
  }
  EXPECT_GT(written, 0);
}

TEST(Generate, LinesAreShort) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::string source = source_of(seed);
    for (std::size_t start = 0; start < source.size();) {
      std::size_t end = source.find('\n', start);
      EXPECT_LE(end - start, 250u) << source.substr(start, end - start);
      start = end + 1;
    }
  }
}

TEST(Registry, EveryOperatorIsDrawn) {
  std::vector<OperatorInfo> operators = list_operators();
  EXPECT_GE(operators.size(), 628u) << "one no longer registers itself";
  std::set<std::string> families;
  std::set<std::string> ids;
  for (const OperatorInfo& info : operators) {
    families.insert(info.family);
    EXPECT_TRUE(ids.insert(info.id).second) << info.id << " twice";
    EXPECT_FALSE(info.forms.empty()) << info.id;
  }
  EXPECT_GE(families.size(), 82u);
}

TEST(Registry, FormsReadAsPython) {
  for (const OperatorInfo& info : list_operators())
    if (info.id == "add") {
      EXPECT_EQ(std::set<std::string>(info.forms.begin(), info.forms.end()),
                (std::set<std::string>{"torch.add(a, b)", "a.add(b)", "a + b", "torch.add(a, b, alpha=c)",
                                       "a.add(b, alpha=c)"}));
    } else if (info.id == "expand") {
      EXPECT_EQ(info.forms, (std::vector<std::string>{"a.expand(*b)", "a.expand(b)"}));
    }
}

// Each operator alone: it can be the first call of a graph, with arguments only.
TEST(Registry, EveryOperatorStartsAGraph) {
  for (const Operator* family : Registry<Operator>::instance().all())
    for (std::size_t member = 0; member < family->members().size(); ++member)
      for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Choices choices(seed);
        Draft draft(choices, 970);
        family->draw(draft, member);
        Graph graph = draft.finish();
        ASSERT_EQ(graph.calls.size(), 1u) << family->members()[member];
        EXPECT_FALSE(graph.calls[0].outputs.empty());
      }
}

TEST(Registry, EveryOperatorComesInAFewPrograms) {
  std::map<std::string, int> drawn;
  for (std::uint64_t seed = 0; seed < 500; ++seed)
    for (const Call& call : generate_graph(seed, {}).calls) ++drawn[std::string(call.op)];
  for (const OperatorInfo& info : list_operators()) EXPECT_GT(drawn[info.id], 0) << info.id;
}

// Constants, whose results don't depend on their arguments, are drawn half as often.
TEST(Registry, OperatorsComeAlikeOften) {
  std::map<std::string, int> drawn;
  for (const OperatorInfo& info : list_operators()) drawn[info.id] = 0;
  for (std::uint64_t seed = 0; seed < 30'000; ++seed)
    for (const Call& call : generate_graph(seed, {}).calls) ++drawn[std::string(call.op)];
  auto by_count = [](const auto& one, const auto& other) { return one.second < other.second; };
  const auto [least, most] = std::minmax_element(drawn.begin(), drawn.end(), by_count);
  EXPECT_LE(most->second, 3 * least->second) << most->first << " and " << least->first;
}

TEST(Generate, ReuseMakesEdges) {
  auto inputs_at = [](double rate) {
    std::size_t inputs = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) inputs += generate_graph(seed, {.reuse_rate = rate}).inputs.size();
    return inputs;
  };
  EXPECT_LT(inputs_at(0.97), inputs_at(0.3));
}

// Invariants of the core while it draws: a rare draw of a rare operator would end the process if one is broken.
TEST(Generate, ManySmallGraphsKeepEveryInvariant) {
  for (std::uint64_t seed = 0; seed < 100000; ++seed)
    ASSERT_EQ(generate_graph(seed, {.operators = 1}).calls.size(), 1u) << seed;
}

// Seconds of processor time that the work takes.
template <typename Work>
double processor_seconds(const Work& work) {
  const std::clock_t start = std::clock();
  work();
  return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

// A chain of multiplications that a compiler can't shorten: what a machine does per second, whatever its libraries do.
std::uint64_t chain(std::uint64_t number, int steps) {
  for (int i = 0; i < steps; ++i) number = (number ^ static_cast<std::uint64_t>(i)) * 0x100000001B3;
  return number;
}

// Measured in such chains, so that it means the same on any machine and build: a program of 20 operators takes as long
// as 45'000 steps (Intel Xeon, 25 November 2026). Four times that would be a loss that users notice.
TEST(Generate, IsQuick) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the sanitizer slows the generator down, and not the chain";
#endif
  double chaining = 0, generating = 0;
  std::uint64_t end = 1;
  for (std::uint64_t round = 0; round < 5; ++round) {
    chaining += processor_seconds([&] {
      for (int i = 0; i < 100; ++i) end = chain(end, 45'000);
    });
    generating += processor_seconds([&] {
      for (std::uint64_t seed = 0; seed < 100; ++seed) EXPECT_FALSE(source_of(100 * round + seed).empty());
    });
  }
  EXPECT_NE(end, 0u);
  EXPECT_LT(generating, 4 * chaining) << "500 programs: " << generating << " s, 500 chains: " << chaining << " s";
}

}  // namespace
}  // namespace jp::seedgen
