// Equivalent iterations: iterables that lazily give the items of another one in its order, and ways to call a function
// with each item or one function after another.
#pragma once

#include <string>
#include <vector>

#include "core/choices.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// The file binds none of the builtins that the texts below use.
bool has_iteration_words(const Parsed& parsed);

/// An expression for an iterator over the same items, evaluated lazily. Lines that it needs are added to `before`.
std::string draw_iterable(Rewrite& rewrite, const std::string& iterable, Lines& before, Choices& choices);

/// Lines that call `function` with each item and discard the result, which must be None. `small_range`: the iterable is
/// a range short enough for recursion.
Lines draw_walk(Rewrite& rewrite, const std::string& function, const std::string& iterable, bool small_range,
                Choices& choices);

/// An expression for an iterable of the functions' results; each function is called once, in order. `functions` holds
/// expressions, with lambdas in parentheses.
std::string draw_calls(Rewrite& rewrite, const std::vector<std::string>& functions, Lines& before, Choices& choices);

}  // namespace jp::mutate
