#include "mutate/syntax/reused_subtree.h"

#include <algorithm>
#include <array>
#include <utility>

namespace jp::mutate {
namespace {

// Stands for a reused statement while the text around it is parsed; `pass` is the shortest statement without effects.
constexpr std::string_view kHole = "pass";

bool is_simple(const Node& node) {
  static const std::array<std::uint16_t, 3> kinds = {kind_number("expression_statement"),
                                                     kind_number("return_statement"), kind_number("assert_statement")};
  return std::find(kinds.begin(), kinds.end(), node.number()) != kinds.end();
}

bool frames_statements(const Node& node) {
  static const std::array<std::uint16_t, 2> kinds = {kind_number("block"), kind_number("module")};
  return node && (node.number() == kinds[0] || node.number() == kinds[1]);
}

bool own_line(std::string_view text, std::size_t begin, std::size_t end) {
  const std::size_t line = text.rfind('\n', begin) + 1;  // 0 in the first
  const bool alone = text.find_first_not_of(" \t", line) == begin && end < text.size() && text[end] == '\n';
  return alone && text.substr(begin, end - begin).find('\n') == std::string_view::npos;
}

}  // namespace

/// Puts the reused statements into the tree of the text in which `pass` stands for each of them.
class TreeFill {
 public:
  TreeFill(const Tree& holed, const std::string& text, const std::vector<ReusedSubtree>& kept)
      : holed_(holed), kept_(kept), tree_(new Tree(text)), places_(holed.nodes_.size() + 1) {}
  /// Returns nothing if some `pass` was not parsed as a statement.
  std::shared_ptr<const Tree> make();

 private:
  std::size_t hole(std::size_t number) const { return kept_[number].begin - grown_before(number); }
  std::size_t grown_before(std::size_t number) const { return number == 0 ? 0 : grown_[number - 1]; }
  std::uint32_t moved(std::uint32_t position) const;

  const Tree& holed_;
  const std::vector<ReusedSubtree>& kept_;
  std::shared_ptr<Tree> tree_;
  std::vector<int> places_;         // of the nodes of the text with holes, and of their end, in the new tree
  std::vector<std::size_t> grown_;  // by how much the text is longer behind each hole
  std::vector<std::size_t> holes_;  // where each begins
};

std::uint32_t TreeFill::moved(std::uint32_t position) const {
  const auto behind = std::lower_bound(holes_.begin(), holes_.end(), position);
  return position + static_cast<std::uint32_t>(grown_before(static_cast<std::size_t>(behind - holes_.begin())));
}

std::shared_ptr<const Tree> TreeFill::make() {
  for (const ReusedSubtree& kept : kept_) {
    holes_.push_back(hole(grown_.size()));
    grown_.push_back(grown_before(grown_.size()) + (kept.node.end() - kept.node.begin()) - kHole.size());
  }
  static const std::uint16_t pass = kind_number("pass_statement");
  std::size_t next = 0;
  std::vector<int> open;  // nodes of the new tree whose `past` has yet to be adjusted
  for (int i = 0; i < holed_.size();) {
    const Tree::Data& data = holed_.nodes_[static_cast<std::size_t>(i)];
    places_[static_cast<std::size_t>(i)] = tree_->size();
    const int parent = data.parent < 0 ? -1 : places_[static_cast<std::size_t>(data.parent)];
    if (next < kept_.size() && data.kind == pass && data.begin == holes_[next]) {
      if (!frames_statements(holed_.node(i).parent())) return nullptr;
      const auto& [node, begin] = kept_[next++];
      tree_->append(node.tree(), node.index(), node.past(), parent,
                    static_cast<std::int64_t>(begin) - static_cast<std::int64_t>(node.begin()));
      i = data.past;
      continue;
    }
    open.push_back(tree_->size());
    tree_->nodes_.push_back(
        {data.kind, data.field, data.named, data.child, moved(data.begin), moved(data.end), parent, data.past});
    ++i;
  }
  places_.back() = tree_->size();
  for (const int node : open) {
    int& past = tree_->nodes_[static_cast<std::size_t>(node)].past;
    past = places_[static_cast<std::size_t>(past)];
  }
  return next == kept_.size() ? std::move(tree_) : nullptr;
}

std::vector<ReusedSubtree> kept_statements(const Tree& old, int first, int past, const EditSet& edits,
                                           const std::string& text, std::ptrdiff_t moved) {
  std::vector<ReusedSubtree> kept;
  auto edit = edits.edits().begin();
  const auto last = edits.edits().end();
  std::ptrdiff_t growth = 0;
  for (int i = first; i < past;) {
    const Node node = old.node(i);
    if (!is_simple(node) || !frames_statements(node.parent())) {
      ++i;
      continue;
    }
    i = node.past();
    for (; edit != last && edit->end <= node.begin(); ++edit)
      growth += static_cast<std::ptrdiff_t>(edit->text.size()) - static_cast<std::ptrdiff_t>(edit->end - edit->begin);
    if (edit != last && edit->begin < node.end()) continue;
    const auto begin = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(node.begin()) + growth + moved);
    const bool same = own_line(old.source(), node.begin(), node.end()) &&
                      own_line(text, begin, begin + (node.end() - node.begin())) &&
                      node.end() - node.begin() > kHole.size();
    if (same) kept.push_back({node, begin});
  }
  return kept;
}

Result<std::shared_ptr<const Tree>> parse_around(const std::string& text, const std::vector<ReusedSubtree>& kept) {
  if (kept.empty()) return parse_tree(text);
  std::string holed;
  std::size_t at = 0;
  for (const ReusedSubtree& one : kept) {
    holed.append(text, at, one.begin - at).append(kHole);
    at = one.begin + (one.node.end() - one.node.begin());
  }
  holed.append(text, at);
  auto parsed = parse_tree(holed);
  if (parsed)
    if (auto whole = TreeFill(*parsed.value(), text, kept).make()) return whole;
  return parse_tree(text);
}

}  // namespace jp::mutate
