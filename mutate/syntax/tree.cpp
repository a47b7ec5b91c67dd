#include "mutate/syntax/tree.h"

#include <tree_sitter/api.h>

#include <algorithm>
#include <iterator>
#include <utility>

extern "C" const TSLanguage* tree_sitter_python();

namespace jp::mutate {
namespace {

struct Texts {
  std::vector<std::string_view> kinds;
  std::vector<std::string_view> fields;
};

/// The grammar's names, indexed by its numbers.
const Texts& texts() {
  static const Texts texts = [] {
    Texts made;
    const TSLanguage* language = tree_sitter_python();
    for (std::uint32_t i = 0; i < ts_language_symbol_count(language); ++i)
      made.kinds.emplace_back(ts_language_symbol_name(language, static_cast<TSSymbol>(i)));
    made.fields.emplace_back("");
    for (std::uint32_t i = 1; i <= ts_language_field_count(language); ++i)
      made.fields.emplace_back(ts_language_field_name_for_id(language, static_cast<TSFieldId>(i)));
    return made;
  }();
  return texts;
}

}  // namespace

std::uint16_t kind_number(std::string_view kind, bool named) {
  return ts_language_symbol_for_name(tree_sitter_python(), kind.data(), static_cast<std::uint32_t>(kind.size()), named);
}

std::string_view Node::text() const { return std::string_view(tree_->source_).substr(begin(), end() - begin()); }

NodeRange Node::tokens() const { return {*this, false}; }
NodeRange Node::children() const { return {*this, true}; }

Node Node::field(std::string_view name) const {
  for (Node child : tokens())
    if (child.field_name() == name) return child;
  return {};
}

bool Node::has_token(std::string_view kind_asked) const {
  for (Node child : tokens())
    if (!child.named() && child.is(kind_asked)) return true;
  return false;
}

void NodeRange::Iterator::skip() {
  const auto& nodes = at_.tree_->nodes_;
  while (named_ && at_.index_ < past_ && !nodes[at_.index_].child) at_.index_ = nodes[at_.index_].past;
}

NodeRange::Iterator& NodeRange::Iterator::operator++() {
  at_.index_ = at_.past();
  skip();
  return *this;
}

NodeRange::Iterator NodeRange::Iterator::operator++(int) {
  Iterator before = *this;
  ++*this;
  return before;
}

NodeRange::Iterator NodeRange::begin() const {
  if (!parent_) return {};
  return {{parent_.tree_, parent_.index_ + 1}, parent_.past(), named_};
}

NodeRange::Iterator NodeRange::end() const {
  if (!parent_) return {};
  return {{parent_.tree_, parent_.past()}, parent_.past(), named_};
}

std::size_t NodeRange::size() const { return static_cast<std::size_t>(std::distance(begin(), end())); }

Node NodeRange::back() const {
  Node last;
  for (Node child : *this) last = child;
  return last;
}

Node NodeRange::operator[](std::size_t place) const { return *std::next(begin(), static_cast<std::ptrdiff_t>(place)); }

Tree::Tree(std::string source)
    : kinds_(texts().kinds.data()), fields_(texts().fields.data()), source_(std::move(source)), rows_{0} {
  for (std::size_t i = 0; i < source_.size(); ++i)
    if (source_[i] == '\n') rows_.push_back(i + 1);
}

void Tree::append(const Tree& from, int first, int past, int parent, std::int64_t moved) {
  const int shift = size() - first;
  for (int i = first; i < past; ++i) {
    Data data = from.nodes_[static_cast<std::size_t>(i)];
    data.begin = static_cast<std::uint32_t>(data.begin + moved);
    data.end = static_cast<std::uint32_t>(data.end + moved);
    data.parent = data.parent < first ? parent : data.parent + shift;
    data.past += shift;
    nodes_.push_back(data);
  }
}

std::size_t Tree::row(std::size_t position) const {
  return static_cast<std::size_t>(std::upper_bound(rows_.begin(), rows_.end(), position) - rows_.begin()) - 1;
}

std::size_t Tree::column(std::size_t position) const { return position - rows_[row(position)]; }

}  // namespace jp::mutate
