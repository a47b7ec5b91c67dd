// The arguments of a program written out: make_inputs() with literal values in place of the code that made them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/observation.h"
#include "core/program.h"

namespace jp::report {

/// A program that does nothing with its arguments: an eager run of it shows them as they are made. Nothing if the
/// combined text doesn't fit into a program.
std::optional<Program> arguments_only(const Program& program);

/// The definition of `name`, from what an eager run of `arguments_only` showed. Aliasing and strides are preserved,
/// tensors and containers that occur twice are one. Nothing if a value can't be written (other objects, more than
/// kMostElements elements, tensors with a gradient history) or if there are no arguments.
std::optional<std::string> written_inputs(const Observation& arguments, const std::string& name);

/// The most elements of a tensor that are written out (chosen, not measured).
inline constexpr std::size_t kMostElements = 64;

/// The program with that definition in place of its own, which must be at the top level of the file. Nothing if it is
/// not found.
std::optional<Program> with_inputs(const Program& program, const std::string& definition);

/// Where a definition `def NAME(` at the top level begins and ends (its last line included), and the lines themselves;
/// npos if there is none.
struct Lines {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
};
Lines top_definition(std::string_view source, std::string_view name);

}  // namespace jp::report
