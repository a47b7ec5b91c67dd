// Which values a program makes on its way, and where each can be seen.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mutate/syntax/syntax.h"

namespace jp::campaign {

/// A value that a statement binds to a name, or changes.
struct Binding {
  std::string name = "";       // or what is read again: "x", "self.total"
  std::string statement = "";  // its first line
  int line = 0;                // from 1
  int index = 0;               // of the statement, in Parsed::statements()
  std::size_t behind = 0;      // the byte where a line can be put that sees it
  std::string indent = "";     // of that line
  bool outside = false;        // in a function of the module that is not the entry
};

std::string first_line(const mutate::Parsed& parsed, const mutate::Statement& statement);

/// What statements bind or change, in source order, in the entry and in the file's other functions, at any depth of
/// blocks: assigned names (of tuples too), objects of items, attributes and calls that stand alone (`name.f_(…)`), what
/// `for` and `with` bind. Empty when the entry is no plain function.
std::vector<Binding> bindings_of(const mutate::Parsed& parsed);

}  // namespace jp::campaign
