// Makes an instrumented program by inserting lines: for programs that are run to look inside, never kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/edit.h"
#include "core/program.h"
#include "mutate/syntax/syntax.h"

namespace jp::campaign {

/// The statement that defines the entry at the top of the file as a plain function, or nullptr.
const mutate::Statement* entry_of(const mutate::Parsed& parsed);
/// The statements of a function's own block, in order.
std::vector<const mutate::Statement*> body_of(const mutate::Parsed& parsed, const mutate::Statement& function);
/// Whether calling it gives a generator or a coroutine.
bool is_generator(const mutate::Parsed& parsed, const mutate::Statement& function);

/// The entry's parameter that a place in a record is about: the name of the second one for "inputs[1].x" and for
/// "gradients[inputs[1]]"; "" for other places.
std::string parameter_at(const mutate::Parsed& parsed, const std::string& where);

/// A name that occurs nowhere in the file: `base`, followed by as many "_" as that takes.
std::string free_name(const mutate::Parsed& parsed, const std::string& base);
/// The first byte of the line that holds this byte.
std::size_t line_of(const mutate::Parsed& parsed, std::size_t position);
/// The first byte of the first line that defines a function or class at the top of the file.
std::size_t first_definition(const mutate::Parsed& parsed);

/// The program after the edits, with its lineage and path; nothing if the result does not parse.
std::optional<Program> edited(const mutate::Parsed& parsed, const EditSet& edits);

}  // namespace jp::campaign
