// Replaces a compound statement by the contents of one of its blocks:
//
//     if x.sum() > 0:             x = x + 1
//         x = x + 1
//     else:
//         x = x - 1
//
// Any block of an if, with, try, for or while. The target of a loop gets the first item, the name of a with its context
// manager. Blocks that leave a loop with break or continue stay.
#include <fmt/format.h>

#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::lift_blocks_pass {
namespace {

bool reads(const Parsed& parsed, const Statement& first, const Statement& last, std::string_view name) {
  for (const auto& use : parsed.scopes().uses_in(first.begin, last.end))
    if (use.name == name) return true;
  return false;
}

std::string first_item(const Node& iterable) {
  if (const mutate::Call made = mutate::call(iterable); made.name == "range") {
    const std::vector<Node> arguments = made.positional();
    return arguments.size() > 1 ? std::string(arguments[0].text()) : "0";
  }
  if (mutate::is_sequence(iterable) && !iterable.children().empty())
    return std::string(iterable.children().front().text());
  return fmt::format("next(iter({}))", iterable.text());
}

/// The lines that bind the block's names, or nothing if that can't be done.
std::optional<std::string> prelude(const Parsed& parsed, const Statement& around, const Node& block,
                                   const Statement& first, const Statement& last) {
  if (around.kind() == "for_statement" && block.parent() == around.node) {
    Node target = around.node.field("left");
    for (const auto& use : parsed.scopes().uses_in(target.begin(), target.end()))
      if (reads(parsed, first, last, use.name))
        return fmt::format("{}{} = {}\n", around.indent, target.text(), first_item(around.node.field("right")));
    return "";
  }
  if (around.kind() == "with_statement") {
    std::string lines;
    for (const Node& clause : around.node.children())
      for (const Node& item : clause.is("with_clause") ? clause.children() : mutate::NodeRange()) {
        Node value = item.field("value");
        if (!value || !value.is("as_pattern")) continue;
        auto parts = value.children();
        if (parts.size() != 2) return std::nullopt;
        lines += fmt::format("{}{} = {}\n", around.indent, parts[1].text(), parts[0].text());
      }
    return lines;
  }
  // The exception's name is bound nowhere else.
  for (const Node& part : block.parent().children())
    if (block.parent().kind().starts_with("except") && part.is("as_pattern")) return std::nullopt;
  return "";
}

class LiftBlocks final : public Pass {
 public:
  LiftBlocks()
      : Pass({"lift_blocks", Tier::kFlatten, false,
              "Replaces loops, conditions, handlers and other blocks by their contents."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (const mutate::Block& block : parsed.blocks()) {
      if (block.owner < 0 || block.statements.empty()) continue;
      const Statement& around = parsed.statement(block.owner);
      const Statement& first = parsed.statement(block.statements.front());
      const Statement& last = parsed.statement(block.statements.back());
      if (!liftable(around) || !first.own_lines || !last.own_lines || leaves_loop(parsed, around, block)) continue;
      auto names = prelude(parsed, around, block.node, first, last);
      if (!names) continue;
      EditSet edits;
      edits.replace(mutate::lines_begin(around), mutate::lines_end(parsed, around),
                    *names + mutate::moved_text(parsed, first, last, around.indent));
      proposals.push_back(std::move(edits));
    }
    return proposals;
  }

 private:
  static bool liftable(const Statement& around) {
    if (!around.own_lines || around.node.has_token("async")) return false;
    for (std::string_view kind :
         {"if_statement", "for_statement", "while_statement", "with_statement", "try_statement"})
      if (around.kind() == kind) return true;
    return false;
  }
  static bool leaves_loop(const Parsed& parsed, const Statement& around, const mutate::Block& block) {
    bool loop = around.kind() == "for_statement" || around.kind() == "while_statement";
    if (!loop || block.node.parent() != around.node) return false;
    for (int index : block.statements)
      if (const auto& exits = parsed.statement(index).exits; exits.breaks || exits.continues) return true;
    return false;
  }
};

const Register<Pass, LiftBlocks> registered;

}  // namespace
}  // namespace jp::reduce::lift_blocks_pass
