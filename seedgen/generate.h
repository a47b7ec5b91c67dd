// Seed to program: draws operators uniformly, each with its inputs and attributes, until the graph has as many calls as
// requested, and prints the graph as an ordinary Python file. Everything that no call reads is returned, so every call
// reaches an output.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/graph.h"
#include "core/lineage.h"
#include "core/program.h"
#include "core/result.h"
#include "seedgen/draw/options.h"
#include "seedgen/text/emit.h"

namespace jp::seedgen {

struct Guide;
class Draft;
struct Member;

/// The options with the number of calls that this seed draws.
GenerateOptions sized(std::uint64_t seed, GenerateOptions options);
/// What a lineage records of a program of this seed and these options.
Seed seed_of(std::uint64_t seed, const GenerateOptions& options);
/// An empty draft with the reuse rate and the bounds of the options.
Draft new_draft(Choices& choices, const GenerateOptions& options);
/// Draws the calls of a schedule into an empty draft, with harvested ones among them if the options have some.
void draw_calls(Draft& draft, const std::vector<Member>& schedule, const GenerateOptions& options);

/// Draws a graph of `options.operators` calls, at least 1.
Graph draw_graph(Choices& choices, const GenerateOptions& options);

/// The program of a seed, its lineage set; an Error if the options are out of range or the text is too long.
Result<Program> generate(std::uint64_t seed, const GenerateOptions& options);

/// The graph behind `generate`, for tools, metrics and tests. The options must be in range.
Graph generate_graph(std::uint64_t seed, const GenerateOptions& options);

/// What is wrong with the options, in a sentence.
Status check_options(const GenerateOptions& options);

/// The program of a seed, each of whose calls the guide accepted; rejected calls are recorded in the lineage, which
/// reproduces the program without a guide.
Result<Program> generate_guided(std::uint64_t seed, const GenerateOptions& options, const Guide& guide);

/// The graph behind `generate_guided`. The options must be in range, and without a harvest.
Graph guided_graph(std::uint64_t seed, const GenerateOptions& options, const Guide& guide);

/// The program that a lineage starts from; an Error for a file, a table that is gone, another generator version, or a
/// seed with harvested calls. Reuse rate, bounds and operators are the defaults: campaigns that change them can't name
/// their seeds by number alone.
Result<Program> regenerate(const Seed& seed);

/// What `jitprobe list operators` shows.
struct OperatorInfo {
  std::string id;
  /// Its file in operators/, without the ending.
  std::string family;
  /// Ways to write it: "torch.add(a, b)", "a.add(b)", "a + b". Arguments are letters in order; `*b` stands for items.
  std::vector<std::string> forms;
};

/// All operators, by family and then in the order of its table. Forms are collected from some draws of each.
std::vector<OperatorInfo> list_operators();

/// The inferred types, a JSON object: {"v0": {"dtype": "float32", "shape": [3, 4], "strides": [4, 1] or null,
/// "requires_grad": false, "storage": 0, "lazy": false, "low": -1, "high": 1}, ...}; values of different storages never
/// share memory.
std::string describe_values(const Graph& graph);

}  // namespace jp::seedgen
