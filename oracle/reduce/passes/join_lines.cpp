// Joins what stands in brackets on several lines if it fits on one:
//
//     return (
//         torch.ones(3),          return (torch.ones(3), 1)
//         1)
#include <cctype>

#include "oracle/reduce/edits.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::join_lines_pass {
namespace {

// The default of Python's formatters.
constexpr std::size_t kWidth = 88;

bool is_bracketed(const Node& node) {
  for (std::string_view kind :
       {"tuple", "list", "argument_list", "parameters", "set", "dictionary", "subscript", "parenthesized_expression"})
    if (node.named() && node.is(kind)) return true;
  return false;
}

bool breaks_line(std::string_view text) { return text.find('\n') != std::string_view::npos; }

// Nothing in it needs its line to end: no comment, no string over several lines.
bool joins(const Parsed& parsed, const Node& node) {
  for (int i = node.index(); i < node.past(); ++i) {
    const Node inner = parsed.tree().node(i);
    if (inner.is("comment") || inner.is("lambda")) return false;
    if (inner.is("string") && breaks_line(inner.text())) return false;
  }
  return true;
}

// The gap at `begin` if it ends a line: white space up to `end`, with at most a line continuation in it.
std::size_t end_of_gap(std::string_view source, std::size_t begin) {
  std::size_t end = begin;
  while (end < source.size() && (std::isspace(static_cast<unsigned char>(source[end])) != 0 || source[end] == '\\'))
    ++end;
  return end;
}

EditSet joined(std::string_view source, const Node& node) {
  EditSet edits;
  for (std::size_t at = node.begin(); at < node.end(); ++at) {
    const std::size_t end = end_of_gap(source, at);
    if (end == at || !breaks_line(source.substr(at, end - at))) continue;
    const bool open = std::string_view("([{").find(source[at - 1]) != std::string_view::npos;
    const bool closes = std::string_view(")]}").find(source[end]) != std::string_view::npos;
    if (!put(edits, at, end, open || closes ? "" : " ")) return {};
    at = end;
  }
  return edits;
}

// The length in bytes from the beginning of the line on which the node begins to the end of that on which it ends, when
// joined.
std::size_t width(std::string_view source, const Node& node, const EditSet& edits) {
  const std::size_t before = source.rfind('\n', node.begin());
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  const std::size_t end = std::min(source.find('\n', node.end()), source.size());
  std::size_t bytes = end - begin;
  for (const Edit& edit : edits.edits()) bytes = bytes - (edit.end - edit.begin) + edit.text.size();
  return bytes;
}

class JoinLines final : public Pass {
 public:
  JoinLines() : Pass({"join_lines", Tier::kPolish, false, "Joins what stands in brackets on several lines."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    const std::string_view source = parsed.source();
    for (int i = 0; i < parsed.tree().size(); ++i) {
      const Node node = parsed.tree().node(i);
      if (!is_bracketed(node) || !breaks_line(node.text()) || !joins(parsed, node)) continue;
      EditSet edits = joined(source, node);
      if (!edits.empty() && width(source, node, edits) <= kWidth) proposals.push_back(std::move(edits));
    }
    return proposals;
  }
};

const Register<Pass, JoinLines> registered;

}  // namespace
}  // namespace jp::reduce::join_lines_pass
