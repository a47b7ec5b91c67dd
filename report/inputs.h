// The arguments of a program written out: make_inputs() with their values in place of whatever made them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/observation.h"
#include "core/program.h"

namespace jp::report {

/// A program that does nothing with its arguments: an eager run of it shows them as they are made. Nothing when the
/// text of the two doesn't fit into a program.
std::optional<Program> arguments_only(const Program& program);

/// The definition of `name`, from what an eager run of `arguments_only` showed. Aliasing and strides are kept, tensors
/// and containers that occur twice are one. Nothing when a value can't be written (other objects, more than
/// kMostElements elements, tensors with a history of gradients) or there are no arguments.
std::optional<std::string> written_inputs(const Observation& arguments, const std::string& name);

/// Elements of a tensor beyond which values are not written out.
inline constexpr std::size_t kMostElements = 64;

/// The program with that definition in place of its own, which must stand at the top of the file. Nothing when it is
/// not found.
std::optional<Program> with_inputs(const Program& program, const std::string& definition);

/// Where a definition `def NAME(` at the top level begins and ends (its last line included), and the lines themselves;
/// npos when there is none. In bytes.
struct Lines {
  std::size_t begin = std::string::npos;
  std::size_t end = std::string::npos;
};
Lines top_definition(std::string_view source, std::string_view name);

}  // namespace jp::report
