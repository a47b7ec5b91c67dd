#include "oracle/reduce/edits.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/hash.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"
#include "oracle/reduce/tidy.h"

namespace jp::reduce {
namespace {

bool deletes(const Edit& edit) { return edit.begin < edit.end && edit.text.empty(); }
bool inserts(const Edit& edit) { return edit.begin == edit.end; }

/// Ordered by position; inserts before a replacement at the same place, wider edits before narrower ones.
bool stands_before(const Edit& one, const Edit& other) {
  if (one.begin != other.begin) return one.begin < other.begin;
  if (inserts(one) != inserts(other)) return inserts(one);
  return !inserts(one) && one.end > other.end;
}

bool covers(const EditSet& edits, const mutate::Node& item, const mutate::Node& list) {
  return std::any_of(edits.edits().begin(), edits.edits().end(), [&](const Edit& edit) {
    return deletes(edit) && edit.begin >= list.begin() && edit.begin <= item.begin() && edit.end >= item.end();
  });
}

/// A tuple of which only the last item stays needs a comma to stay a tuple.
EditSet with_tuples(const mutate::Parsed& parsed, const EditSet& edits) {
  EditSet made = edits;
  for (int i = 0; i < parsed.tree().size(); ++i) {
    mutate::Node list = parsed.tree().node(i);
    if (!list.is("tuple") && !list.is("expression_list")) continue;
    std::vector<mutate::Node> items = list.children();
    if (items.size() < 2 || covers(edits, items.back(), list)) continue;
    auto tokens = list.tokens();
    if (tokens[tokens.size() - (list.is("tuple") ? 2 : 1)].is(",")) continue;
    bool alone = std::all_of(items.begin(), items.end() - 1,
                             [&](const mutate::Node& item) { return covers(edits, item, list); });
    Edit comma{items.back().end(), items.back().end(), ","};
    // If another edit spans the place, the list is rewritten anyway.
    if (alone) (void)made.add(std::move(comma));
  }
  return made;
}

bool same_row(const mutate::Parsed& parsed, std::size_t one, std::size_t other) {
  return parsed.tree().row(one) == parsed.tree().row(other);
}

}  // namespace

std::optional<EditSet> merge(const EditSet& one, const EditSet& other) {
  std::vector<Edit> all = one.edits();
  all.insert(all.end(), other.edits().begin(), other.edits().end());
  std::stable_sort(all.begin(), all.end(), stands_before);
  std::vector<Edit> kept;
  for (Edit& edit : all) {
    if (kept.empty() || edit.begin >= kept.back().end) {
      kept.push_back(std::move(edit));
      continue;
    }
    Edit& last = kept.back();
    if (edit == last || (deletes(last) && edit.end <= last.end)) continue;
    if (!deletes(last) || !deletes(edit)) return std::nullopt;
    last.end = edit.end;
  }
  EditSet merged;
  for (Edit& edit : kept)
    if (!merged.add(std::move(edit))) return std::nullopt;
  return merged;
}

std::optional<mutate::Parsed> apply(const mutate::Parsed& parsed, const EditSet& edits) {
  const Program& from = parsed.program();
  auto whole = tidy(with_tuples(parsed, edits).apply(parsed.source()));
  if (!whole) return std::nullopt;
  Lineage lineage;
  lineage.seed = {.origin = Seed::Origin::kFile, .path = from.path(), .sha256 = sha256_hex(*whole)};
  auto program = Program::make(*std::move(whole), std::move(lineage), from.path(), from.entry(), from.inputs());
  if (!program) return std::nullopt;
  auto made = mutate::parse(program.value());
  if (!made) return std::nullopt;
  return std::move(made).value();
}

bool put(EditSet& edits, std::size_t begin, std::size_t end, std::string text) {
  EditSet one;
  one.replace(begin, end, std::move(text));
  auto merged = merge(edits, one);
  if (!merged) return false;
  edits = *std::move(merged);
  return true;
}

bool erase_statement(EditSet& edits, const mutate::Parsed& parsed, const mutate::Statement& statement) {
  if (statement.own_lines) return put(edits, mutate::lines_begin(statement), mutate::lines_end(parsed, statement), "");
  const auto& block = parsed.blocks()[static_cast<std::size_t>(statement.block)].statements;
  const auto place = static_cast<std::size_t>(statement.place);
  if (place + 1 < block.size()) {
    std::size_t next = parsed.statement(block[place + 1]).begin;
    if (same_row(parsed, statement.end, next)) return put(edits, statement.begin, next, "");
  }
  if (place > 0) {
    std::size_t former = parsed.statement(block[place - 1]).end;
    if (same_row(parsed, former, statement.begin)) return put(edits, former, statement.end, "");
  }
  return put(edits, statement.begin, statement.end, "pass");
}

bool erase_item(EditSet& edits, const std::vector<mutate::Node>& items, std::size_t at) {
  std::size_t end = items[at].end();
  bool found = false;
  for (const mutate::Node& token : items[at].parent().tokens()) {
    if (token.begin() < items[at].end()) continue;
    if (token.is(",") && !found) {
      found = true;
      end = token.end();
    } else if (found && !token.is("comment")) {
      if (at + 1 < items.size()) end = items[at + 1].begin();
      break;
    }
  }
  return put(edits, items[at].begin(), end, "");
}

EditSet replacement(const mutate::Node& node, std::string text) {
  EditSet edits;
  edits.replace(node.begin(), node.end(), std::move(text));
  return edits;
}

std::string as_operand(const mutate::Node& expression) {
  constexpr std::array<std::string_view, 14> kTight = {
      "identifier", "call",  "attribute",  "subscript", "integer", "float", "string",
      "list",       "tuple", "dictionary", "true",      "false",   "none",  "parenthesized_expression"};
  std::string text(expression.text());
  bool tight = std::find(kTight.begin(), kTight.end(), expression.kind()) != kTight.end();
  // `1.real` is not an attribute of 1.
  if (mutate::is_unsigned_number(expression) && mutate::attribute(expression.parent())) tight = false;
  return tight ? text : "(" + text + ")";
}

}  // namespace jp::reduce
