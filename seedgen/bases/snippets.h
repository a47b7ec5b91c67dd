// Tables of Python: each row is a short piece of a program that reads a tensor x and a Python value k, and each column
// a way in which k changes between the calls of the program: as an argument, a global, a variable of a closure, an
// attribute, an item, a default. A compiler guards each of them in another way.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "seedgen/bases/table.h"

namespace jp::seedgen {

struct Snippet {
  /// Lines of a function that know x, a float tensor of 2 rows and 3 columns, and k; they end in a return.
  std::string_view body;
  /// Definitions that it needs, "" for none.
  std::string_view head = "";
  /// What k is in the three calls.
  std::string_view first = "2";
  std::string_view second = "3";
  std::string_view third = "-1";
};

/// Rows of snippets by columns of changes.
class SnippetTable : public Grid {
 public:
  SnippetTable(std::string_view name, std::string_view varies, std::span<const Snippet> snippets)
      : name_(name), varies_(varies), snippets_(snippets) {}
  std::string_view name() const override { return name_; }
  std::string_view varies() const override { return varies_; }

  /// Ways in which k changes.
  static const std::size_t kWays;
  /// The program of a snippet and a way below kWays.
  static std::string text_of(const Snippet& snippet, std::size_t way);

 protected:
  At lengths() const override;
  std::string text_at(const At& at) const override;

 private:
  std::string_view name_;
  std::string_view varies_;
  std::span<const Snippet> snippets_;
};

}  // namespace jp::seedgen
