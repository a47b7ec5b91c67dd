// Which names of a program may be others, and the short ones that they get.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/edit.h"
#include "mutate/syntax/name_set.h"
#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// A variable that the file binds and that may be called otherwise.
struct Variable {
  std::string_view name;
  /// All of its uses, in source order.
  std::vector<mutate::Node> places;
  /// The short names that it may get, a letter each, the first one best: "xyz…" for parameters, "fgh…" for functions
  /// and classes, "abc…" for all else.
  std::string_view pool;
  /// The entry's, not of the function that makes the arguments or of another one.
  bool in_entry = false;
};

/// In source order. Names of the contract of program files, imports, keywords of calls, names under `global` and
/// `nonlocal`, and names that may be asked for at run time are not among them.
std::vector<Variable> variables(const mutate::Parsed& parsed);

/// The names that a person would take: the entry's parameters x, y, z and its variables a, b, c in their order, then
/// those of other functions. Nothing when the program has them already or looks at its own text.
std::optional<EditSet> plain_names(const mutate::Parsed& parsed);

}  // namespace jp::reduce
