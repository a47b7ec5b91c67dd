#include "mutate/outline/extract.h"

#include <algorithm>
#include <array>

#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// A node of one of these kinds encloses the node inside the statement.
bool nested(const Statement& statement, const Node& node, std::initializer_list<std::string_view> kinds) {
  for (Node up = node.parent(); up && up.begin() >= statement.begin; up = up.parent())
    if (std::find(kinds.begin(), kinds.end(), up.kind()) != kinds.end()) return true;
  return false;
}

/// The program may show the class's qualified name, as the repr of a dataclass does.
bool shows_its_path(const Parsed& parsed, const Node& definition) {
  return definition.parent().is("decorated_definition") || parsed.has_word("__qualname__");
}

/// How one name is used outside of a range.
class NameInRun {
 public:
  NameInRun(const Parsed& parsed, const std::vector<const Statement*>& run, int frame, std::string_view name)
      : scopes_(parsed.scopes()), frame_(frame) {
    std::size_t begin = run.front()->begin;
    std::size_t end = run.back()->end;
    for (const Use& use : scopes_.uses_of(frame, name)) {
      bool within = use.node.begin() >= begin && use.node.begin() < end;
      if (within) continue;
      used_elsewhere = true;
      if (use.kind == Use::Kind::kBind && scopes_.frame(use.scope) == frame_) bound_elsewhere = true;
    }
    captured = scopes_.captured(frame, name);
  }
  bool used_elsewhere = false;
  bool bound_elsewhere = false;
  bool captured = false;

 private:
  const Scopes& scopes_;
  int frame_;
};

/// Deletions, and `:=` inside generators, have another meaning or none in a frame of their own.
bool followable(const Scopes& scopes, std::span<const Use> uses, int frame) {
  return std::none_of(uses.begin(), uses.end(), [&](const Use& use) {
    if (use.kind == Use::Kind::kDelete && scopes.frame(use.scope) == frame) return true;
    return use.conditional && use.kind == Use::Kind::kBind && scopes.frame(use.scope) != frame &&
           scopes.scope(scopes.frame(use.scope)).kind == Scope::Kind::kGenerator;
  });
}

