#include "mutate/outline/signature.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/among.h"
#include "mutate/names/moved_code.h"
#include "mutate/names/own_code.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// A node of one of these kinds encloses the node inside the statement.
bool nested(const Statement& statement, const Node& node, std::string_view kind) {
  for (Node up = node.parent(); up && up.begin() >= statement.begin; up = up.parent())
    if (up.is(kind)) return true;
  return false;
}

/// The program may show the qualified name of what the node defines, as the repr of a dataclass does.
bool shows_its_path(const Parsed& parsed, const Node& node) {
  const bool decorated = node.is("class_definition") && node.parent().is("decorated_definition");
  return decorated || shows_qualified_name(parsed, node);
}

/// How a variable of a function is used outside of bytes [begin, end).
struct Elsewhere {
  bool used = false;
  bool bound = false;  // by code of the function itself
};

Elsewhere elsewhere(const Scopes& scopes, int frame, std::string_view name, std::size_t begin, std::size_t end) {
  Elsewhere found;
  for (const Use& use : scopes.uses_of(frame, name)) {
    if (use.node.begin() >= begin && use.node.begin() < end) continue;
    found.used = true;
    found.bound = found.bound || (use.kind == Use::Kind::kBind && scopes.frame(use.scope) == frame);
  }
  return found;
}

/// Deletions, and `:=` inside generators, have another meaning or none in a frame of their own.
bool followable(const Scopes& scopes, std::span<const Use> uses, int frame) {
  return std::none_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.kind == Use::Kind::kDelete && scopes.frame(use.scope) == frame) return true;
    return use.conditional && use.kind == Use::Kind::kBind && scopes.frame(use.scope) != frame &&
           scopes.scope(scopes.frame(use.scope)).kind == Scope::Kind::kGenerator;
  });
}

void add_declared(const Scopes& scopes, std::span<const Use> uses, int frame, BodySignature& found) {
  const Scope& scope = scopes.scope(frame);
  for (const Use& use : uses) {
    if (use.kind != Use::Kind::kBind || scopes.frame(use.scope) != frame || use.owner == frame) continue;
    auto& list = scope.globals.contains(use.name) ? found.globals : found.nonlocals;
    bool declared = scope.globals.contains(use.name) || scope.nonlocals.contains(use.name);
    if (declared && !among(list, use.name)) list.emplace_back(use.name);
  }
}

/// Follows the flow of a range's names.
class WrittenNames {
 public:
  WrittenNames(const Parsed& parsed, const Statement& first, const Statement& last,
               const std::vector<std::string>& known_before, const std::vector<std::string>& known_after)
      : scopes_(parsed.scopes()),
        begin_(first.begin),
        end_(last.end),
        frame_(scopes_.scope_of(first)),
        loop_(in_loop(parsed, first)),
        guard_(in_guard(parsed, first)),
        before_(parsed.surely_bound(first)),
        known_after_(known_after) {
    before_.insert(known_before.begin(), known_before.end());
    with_ = flow_of(parsed, first, last, before_);
    alone_ = flow_of(parsed, first, last, {});
  }

  WrittenName operator()(const std::string& name) const {
    const Elsewhere other = elsewhere(scopes_, frame_, name, begin_, end_);
    const bool captured = scopes_.captured(frame_, name);
    const bool early = alone_.early_reads.contains(name);
    const bool sure = alone_.bound_after.contains(name);
    const bool seen_after = among(known_after_, name) && !loop_;
    const bool partial = early || !sure;
    const bool comes = !partial || before_.contains(name) || (!early && seen_after);
    WrittenName written;
    written.name = name;
    written.comes_in = partial && before_.contains(name);
    written.by_value = !captured && !with_.early_reads.contains(name) &&
                       (with_.bound_after.contains(name) || seen_after) && comes && !(guard_ && other.used);
    written.needs_prelude = !other.bound;
    written.unbound_prelude = captured || guard_;
    written.by_nonlocal = other.bound || (sure && !early && !(captured && loop_));
    written.stays = !captured && !other.used && !early;
    return written;
  }
  bool bound_before(std::string_view name) const { return before_.contains(name); }

 private:
  const Scopes& scopes_;
  std::size_t begin_;
  std::size_t end_;
  int frame_;
  bool loop_;
  bool guard_;
  NameSet before_;
  const std::vector<std::string>& known_after_;
  RunFlow with_;   // with what is bound before
  RunFlow alone_;  // with nothing bound before
};

