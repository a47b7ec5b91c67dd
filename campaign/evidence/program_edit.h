// Making another program of one by putting lines into it: for programs that are run to look inside, never kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program.h"
#include "mutate/syntax/syntax.h"

namespace jp::campaign {

/// The statement that defines the entry at the top of the file as a plain function, or nullptr.
const mutate::Statement* entry_of(const mutate::Parsed& parsed);
/// The statements of a function's own block, in order.
std::vector<const mutate::Statement*> body_of(const mutate::Parsed& parsed, const mutate::Statement& function);
/// Whether calling it gives a generator or a coroutine.
bool is_generator(const mutate::Parsed& parsed, const mutate::Statement& function);

/// The entry's parameter that a place in a record is about: the second one's name for "inputs[1].x" and for
/// "gradients[inputs[1]]"; "" for other places.
std::string parameter_at(const mutate::Parsed& parsed, const std::string& where);

/// A name that stands nowhere in the file: `base`, with as many "_" behind it as that takes.
std::string free_name(const mutate::Parsed& parsed, const std::string& base);
/// The first byte of the line that holds this byte.
std::size_t line_of(const mutate::Parsed& parsed, std::size_t position);
/// The first byte of the first line that defines a function or class at the top of the file.
std::size_t first_definition(const mutate::Parsed& parsed);

/// Texts to put in, by places of the program's source; those of one place in the order of asking. None overlap.
class Edits {
 public:
  explicit Edits(const mutate::Parsed& parsed) : parsed_(parsed) {}
  void insert(std::size_t position, std::string text) { replace(position, position, std::move(text)); }
  void replace(std::size_t begin, std::size_t end, std::string text);
  /// The program; nothing when what comes out does not parse.
  std::optional<Program> program() const;

 private:
  struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string text;
  };
  const mutate::Parsed& parsed_;
  std::vector<Edit> edits_;
};

}  // namespace jp::campaign
