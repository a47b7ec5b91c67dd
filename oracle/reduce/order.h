// Which of two programs is the simpler one: a total preorder in which every step of a reduction descends, so that
// different paths tend to one result and a reduction ends.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string_view>

#include "mutate/syntax/syntax.h"

namespace jp::reduce {

/// Compared from the first member on; less is simpler.
struct Weight {
  /// Statements in the whole file, nested ones too.
  std::size_t statements = 0;
  /// Tokens, each at least 1. Numbers cost more the longer they are, 0 and 1 least; drawing random values costs as much
  /// as some twenty literal numbers.
  std::size_t cost = 0;
  std::size_t bytes = 0;
  auto operator<=>(const Weight&) const = default;  // NOLINT(modernize-use-nullptr): of the generated code
};

Weight weigh(const mutate::Parsed& parsed);
/// The same for a program; nothing for one that doesn't parse.
std::optional<Weight> weigh(const Program& program);
/// `one` is simpler than `other`; whatever parses is simpler than what doesn't.
bool simpler(const Program& one, const Program& other);

/// What all in-place writes become if the fault allows it.
inline constexpr std::string_view kSimplestWrite = "neg_";
/// Whether this is an in-place operation, by torch's naming convention, and not the simplest one.
bool is_other_write(std::string_view name);

/// What all dtypes become if the fault allows it.
inline constexpr std::string_view kSimplestDtype = "float32";
/// Whether this is the name of a dtype that is not the simplest one.
bool is_other_dtype(std::string_view name);

/// Statements in the body of the program's entry (a function, or a class with its contents), nested ones too; 0 if the
/// file defines none of that name by `def` or `class`.
std::size_t statements_in_entry(const mutate::Parsed& parsed);

}  // namespace jp::reduce
