// Which of two programs is the simpler one: a total preorder that every step of a reduction goes down in, so that
// different ways tend to one result and a reduction ends.
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
  /// Tokens, each at least 1. Numbers cost more the longer they are, 0 and 1 least; what draws random values costs
  /// as much as some twenty numbers written out.
  std::size_t cost = 0;
  std::size_t bytes = 0;
  auto operator<=>(const Weight&) const = default;  // NOLINT(modernize-use-nullptr): of the generated code
};

Weight weigh(const mutate::Parsed& parsed);
/// The same of a program; nothing for one that doesn't parse.
std::optional<Weight> weigh(const Program& program);
/// `one` is simpler than `other`; whatever parses is simpler than what doesn't.
bool simpler(const Program& one, const Program& other);

/// What all writes in place become where the fault allows it.
inline constexpr std::string_view kSimplestWrite = "neg_";
/// The name of an operation in place, by torch's convention, that is not the simplest one.
bool is_other_write(std::string_view name);

/// What all dtypes become where the fault allows it.
inline constexpr std::string_view kSimplestDtype = "float32";
/// The name of a dtype that is not the simplest one.
bool is_other_dtype(std::string_view name);

/// Statements in the body of the program's entry (a function, or a class with what is in it), nested ones too; 0 when
/// the file defines none of that name by `def` or `class`.
std::size_t statements_in_entry(const mutate::Parsed& parsed);

}  // namespace jp::reduce
