// Templates of Python text. "$x" stands for a text that was set, and otherwise for a fresh name ("x7"), the same
// wherever it stands again; "${x}_" is the same before more letters. "$itertools:chain" stands for a fresh name under
// which `chain` is imported from `itertools`. Lines are separated by "\n"; each tab before one is a step of
// indentation.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

/// Fills in the templates of one step.
class Template {
 public:
  explicit Template(Rewrite& rewrite) : rewrite_(&rewrite) {}

  void set(std::string_view name, std::string text) { texts_.insert_or_assign(std::string(name), std::move(text)); }
  void set(std::string_view name, Lines lines) { blocks_.insert_or_assign(std::string(name), std::move(lines)); }
  /// The filled-in lines, each after the imports that it is the first to need. None for an empty text.
  Lines lines(std::string_view text);
  /// A part of a line, which needs no imports.
  std::string part(std::string_view text);
  /// An expression: the last line, without its indentation. The lines before it and its imports are added to `before`.
  std::string expression(std::string_view text, Lines& before);

 private:
  std::string fill(std::string_view line, Lines& imports);
  const std::string& text_of(std::string_view name, Lines& imports);

  Rewrite* rewrite_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, Lines, std::less<>> blocks_;
};

}  // namespace jp::mutate
