// A graph as Python text.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "core/functions_named.h"
#include "core/graph.h"

namespace jp::seedgen {

/// The graph as a Python file: `make_inputs()` with a seeded generator, `program(v0, ...)` as straight-line code. The
/// forms of the calls are drawn, from those that name no missing function; a call that has only such forms gets one of
/// them nevertheless.
std::string emit(const Graph& graph, Choices& choices, const MissingFunctions& missing = {});

/// A call in each way in which it may be printed, without the names of its results: "torch.add(v0, v1)", "v0 + v1".
std::vector<std::string> call_texts(const Call& call);

}  // namespace jp::seedgen
