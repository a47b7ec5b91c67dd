// Ways to walk: iterables that give the items of another one, in its order and when they are asked for; and ways to
// call a function with each of them, or one function after another.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// The names that the texts below take for Python's own are nobody else's in the file.
bool has_iteration_words(const Parsed& parsed);

/// An iterator over the same items, lazily. Lines that it needs go into `before`.
std::string draw_iterable(Rewrite& rewrite, const std::string& iterable, Lines& before, Choices& choices);

/// Lines that call `function` with each item and drop what it returns, which must be None. `small_range`: the iterable
/// is a range so short that recursion may walk it.
Lines draw_walk(Rewrite& rewrite, const std::string& function, const std::string& iterable, bool small_range,
                Choices& choices);

/// An iterable of what the functions (expressions, lambdas in parentheses) return, called in order, each once.
std::string draw_calls(Rewrite& rewrite, const std::vector<std::string>& functions, Lines& before, Choices& choices);

}  // namespace jp::mutate
