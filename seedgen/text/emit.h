// A graph as Python text.
#pragma once

#include <string>

#include "core/choices.h"
#include "core/graph.h"

namespace jp::seedgen {

/// The graph as a Python file: `make_inputs()` with a seeded generator, `program(v0, ...)` as straight-line code. The
/// forms of the calls are drawn.
std::string emit(const Graph& graph, Choices& choices);

}  // namespace jp::seedgen