void add_declared(const Scopes& scopes, std::span<const Use> uses, int frame, Extraction& found) {
  const Scope& scope = scopes.scope(frame);
  for (const Use& use : uses) {
    if (use.kind != Use::Kind::kBind || scopes.frame(use.scope) != frame || use.owner == frame) continue;
    std::string name(use.name);
    auto& list = scope.globals.contains(name) ? found.globals : found.nonlocals;
    bool declared = scope.globals.contains(name) || scope.nonlocals.contains(name);
    if (declared && std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
  }
}

bool has_name(const std::vector<std::string_view>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 7> kBranched = {"if_statement",   "for_statement",   "while_statement",
                                                       "try_statement",  "match_statement", "with_statement",
                                                       "raise_statement"};

}  // namespace

bool is_rooted(const Parsed& parsed, const Statement& statement) {
  if (!insertion_point(parsed, statement) || statement.exits.leaves()) return true;
  for (const Node node : nodes_of(statement.node)) {
    std::string_view kind = node.kind();
    if (kind == "wildcard_import" || kind == "type_alias_statement") return true;
    if (kind == "class_definition" && shows_its_path(parsed, node)) return true;
    bool declares = kind == "global_statement" || kind == "nonlocal_statement";
    if (declares && !nested(statement, node, {"function_definition"})) return true;
    if (kind == "assignment" && node.field("type")) return true;
    bool of_class = kind == "identifier" && (node.text() == "super" || node.text() == "__class__");
    if (of_class && !nested(statement, node, {"class_definition"})) return true;
  }
  return false;
}

StraightRun::StraightRun(const Parsed& parsed, const Statement& first)
    : parsed_(parsed), begin_(first.begin), frame_(parsed.scopes().scope_of(first)), loop_(in_loop(parsed, first)) {}

bool StraightRun::take(const Statement& statement) {
  straight_ = straight_ && std::find(kBranched.begin(), kBranched.end(), statement.kind()) == kBranched.end();
  if (!straight_) return false;
  const Scopes& scopes = parsed_.scopes();
  const auto& uses = scopes.uses();
  auto by_begin = [](const Use& use, std::size_t at) { return use.node.begin() < at; };
  auto from = std::lower_bound(uses.begin(), uses.end(), statement.begin, by_begin);
  auto to = std::lower_bound(from, uses.end(), statement.end, by_begin);
  for (auto use = from; use != to; ++use)
    if (use->kind == Use::Kind::kRead && use->owner == frame_ && !has_name(bound_, use->name))
      early_.push_back(use->name);
  for (auto use = from; use != to; ++use) {
    if (use->kind == Use::Kind::kRead) continue;
    bool here = scopes.frame(use->scope) == frame_;
    straight_ = straight_ && !(here && use->kind == Use::Kind::kDelete) && !use->conditional;
    if (use->owner == frame_ && here && !has_name(bound_, use->name)) bound_.push_back(use->name);
  }
  return straight_ &&
         std::all_of(bound_.begin(), bound_.end(), [&](std::string_view name) { return settled(name, statement.end); });
}

/// The name may be declared nonlocal, whatever facts know.
bool StraightRun::settled(std::string_view name, std::size_t end) const {
  const Scopes& scopes = parsed_.scopes();
  if (!has_name(early_, name) && !loop_) return true;
  if (!has_name(early_, name) && !scopes.captured(frame_, name)) return true;
  const auto uses = scopes.uses_of(frame_, name);
  return std::any_of(uses.begin(), uses.end(), [&](const Use& use) {
    bool within = use.node.begin() >= begin_ && use.node.begin() < end;
    return !within && use.kind == Use::Kind::kBind && scopes.frame(use.scope) == frame_;
  });
}

bool in_loop(const Parsed& parsed, const Statement& statement) {
  return stands_in(parsed, statement, {"for_statement", "while_statement"});
}

bool in_guard(const Parsed& parsed, const Statement& statement) {
  return stands_in(parsed, statement, {"try_statement", "with_statement"});
}

std::optional<Extraction> find_extraction(const Parsed& parsed, const Statement& first, const Statement& last,
                                          const NameSet& known_before, const NameSet& known_after) {
  const Scopes& scopes = parsed.scopes();
  Extraction found;
  found.run = run_between(parsed, first, last);
  if (found.run.empty()) return std::nullopt;
  for (const Statement* statement : found.run)
    if (is_rooted(parsed, *statement)) return std::nullopt;
  int frame = scopes.scope_of(first);
  auto uses = scopes.uses_in(first.begin, last.end);
  if (!followable(scopes, uses, frame)) return std::nullopt;
  add_declared(scopes, uses, frame, found);

  NameSet before = parsed.surely_bound(first);
  before.insert(known_before.begin(), known_before.end());
  RunFlow with = flow_of(parsed, first, last, before);
  RunFlow alone = flow_of(parsed, first, last, {});
  bool loop = in_loop(parsed, first);
  bool guard = in_guard(parsed, first);
  NameSet names = scopes.bound_in(first.begin, last.end, frame);
  for (const auto& name : names) {
    NameInRun facts(parsed, found.run, frame, name);
    bool early = alone.early_reads.contains(name);
    bool sure = alone.bound_after.contains(name);
    bool ends_bound = with.bound_after.contains(name) || (known_after.contains(name) && !loop);
    BoundName bound;
    bound.name = name;
    bound.comes_in = early || !sure;
    bool comes = !bound.comes_in || before.contains(name) || (!early && known_after.contains(name) && !loop);
    if (!before.contains(name)) bound.comes_in = false;
    bound.by_value =
        !facts.captured && !with.early_reads.contains(name) && ends_bound && comes && !(guard && facts.used_elsewhere);
    bound.needs_prelude = !facts.bound_elsewhere;
    bound.unbound_prelude = facts.captured || guard;
    bound.by_nonlocal = facts.bound_elsewhere || (sure && !early && !(facts.captured && loop));
    bound.stays = !facts.captured && !facts.used_elsewhere && !early;
    if (!bound.by_value && !bound.by_nonlocal && !bound.stays) return std::nullopt;
    found.bound.push_back(std::move(bound));
  }
  NameSet read;
  for (const Use& use : uses)
    if (use.owner == frame && use.kind == Use::Kind::kRead && !names.contains(use.name)) read.insert(use.name);
  for (const auto& name : read)
    if (before.contains(name) && !scopes.captured(frame, name)) found.readable.push_back(name);
  return found;
}

}  // namespace jp::mutate