std::string_view refusal(const Parsed& parsed, const BodySignature& found) {
  if (found.range.empty()) return "no range of one block";
  for (const Statement* statement : found.range)
    if (std::string_view reason = rooted_by(parsed, *statement); !reason.empty()) return reason;
  const Scopes& scopes = parsed.scopes();
  const auto uses = scopes.uses_in(found.first().begin, found.last().end);
  return followable(scopes, uses, scopes.scope_of(found.first())) ? "" : "a name is deleted or bound by a generator";
}

constexpr std::array<std::string_view, 7> kBranched = {"if_statement",   "for_statement",   "while_statement",
                                                       "try_statement",  "match_statement", "with_statement",
                                                       "raise_statement"};

/// The statements of a loop's body, which must be a block of its own; nothing otherwise.
const Block* body_of(const Parsed& parsed, const Statement& loop) {
  const Statement* first = parsed.statement_at(loop.node.field("body").children().front().begin());
  return first && first->parent == loop.index ? &parsed.blocks()[static_cast<std::size_t>(first->block)] : nullptr;
}

LoopSignature refused_loop(std::string_view reason) {
  LoopSignature found;
  found.body.refused = reason;
  return found;
}

}  // namespace

bool BodySignature::writes(std::string_view name) const {
  return std::any_of(written.begin(), written.end(), [&](const WrittenName& one) { return one.name == name; });
}

bool BodySignature::knows(std::string_view name) const { return writes(name) || among(readable, name); }

std::vector<std::string> BodySignature::inputs() const {
  std::vector<std::string> names;
  for (const WrittenName& name : written)
    if (name.comes_in) names.push_back(name.name);
  add(names, readable);
  return names;
}

std::vector<std::string> BodySignature::outputs() const {
  std::vector<std::string> names;
  for (const WrittenName& name : written)
    if (!name.stays) names.push_back(name.name);
  return names;
}

bool BodySignature::returns_all() const {
  return std::all_of(written.begin(), written.end(),
                     [](const WrittenName& name) { return name.by_value || name.stays; });
}

bool BodySignature::is_self_contained(const Parsed& parsed) const {
  const Scopes& scopes = parsed.scopes();
  const int frame = scopes.scope_of(first());
  const auto uses = scopes.uses_in(first().begin, last().end);
  return std::all_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.owner <= 0 || scopes.scope(use.owner).node.begin() >= first().begin) return true;
    return use.owner == frame && knows(use.name);
  });
}

BodySignature find_signature(const Parsed& parsed, const Statement& first, const Statement& last,
                             const std::vector<std::string>& known_before,
                             const std::vector<std::string>& known_after) {
  BodySignature found;
  found.range = run_between(parsed, first, last);
  found.refused = refusal(parsed, found);
  if (!found) return found;
  const Scopes& scopes = parsed.scopes();
  const int frame = scopes.scope_of(first);
  const auto uses = scopes.uses_in(first.begin, last.end);
  add_declared(scopes, uses, frame, found);
  const WrittenNames written(parsed, first, last, known_before, known_after);
  const NameSet names = scopes.bound_in(first.begin, last.end, frame);
  for (const auto& name : names) {
    const WrittenName& made = found.written.emplace_back(written(name));
    if (!made.by_value && !made.by_nonlocal && !made.stays) found.refused = "a name can't come back";
    if (!found) return found;
  }
  NameSet read;
  for (const Use& use : uses)
    if (use.owner == frame && use.kind == Use::Kind::kRead && !names.contains(use.name)) read.insert(use.name);
  for (const auto& name : read)
    if (written.bound_before(name) && !scopes.captured(frame, name)) found.readable.push_back(name);
  return found;
}

LoopSignature find_loop_signature(const Parsed& parsed, const Statement& loop) {
  const Block* block = body_of(parsed, loop);
  if (loop.exits.leaves() || !block) return refused_loop("control leaves the loop, or its body has no lines");
  LoopSignature found;
  found.body =
      find_signature(parsed, parsed.statement(block->statements.front()), parsed.statement(block->statements.back()));
  if (!found.body) return found;
  auto& carried = found.body.written;
  const Scopes& scopes = parsed.scopes();
  const int frame = scopes.scope_of(loop);
  const Node target = loop.node.field("left");
  std::vector<WrittenName> of_target;
  for (const Use& use : scopes.uses_in(target.begin(), target.end())) {
    if (use.kind != Use::Kind::kBind || use.owner != frame || found.body.writes(use.name))
      return refused_loop("the target is no variable of the function, or the body binds it too");
    const auto uses = scopes.uses_of(frame, use.name);
    const bool outside = std::any_of(uses.begin(), uses.end(), [&](const Use& other) {
      return other.node.begin() < target.begin() || other.node.begin() >= loop.end ||
             scopes.frame(other.scope) != frame;
    });
    if (outside) of_target.push_back({.name = std::string(use.name), .by_nonlocal = true, .needs_prelude = true});
  }
  if (of_target.empty() && target.is("identifier")) found.parameter = std::string(target.text());
  std::erase_if(carried, [](const WrittenName& name) { return name.stays; });
  for (WrittenName& name : carried)
    if (!name.by_nonlocal) return refused_loop("a name can't be carried over iterations");
  add(carried, of_target);
  // The loop may run no time, and the names be unbound after it.
  for (WrittenName& name : carried) name.unbound_prelude = true;
  return found;
}

