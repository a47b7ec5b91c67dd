// The metrics of the graphs of a range of seeds: `generate --metrics`.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "codec/json.h"
#include "core/graph.h"
#include "seedgen/generate.h"
#include "seedgen/measure/metrics.h"

namespace jp::answers {

/// Makes the graph of a seed.
using GraphMaker = std::function<Graph(std::uint64_t)>;

/// The metrics of the graphs of `count` seeds from `first` on, in the order of their numbers; `make` must follow these
/// options.
seedgen::Metrics measure_seeds(std::uint64_t first, std::uint64_t count, const seedgen::GenerateOptions& options,
                               const GraphMaker& make);

/// Eleven lines, each with what the number means.
std::string render(const seedgen::Metrics& metrics);
/// By the short names: {"graphs": 100, "NOO": 20, ...}.
codec::Json json_of(const seedgen::Metrics& metrics);

}  // namespace jp::answers
