#include "oracle/reduce/canonical.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mutate/names/scopes.h"
#include "mutate/syntax/queries.h"

namespace jp::reduce {
namespace {

using mutate::Node;
using mutate::Parsed;

class Writer {
 public:
  explicit Writer(const Parsed& parsed) {
    for (const mutate::Use& use : parsed.scopes().uses())
      if (use.owner >= 0) owners_[use.node.index()] = use.owner;
    imported_ = mutate::imported_names(parsed.tree());
  }

  std::string form(const Node& node) {
    const std::string_view kind = node.kind();
    if (kind == "comment" || kind == "import_statement" || kind == "import_from_statement") return "";
    if (mutate::is_unsigned_number(node)) return number(node);
    if (kind == "string") return string(node);
    if (kind == "identifier") return name(node);
    const std::vector<Node> parts = node.tokens();
    if (kind == "unary_operator" && parts.size() == 2 && mutate::is_unsigned_number(parts[1]) && parts[0].is("-"))
      return form(parts[1]);
    if (kind == "parenthesized_expression" && node.children().size() == 1) return form(node.children().front());
    if (parts.empty()) return std::string(node.text());
    return whole(node, parts);
  }

 private:
  static std::string number(const Node& node) {
    const std::string_view text = node.text();
    if (text.ends_with('j') || text.ends_with('J')) return "<complex>";
    return node.is("float") ? "<float>" : "<int>";
  }

  // The contents: quoting is layout.
  static std::string string(const Node& node) {
    std::string text(node.text());
    const std::size_t open = text.find_first_of("'\"");
    if (open == std::string::npos) return text;
    const std::size_t quotes = text.compare(open, 3, "'''") == 0 || text.compare(open, 3, "\"\"\"") == 0 ? 3 : 1;
    if (text.size() < open + 2 * quotes) return text;
    return fmt::format("{}\"{}\"", text.substr(0, open), text.substr(open + quotes, text.size() - open - 2 * quotes));
  }

  std::string name(const Node& node) {
    const auto owner = owners_.find(node.index());
    const std::string text(node.text());
    if (owner == owners_.end() || imported_.contains(text)) return text;
    const auto numbered = numbers_.try_emplace({owner->second, text}, numbers_.size());
    return fmt::format("<name{}>", numbered.first->second);
  }

  std::string whole(const Node& node, const std::vector<Node>& parts) {
    std::vector<std::string> forms;
    for (const Node& part : parts)
      if (!part.is(",") && !part.is(";"))
        if (std::string one = form(part); !one.empty()) forms.push_back(std::move(one));
    if (mutate::is_sequence(node)) merge_equal(forms);
    return fmt::format("({} {})", node.kind(), fmt::join(forms, " "));
  }

  // Equal neighbours count as one.
  static void merge_equal(std::vector<std::string>& forms) {
    forms.erase(std::unique(forms.begin(), forms.end(),
                            [](const std::string& one, const std::string& next) {
                              return one == next && one.find("<name") == std::string::npos;
                            }),
                forms.end());
  }

  std::map<int, int> owners_;       // by the node of a use
  std::set<std::string> imported_;  // names that imports bind keep their names: "torch"
  std::map<std::pair<int, std::string>, std::size_t> numbers_;
};

}  // namespace

std::string canonical_form(const Parsed& parsed) { return Writer(parsed).form(parsed.tree().root()); }

std::string canonical_form(const Program& program) {
  Result<mutate::Parsed> parsed = mutate::parse(program);
  return parsed.ok() ? canonical_form(parsed.value()) : "";
}

}  // namespace jp::reduce
