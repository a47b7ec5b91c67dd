// Changes to a program's text as data: shared by mutation and reduction.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jp {

/// Replaces the bytes [begin, end) of a text by `text`. begin == end inserts.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
  bool operator==(const Edit&) const = default;
};

/// Edits of one text: sorted by begin, disjoint. Inserts at one position keep the order in which they were added, and
/// come before a replacement that begins there. Empty: changes nothing; as a rule's answer "does not apply here".
class EditSet {
 public:
  EditSet() = default;

  /// Adds an edit; false (and nothing is added) if it overlaps an existing one.
  [[nodiscard]] bool add(Edit edit);
  /// Shorthands that treat a conflict as a broken invariant: for rules that know their edits are disjoint.
  void insert(std::size_t at, std::string text);
  void replace(std::size_t begin, std::size_t end, std::string text);
  void erase(std::size_t begin, std::size_t end) { replace(begin, end, ""); }

  /// The text with all edits made. `source` must reach to the last edit's end.
  std::string apply(std::string_view source) const;
  /// The position in the new text of the byte at `position` of the old one (after inserts at that place); nothing if it
  /// was replaced.
  std::optional<std::size_t> map(std::size_t position) const;

  bool empty() const { return edits_.empty(); }
  const std::vector<Edit>& edits() const { return edits_; }
  bool operator==(const EditSet&) const = default;

 private:
  std::vector<Edit> edits_;
};

}  // namespace jp
