// What `generate` takes about the programs that it makes, and the metrics of a range of seeds.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "codec/codec.h"
#include "core/graph.h"
#include "core/result.h"
#include "seedgen/generate.h"
#include "seedgen/measure/metrics.h"

namespace jp::app {

/// "LOW:HIGH" or one number for both; an Error in a sentence that names `flag`.
Result<std::pair<int, int>> parse_range(const std::string& flag, const std::string& text);

/// Makes the graph of a seed.
using GraphMaker = std::function<Graph(std::uint64_t)>;

/// Of the graphs of `count` seeds from `first` on, in the order of their numbers; `make` must go by these options.
seedgen::Metrics measure_seeds(std::uint64_t first, std::uint64_t count, const seedgen::GenerateOptions& options,
                               const GraphMaker& make);

/// Eleven lines, each with what the number is.
std::string render(const seedgen::Metrics& metrics);
/// By the short names: {"graphs": 100, "NOO": 20, ...}.
codec::Json json_of(const seedgen::Metrics& metrics);

}  // namespace jp::app