std::string_view rooted_by(const Parsed& parsed, const Statement& statement) {
  if (!insertion_point(parsed, statement)) return "no statements can be inserted";
  if (statement.exits.leaves()) return "control leaves the range";
  if (shows_unbound(parsed, statement, {statement.begin, statement.end})) return "an unbound name is told from another";
  for (const Node node : nodes_of(statement.node)) {
    if (!node.named()) continue;
    std::string_view kind = node.kind();
    if (kind == "wildcard_import" || kind == "type_alias_statement") return "a statement that functions can't have";
    if (shows_its_path(parsed, node)) return "a function or class shows its qualified name";
    bool declares = kind == "global_statement" || kind == "nonlocal_statement";
    if (declares && !nested(statement, node, "function_definition")) return "a name is declared";
    if (kind == "assignment" && node.field("type")) return "a name is annotated";
    bool of_class = kind == "identifier" && (node.text() == "super" || node.text() == "__class__");
    if (of_class && !nested(statement, node, "class_definition")) return "super() needs its method";
  }
  return "";
}

StraightRun::StraightRun(const Parsed& parsed, const Statement& first)
    : parsed_(parsed), begin_(first.begin), frame_(parsed.scopes().scope_of(first)), loop_(in_loop(parsed, first)) {}

bool StraightRun::take(const Statement& statement) {
  straight_ = straight_ && !among(kBranched, statement.kind());
  if (!straight_) return false;
  const Scopes& scopes = parsed_.scopes();
  const auto uses = scopes.uses_in(statement.begin, statement.end);
  for (const Use& use : uses)
    if (use.kind == Use::Kind::kRead && use.owner == frame_ && !among(bound_, use.name)) early_.push_back(use.name);
  for (const Use& use : uses) {
    if (use.kind == Use::Kind::kRead) continue;
    bool here = scopes.frame(use.scope) == frame_;
    straight_ = straight_ && !(here && use.kind == Use::Kind::kDelete) && !use.conditional;
    if (use.owner == frame_ && here && !among(bound_, use.name)) bound_.push_back(use.name);
  }
  return straight_ &&
         std::all_of(bound_.begin(), bound_.end(), [&](std::string_view name) { return settled(name, statement.end); });
}

/// The name may be declared nonlocal, whatever facts know.
bool StraightRun::settled(std::string_view name, std::size_t end) const {
  const Scopes& scopes = parsed_.scopes();
  const bool early = among(early_, name);
  if (!early && (!loop_ || !scopes.captured(frame_, name))) return true;
  return elsewhere(scopes, frame_, name, begin_, end).bound;
}

bool in_loop(const Parsed& parsed, const Statement& statement) {
  return stands_in(parsed, statement, {"for_statement", "while_statement"});
}

bool in_guard(const Parsed& parsed, const Statement& statement) {
  return stands_in(parsed, statement, {"try_statement", "with_statement"});
}

bool is_mangled(std::string_view name) { return name.starts_with("__") && !name.ends_with("__"); }

bool has_mangled_name(const Node& node) {
  for (const Node inner : nodes_of(node))
    if (inner.is("identifier") && is_mangled(inner.text())) return true;
  return false;
}

bool mentions_any(const Node& node, std::initializer_list<std::string_view> words) {
  for (const Node inner : nodes_of(node))
    if (inner.is("identifier") && among(words, inner.text())) return true;
  return false;
}

bool may_stop_iteration(const Parsed& parsed, const Node& node) {
  if (parsed.has_word("StopIteration") || may_advance(parsed, node)) return true;
  for (const Node inner : nodes_of(node))
    if (inner.is("identifier") && advances_iterator(inner.text())) return true;
  return false;
}

bool means_builtin(const Parsed& parsed, std::string_view name) {
  const auto& scopes = parsed.scopes().scopes();
  return std::none_of(scopes.begin(), scopes.end(), [&](const Scope& scope) { return scope.bound.contains(name); });
}

}  // namespace jp::mutate
