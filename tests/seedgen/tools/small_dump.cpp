// Prints every different call that small draws of some operators give, as JSON lines {"op", "arguments"}, which
// check_small.py compares with everything that eager accepts.
//
//   small_dump FIRST COUNT RANK OPERATOR…
//
// COUNT programs from seed FIRST on, two calls each. A line is printed if every tensor that a call reads is at most of
// that rank, with sizes of at most 2. Tensors are {"dtype", "shape"}, everything else is as in the graph.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_set>
#include <vector>

#include "seedgen/generate.h"

namespace {

using namespace jp;

// The text is assembled by hand: there are millions of calls, and a JSON object for each takes most of the time.
std::string tensor(const GraphValue& value) {
  return fmt::format(R"({{"dtype":"{}","shape":[{}]}})", dtype_name(value.dtype), fmt::join(value.shape, ","));
}

std::string plain(const Graph& graph, const Argument& argument) {
  auto value = [&](Ref ref) { return tensor(graph.values[static_cast<std::size_t>(ref.value)]); };
  if (const auto* one = std::get_if<Ref>(&argument)) return value(*one);
  if (const auto* several = std::get_if<std::vector<Ref>>(&argument)) {
    std::vector<std::string> all;
    for (Ref ref : *several) all.push_back(value(ref));
    return fmt::format("[{}]", fmt::join(all, ","));
  }
  if (const auto* ints = std::get_if<Ints>(&argument)) return fmt::format("[{}]", fmt::join(*ints, ","));
  if (const auto* flag = std::get_if<bool>(&argument)) return *flag ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&argument)) return fmt::to_string(*integer);
  if (const auto* number = std::get_if<double>(&argument)) return nlohmann::json(*number).dump();
  if (const auto* dtype = std::get_if<Dtype>(&argument)) return fmt::format("\"{}\"", dtype_name(*dtype));
  return nlohmann::json(std::get<std::string>(argument)).dump();
}

bool small(const Graph& graph, const Call& call, const seedgen::Bounds& bounds) {
  for (int operand : operands(call))
    if (!bounds.hold(graph.values[static_cast<std::size_t>(operand)].shape)) return false;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    fmt::print(stderr, "usage: small_dump FIRST COUNT RANK OPERATOR…\n");
    return 2;
  }
  seedgen::GenerateOptions options{.operators = 2, .reuse_rate = 0.3};
  options.bounds = {.max_rank = std::atoi(argv[3]), .min_size = 0, .max_size = 2};
  options.only = {argv + 4, argv + argc};
  if (Status fine = seedgen::check_options(options); !fine.ok()) {
    fmt::print(stderr, "{}\n", fine.error().message);
    return 2;
  }
  std::unordered_set<std::string> seen;
  const std::uint64_t first = std::strtoull(argv[1], nullptr, 10);
  const std::uint64_t count = std::strtoull(argv[2], nullptr, 10);
  for (std::uint64_t at = 0; at < count; ++at) {
    const Graph graph = seedgen::generate_graph(first + at, options);
    for (const Call& call : graph.calls) {
      if (call.out || !small(graph, call, options.bounds)) continue;
      std::vector<std::string> arguments;
      for (const Argument& argument : call.arguments) arguments.push_back(plain(graph, argument));
      seen.insert(fmt::format(R"({{"op":"{}","arguments":[{}]}})", call.op, fmt::join(arguments, ",")));
    }
  }
  for (const std::string& line : seen) fmt::print("{}\n", line);
  return 0;
}
