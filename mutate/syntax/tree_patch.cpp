// The tree after edits, without parsing the whole text again. The statements that an edit touches (in a long tuple its
// lines, in a function its head) are parsed alone, and their nodes replace the old ones. tree-sitter's own incremental
// parsing reuses little of a Python tree: to its grammar most statements are ambiguous up to their end, and it never
// reuses ambiguous nodes. The whole text is parsed wherever a part might parse differently alone than in its place.
#include <algorithm>
#include <optional>
#include <utility>

#include "mutate/syntax/reused_subtree.h"

namespace jp::mutate {
namespace {

/// Text put around a fragment so that it parses alone.
struct Frame {
  std::string_view before;  // text around it
  std::string_view after;
  int leading = 0;  // nodes before it
  int trailing = 0;
};
constexpr Frame kModule{"", "", 1, 0};
constexpr Frame kBlock{"if 1:\n", "", 6, 0};    // module, if_statement, "if", integer, ":", block
constexpr Frame kHead{"", "    pass\n", 2, 3};  // module, function_definition; block, pass_statement, "pass"
constexpr Frame kTuple{"(\n", ")", 4, 1};       // module, expression_statement, tuple, "("; ")"

/// Neighbouring nodes that are parsed again.
struct Region {
  int around = 0;  // the old node: a module, a block, a tuple or a function
  int first = 0;   // old nodes [first, past), whole parts of `around`; empty where lines are only inserted
  int past = 0;
  std::size_t begin = 0;  // whole lines of the old text: [begin, end)
  std::size_t end = 0;
  std::int64_t growth = 0;  // bytes by which its text grows
};

bool is_frame(const Node& node) {
  static const std::uint16_t tuple = kind_number("tuple");
  static const std::uint16_t function = kind_number("function_definition");
  static const std::uint16_t block = kind_number("block");
  const std::uint16_t kind = node.number();
  return kind == tuple || kind == function || (kind == block && !node.parent().is("match_statement"));
}

const Frame& frame_of(const Node& node) {
  if (node.is("module")) return kModule;
  if (node.is("tuple")) return kTuple;
  return node.is("block") ? kBlock : kHead;
}

/// Calls `take` for each part of the node that can be parsed alone (statements, or a tuple's items with their commas),
/// until it returns false.
template <typename Take>
void each_part(const Node& node, Take&& take) {
  const bool tuple = node.is("tuple");
  for (const Node& part : tuple ? node.tokens() : node.children()) {
    const bool parenthesis = tuple && (part.index() == node.index() + 1 || part.past() == node.past());
    if (!parenthesis && !take(part)) return;
  }
}

/// The first and the last of these parts, or nothing.
std::optional<std::pair<Node, Node>> ends_of(const Node& node) {
  Node first;
  Node last;
  each_part(node, [&](const Node& part) {
    if (!first) first = part;
    last = part;
    return true;
  });
  if (!first) return std::nullopt;
  return std::pair(first, last);
}

std::size_t line_begin(const Tree& tree, std::size_t at) { return at - tree.column(at); }

std::size_t line_end(std::string_view text, std::size_t at) {
  std::size_t end = text.find('\n', at);
  return end == std::string_view::npos ? text.size() : end + 1;
}

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }

std::string_view indent_at(std::string_view text, std::size_t line) {
  std::size_t end = text.find_first_not_of(" \t", line);
  return text.substr(line, end == std::string_view::npos ? end : end - line);
}

/// The indentation of parts that stand on lines of their own; nothing if they don't.
std::optional<std::string_view> indent_of(const Tree& tree, const Node& first) {
  std::string_view text = tree.source();
  std::size_t at = first.begin();
  std::size_t line = line_begin(tree, at);
  if (indent_at(text, line).size() != at - line) return std::nullopt;
  return text.substr(line, at - line);
}

}  // namespace

