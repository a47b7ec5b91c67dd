// Checks graphs from outside: whether they can be printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/graph.h"
#include "core/result.h"

namespace jp::seedgen {

/// Done if `emit` can print the graph: values are numbered as core/graph.h says and read after they are defined, forms
/// name existing arguments, layouts and intervals are consistent. An Error names the first violation. Neither whether
/// eager accepts the calls is checked, nor whether the forms are valid Python.
Status check_graph(const Graph& graph);

/// The text that `generate` prints for the graph of this seed, with none of the functions in `without`.
std::string emit_seed(const Graph& graph, std::uint64_t seed, const std::vector<std::string>& without = {});

}  // namespace jp::seedgen
