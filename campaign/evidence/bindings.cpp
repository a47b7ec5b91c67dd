#include "campaign/evidence/bindings.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "campaign/evidence/program_edit.h"
#include "campaign/evidence/statement_form.h"
#include "mutate/syntax/queries.h"

namespace jp::campaign {
namespace {

using mutate::Node;
using mutate::Parsed;
using mutate::Statement;

// Excludes what makes an iterator, a function or a class: keeping an iterator would use it up, and the others tell
// nothing.
bool can_be_kept(const Node& right) {
  constexpr std::string_view kMakers[] = {"iter", "map", "zip", "filter", "enumerate", "reversed"};
  if (!right || right.is("lambda") || right.is("generator_expression")) return false;
  const mutate::Call made = mutate::call(right);
  if (!made || !made.function.is("identifier")) return true;
  return std::find(std::begin(kMakers), std::end(kMakers), made.name) == std::end(kMakers);
}

void add_name(std::string name, std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
}

// What a target binds or changes: `x`, both of `a, (b, *c)`, the object of `x[0]`, `self.total` itself.
void add_targets(const Node& target, std::vector<std::string>& names) {
  if (!target) return;
  if (target.is("identifier")) return add_name(std::string(target.text()), names);
  if (target.is("subscript")) return add_targets(target.field("value"), names);
  if (const mutate::Attribute part = mutate::attribute(target)) {
    if (part.object.is("identifier") || mutate::attribute(part.object)) add_name(std::string(target.text()), names);
    return;
  }
  if (mutate::call(target)) return;
  for (const Node& child : target.children()) add_targets(child, names);
}

void add_assigned(const mutate::Assignment& made, std::vector<std::string>& names) {
  const mutate::Assignment inner = mutate::assignment(made.right);
  if (inner) add_assigned(inner, names);
  if (made.augmented() || inner || can_be_kept(made.right)) add_targets(made.left, names);
}

// Names that can be kept after a statement without blocks.
std::vector<std::string> kept_behind(const Statement& statement, const std::set<std::string>& imported) {
  std::vector<std::string> names;
  const Node inner = mutate::sole_expression(statement);
  if (const mutate::Assignment made = mutate::assignment(inner)) add_assigned(made, names);
  if (const Node object = mutate::call(inner).object; object && object.is("identifier"))
    add_name(std::string(object.text()), names);
  std::erase_if(names, [&](const std::string& name) { return imported.contains(name); });
  return names;
}

// Names that are bound when the block of a `for` or `with` begins.
std::vector<std::string> kept_inside(const Statement& statement) {
  std::vector<std::string> names;
  if (statement.kind() == "for_statement") add_targets(statement.node.field("left"), names);
  if (statement.kind() != "with_statement") return names;
  for (int i = statement.node.index() + 1; i < statement.node.past(); ++i) {
    const Node node = statement.node.tree().node(i);
    if (node.begin() >= statement.node.field("body").begin()) break;
    if (node.is("as_pattern_target")) add_targets(node.children().front(), names);
  }
  return names;
}

const Statement* first_inside(const Parsed& parsed, const Statement& statement) {
  for (const mutate::Block& block : parsed.blocks())
    if (block.owner == statement.index && !block.statements.empty()) return &parsed.statement(block.statements.front());
  return nullptr;
}

// Where a statement stands: in the entry, in another function of the file, or in code that the entry's run doesn't
// show.
enum class Region { kEntry, kOutside, kElsewhere };

Region region_of(const Parsed& parsed, const Statement& statement) {
  if (statement.function < 0) return Region::kElsewhere;
  const Statement* top = &statement;
  while (top->parent >= 0) top = &parsed.statement(top->parent);
  const std::string_view name = mutate::defined_name(*top);
  if (name.empty()) return Region::kElsewhere;
  if (!mutate::defines_function(*top)) return Region::kOutside;
  if (name == parsed.program().entry()) return Region::kEntry;
  const bool harness = name == parsed.program().inputs() || name == "before_call" || name == "observe";
  return harness ? Region::kElsewhere : Region::kOutside;
}

void add_bindings(const Parsed& parsed, const Statement& statement, const std::set<std::string>& imported,
                  std::vector<Binding>& steps) {
  const Region region = region_of(parsed, statement);
  if (region == Region::kElsewhere) return;
  const std::string& source = parsed.source();
  Binding step{.statement = first_line(parsed, statement),
               .line = static_cast<int>(parsed.tree().row(statement.begin)) + 1,
               .index = statement.index,
               .outside = region == Region::kOutside};
  std::vector<std::string> names;
  if (statement.simple) {
    if (!statement.own_lines) return;
    names = kept_behind(statement, imported);
    step.behind = std::min(source.find('\n', statement.end), source.size() - 1) + 1;
    step.indent = statement.indent;
  } else {
    const Statement* inside = first_inside(parsed, statement);
    if (!inside || !inside->own_lines) return;
    names = kept_inside(statement);
    step.behind = source.rfind('\n', inside->begin) + 1;
    step.indent = inside->indent;
  }
  for (std::string& name : names) {
    step.name = std::move(name);
    steps.push_back(step);
  }
}

}  // namespace

std::string first_line(const Parsed& parsed, const Statement& statement) {
  const std::string text = parsed.source().substr(statement.begin, statement.end - statement.begin);
  return text.substr(0, text.find('\n'));
}

std::vector<Binding> bindings_of(const Parsed& parsed) {
  std::vector<Binding> steps;
  if (!entry_of(parsed)) return steps;
  const std::set<std::string> imported = mutate::imported_names(parsed.tree());
  for (const Statement& statement : parsed.statements()) add_bindings(parsed, statement, imported, steps);
  return steps;
}

}  // namespace jp::campaign