/// Makes the new tree from the old one and the parsed fragments.
class TreePatch {
 public:
  TreePatch(const Tree& old, const EditSet& edits, const std::string& source)
      : old_(old), edits_(edits), tree_(new Tree(source)) {}
  /// Returns nothing if the whole text must be parsed.
  std::shared_ptr<const Tree> make();

 private:
  std::optional<Region> region_of(const Edit& edit) const;
  std::optional<Node> inner(const Node& part, const Edit& edit) const;
  std::optional<Region> touched(const Node& around, const Edit& edit) const;
  std::optional<Region> head(const Node& function, const Edit& edit) const;
  bool holds(const Node& around, const Edit& edit) const;
  bool find_regions();
  bool whole_lines(const Region& region) const;
  bool parse_regions();
  std::optional<std::string> fragment(const Region& region, std::size_t begin) const;
  bool fits(const Region& region, const Tree& part) const;
  void join();
  std::pair<std::uint32_t, std::uint32_t> span(std::size_t region) const;
  std::uint32_t begin_of(int old) const;
  std::uint32_t end_of(int old) const;

  const Tree& old_;
  const EditSet& edits_;
  std::shared_ptr<Tree> tree_;
  std::vector<Region> regions_;
  std::vector<std::shared_ptr<const Tree>> parts_;
  std::vector<std::int64_t> offsets_;  // of each part's bytes in the new text
};

/// The head of a module-level function, if the edit lies in it.
std::optional<Region> TreePatch::head(const Node& function, const Edit& edit) const {
  std::string_view text = old_.source();
  Node body = function.field("body");
  Region region{function.index(), function.index() + 1, body.index(), function.begin(), 0, 0};
  region.end = line_begin(old_, body.begin());
  const bool own_lines = line_begin(old_, function.begin()) == function.begin() && region.end > function.begin() &&
                         blank(text.substr(region.end, body.begin() - region.end));
  if (!own_lines || edit.begin <= region.begin || edit.end >= region.end) return std::nullopt;
  return region;
}

/// The edit lies in the lines of the node's parts. An insertion at their edge counts if it is indented like them.
bool TreePatch::holds(const Node& around, const Edit& edit) const {
  if (around.is("function_definition")) return head(around, edit).has_value();
  std::string_view text = old_.source();
  const auto ends = ends_of(around);
  if (!ends) return false;
  auto indent = indent_of(old_, ends->first);
  std::size_t begin = line_begin(old_, ends->first.begin());
  std::size_t last = ends->second.end();
  std::size_t end = line_end(text, last);
  if (!indent || edit.begin < begin || edit.end > end || !blank(text.substr(last, end - last))) return false;
  bool between = edit.begin == edit.end && (edit.begin == begin || edit.begin == end);
  return !between || indent_at(edit.text, 0) == *indent;
}

std::optional<Node> TreePatch::inner(const Node& part, const Edit& edit) const {
  for (int i = part.index(); i < part.past(); ++i)
    if (Node node = old_.node(i); is_frame(node) && holds(node, edit)) return node;
  return std::nullopt;
}

/// The parts whose lines the edit touches.
std::optional<Region> TreePatch::touched(const Node& around, const Edit& edit) const {
  std::string_view text = old_.source();
  const bool new_lines = edit.begin == edit.end && edit.text.ends_with('\n');
  Region region{around.index(), -1, -1, 0, 0, 0};
  each_part(around, [&](const Node& part) {
    std::size_t begin = line_begin(old_, part.begin());
    std::size_t end = line_end(text, part.end());
    if (new_lines && edit.begin == begin) region = {around.index(), part.index(), part.index(), begin, begin, 0};
    if ((new_lines && edit.begin == begin) || edit.end < begin) return false;
    if (edit.begin > end) return true;
    if (region.first < 0) {
      region.first = part.index();
      region.begin = begin;
    }
    region.past = part.past();
    region.end = end;
    return true;
  });
  if (region.first < 0) return std::nullopt;
  return region;
}

