// What a program may notice of code of its own that moves into another function, apart from what it computes: the
// exception that reading an unbound variable raises, and the qualified names of functions and classes.
#pragma once

#include "mutate/syntax/syntax.h"

namespace jp::mutate {

/// Bytes of a statement.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// In the part a variable of the statement's own function is read where it may be unbound, and the program can tell
/// which exception that raises: UnboundLocalError in that function, NameError in one inside it that captures it.
bool shows_unbound(const Parsed& parsed, const Statement& statement, const Part& part);

/// The program may show the qualified name of the function, class or lambda that the node is, by its attribute, as a
/// text, or in what the entry returns. Nodes of other kinds show none.
bool shows_qualified_name(const Parsed& parsed, const Node& node);
/// The same of any node inside of the node.
bool holds_qualified_name(const Parsed& parsed, const Node& node);

}  // namespace jp::mutate
