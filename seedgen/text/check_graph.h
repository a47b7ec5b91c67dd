// Graphs that come from outside: whether they can be printed, and as what.
#pragma once

#include <cstdint>
#include <string>

#include "core/graph.h"
#include "core/result.h"

namespace jp::seedgen {

/// Done when `emit` can print the graph: values are numbered as core/graph.h says and read after they were given, forms
/// name arguments that there are, layouts and intervals fit. An Error names the first place that doesn't. Whether eager
/// accepts the calls is not asked, nor whether the forms are Python.
Status check_graph(const Graph& graph);

/// The text that `generate` gives for the graph of this seed.
std::string emit_seed(const Graph& graph, std::uint64_t seed);

}  // namespace jp::seedgen