std::optional<Region> TreePatch::region_of(const Edit& edit) const {
  Node around = old_.root();
  while (true) {
    auto region = around.is("function_definition") ? head(around, edit) : touched(around, edit);
    if (!region || around.is("function_definition")) return region;
    std::optional<Node> next;
    for (int at = region->first; at < region->past && !next; at = old_.node(at).past())
      next = inner(old_.node(at), edit);
    if (!next) return region;
    around = *next;
  }
}

bool TreePatch::find_regions() {
  for (const Edit& edit : edits_.edits()) {
    auto region = region_of(edit);
    if (!region) return false;
    region->growth = static_cast<std::int64_t>(edit.text.size()) - static_cast<std::int64_t>(edit.end - edit.begin);
    regions_.push_back(*region);
  }
  std::stable_sort(regions_.begin(), regions_.end(), [](const Region& one, const Region& other) {
    return one.begin != other.begin ? one.begin < other.begin : one.end > other.end;
  });
  std::vector<Region> merged;
  for (const Region& region : regions_) {
    if (merged.empty() || region.begin > merged.back().end) {
      merged.push_back(region);
      continue;
    }
    Region& before = merged.back();
    if (region.around == before.around) {
      before.past = std::max(before.past, region.past);
      before.end = std::max(before.end, region.end);
    } else if (region.end > before.end) {
      return false;
    }
    before.growth += region.growth;
  }
  regions_ = std::move(merged);
  return true;
}

bool TreePatch::whole_lines(const Region& region) const {
  std::string_view text = old_.source();
  if (!indent_of(old_, old_.node(region.first))) return false;
  std::size_t last = 0;
  for (int at = region.first; at < region.past; at = old_.node(at).past()) last = old_.node(at).end();
  return region.first == region.past || blank(text.substr(last, region.end - last));
}

/// The text to parse for a region; nothing unless it consists of whole lines that parse alone as they do in their
/// place.
std::optional<std::string> TreePatch::fragment(const Region& region, std::size_t begin) const {
  std::string_view before = old_.source();
  std::string_view after = tree_->source();
  std::string_view lines = after.substr(begin, region.end - region.begin + region.growth);
  // Comments are excluded because their parent depends on what follows; the first node is, because the module's begin
  // depends on it.
  const bool plain = region.first > 1 && lines.find('#') == lines.npos && !blank(lines) && lines.ends_with('\n') &&
                     !lines.ends_with("\\\n") && !lines.ends_with("\\\r\n");
  if (!plain || (begin > 0 && after[begin - 1] != '\n')) return std::nullopt;
  std::size_t next = before.find_first_not_of(" \t\r\n", region.end);
  if (next != before.npos && before[next] == '#') return std::nullopt;
  if (!whole_lines(region)) return std::nullopt;
  const Frame& frame = frame_of(old_.node(region.around));
  return std::string(frame.before).append(lines).append(frame.after);
}

/// The parsed fragment has the expected nodes around it, and its indentation agrees with the node that it belongs to.
bool TreePatch::fits(const Region& region, const Tree& part) const {
  Node around = old_.node(region.around);
  const Frame& frame = frame_of(around);
  if (part.size() <= frame.leading + frame.trailing) return false;
  Node first = part.node(frame.leading);
  Node framed = first.parent();
  // The framing nodes must end where the text ends: otherwise the fragment holds something besides the parts.
  for (Node up = framed; up; up = up.parent())
    if (up.past() != part.size()) return false;
  if (framed.kind() != around.kind()) return false;
  if (around.is("tuple")) return framed.index() == frame.leading - 2;
  if (framed.index() != frame.leading - 1) return false;
  if (around.is("function_definition")) return framed.field("body").index() == part.size() - frame.trailing;
  return indent_of(part, first) == indent_of(old_, ends_of(around)->first);
}

bool TreePatch::parse_regions() {
  std::int64_t shift = 0;
  for (const Region& region : regions_) {
    auto begin = static_cast<std::int64_t>(region.begin) + shift;
    auto text = fragment(region, static_cast<std::size_t>(begin));
    if (!text) return false;
    offsets_.push_back(begin - static_cast<std::int64_t>(frame_of(old_.node(region.around)).before.size()));
    auto part = parse_around(*text, kept_statements(old_, region.first, region.past, edits_, *text, -offsets_.back()));
    if (!part || !fits(region, *part.value())) return false;
    parts_.push_back(std::move(part).value());
    shift += region.growth;
  }
  return true;
}

/// The byte range of a region's parsed nodes in the new text.
std::pair<std::uint32_t, std::uint32_t> TreePatch::span(std::size_t region) const {
  const Node first = parts_[region]->node(frame_of(old_.node(regions_[region].around)).leading);
  auto at = [&](std::size_t byte) {
    return static_cast<std::uint32_t>(offsets_[region] + static_cast<std::int64_t>(byte));
  };
  return {at(first.begin()), at(first.parent().children().back().end())};
}

/// The byte at which an old node begins in the new text. A block begins with its first statement, which may be parsed
/// again.
std::uint32_t TreePatch::begin_of(int old) const {
  const std::size_t position = old_.node(old).begin();
  std::int64_t shift = 0;
  for (std::size_t i = 0; i < regions_.size() && regions_[i].begin <= position; ++i) {
    if (regions_[i].around == old && old_.node(regions_[i].first).begin() == position) return span(i).first;
    if (regions_[i].end <= position) shift += regions_[i].growth;
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(position) + shift);
}

/// The byte at which it ends: that of its last statement, if that is parsed again.
std::uint32_t TreePatch::end_of(int old) const {
  const std::size_t position = old_.node(old).end();
  std::int64_t shift = 0;
  for (std::size_t i = 0; i < regions_.size() && regions_[i].begin < position; ++i) {
    if (position < regions_[i].end) return span(i).second;
    shift += regions_[i].growth;
  }
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(position) + shift);
}

void TreePatch::join() {
  auto& nodes = tree_->nodes_;
  nodes.reserve(old_.nodes_.size() + 64);
  struct Open {
    int old = 0;
    int made = 0;
  };
  std::vector<Open> open;
  auto close = [&](int upto) {
    for (; !open.empty() && old_.nodes_[open.back().old].past <= upto; open.pop_back())
      nodes[open.back().made].past = tree_->size();
  };
  std::size_t region = 0;
  std::int64_t growth = 0;  // of the regions before
  for (int i = 0; i < old_.size();) {
    close(i);
    if (region < regions_.size() && regions_[region].first == i) {
      const Tree& part = *parts_[region];
      const Frame& frame = frame_of(old_.node(regions_[region].around));
      tree_->append(part, frame.leading, part.size() - frame.trailing, open.back().made, offsets_[region]);
      growth += regions_[region].growth;
      i = regions_[region++].past;
      continue;
    }
    if (i > 0 && (region == regions_.size() || old_.nodes_[i].end < regions_[region].begin)) {
      tree_->append(old_, i, old_.nodes_[i].past, open.back().made, growth);  // no region touches it
      i = old_.nodes_[i].past;
      continue;
    }
    Tree::Data data = old_.nodes_[i];
    data.begin = begin_of(i);
    data.end = end_of(i);
    data.parent = open.empty() ? -1 : open.back().made;
    open.push_back({i, tree_->size()});
    nodes.push_back(data);
    ++i;
  }
  close(old_.size());
}

std::shared_ptr<const Tree> TreePatch::make() {
  if (!find_regions() || !parse_regions()) return nullptr;
  join();
  return std::move(tree_);
}

Result<std::shared_ptr<const Tree>> parse_again(const Tree& old, const EditSet& edits, const std::string& source) {
  if (auto patched = TreePatch(old, edits, source).make()) return patched;
  return parse_tree(source);
}

}  // namespace jp::mutate
