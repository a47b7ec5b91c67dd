#include "mutate/facts/alias_reads.h"

#include <algorithm>
#include <array>

#include "mutate/facts/live.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate {
namespace {

/// Only the statement's own function binds the name.
bool bound_here_only(const Parsed& parsed, const Statement& statement, std::string_view name) {
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(statement);
  if (scopes.resolve(name, scope) != scope) return false;
  const auto uses = scopes.uses_of(scope, name);
  return std::all_of(uses.begin(), uses.end(),
                     [&](const Use& use) { return use.kind == Use::Kind::kRead || scopes.frame(use.scope) == scope; });
}

/// No other reference to the tensor is known: it is not an argument, and no other live name shares its storage.
bool held_alone(const Parsed& parsed, const Names& live, const Statement& statement, const std::string& name) {
  int scope = parsed.scopes().scope_of(statement);
  if (parsed.scopes().scope(scope).parameters.contains(name) || !bound_here_only(parsed, statement, name)) return false;
  const NameFacts& known = live.at(name);
  return std::none_of(live.begin(), live.end(), [&](const auto& other) {
    const NameFacts& facts = other.second;
    bool opaque = facts.kind.empty() || may_hold_unseen(facts) || facts.kind == "object" ||
                  (facts.kind == "tensor" && !facts.storage);
    return other.first != name && (opaque || (facts.kind == "tensor" && facts.storage == known.storage));
  });
}

/// By the facts, what the statement binds is not the tensor object that it reads.
bool assigns_another(const Facts& facts, const Statement& statement, const NameFacts& read) {
  const Node target = assignment(statement).only_name();
  const NameFacts* made = target ? facts.find_after(statement.id, std::string(target.text())) : nullptr;
  if (!made || made->kind != "tensor" || !made->shape || !made->dtype) return false;
  const bool apart = made->storage && read.storage && made->storage != read.storage;
  return apart || made->shape != read.shape || made->dtype != read.dtype;
}

}  // namespace

std::optional<Layout> readable_layout(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const TensorRead& read) {
  if (read.object) {
    const NameFacts* object = facts.find_before(statement.id, std::string(read.object.text()));
    if (!object || object->kind != "tensor") return std::nullopt;
  }
  std::string name(read.node.text());
  auto layout = layout_of(facts.find_before(statement.id, name));
  if (!layout || !parsed.scopes().readable(statement, name)) return std::nullopt;
  if (read.itself && !assigns_another(facts, statement, *facts.find_before(statement.id, name))) return std::nullopt;
  if (rebinds_before(parsed, statement, read.node)) return std::nullopt;
  if (layout->grad && !read_once(parsed, statement, name)) return std::nullopt;
  // The caller can see which outputs are one object and whether an output is a leaf.
  if (read.returned) {
    auto reads = tensor_reads(parsed, statement);
    auto times = std::count_if(reads.begin(), reads.end(), [&](const TensorRead& r) { return r.node.text() == name; });
    bool alone = times == 1 && held_alone(parsed, facts.before.at(statement.id), statement, name);
    if (!alone || (layout->grad && facts.find_before(statement.id, name)->is_leaf.value_or(true))) return std::nullopt;
  }
  return layout;
}

bool keeps_memory(const Parsed& parsed) {
  static constexpr auto kWords = std::to_array<std::string_view>(
      {"set_", "set_data", "swap_tensors", "inference_mode", "setattr", "requires_grad_"});
  if (parsed.has_any<kWords>()) return false;
  if (!parsed.has_word("data")) return true;
  for (const Node node : nodes_of(parsed.tree()))
    if (is_target(node) && attribute(node).name == "data") return false;
  return true;
}

bool spans(const Parsed& parsed, const Statement& from, const Statement& to, std::string_view name) {
  if (from.block != to.block || from.place > to.place || !insertion_point(parsed, from)) return false;
  if (!parsed.scopes().readable(from, name)) return false;
  int scope = parsed.scopes().scope_of(to);
  return from.place == to.place ||
         (bound_here_only(parsed, to, name) && !parsed.scopes().bound_in(from.begin, to.begin, scope).contains(name));
}

std::vector<std::string> find_readers(const Parsed& parsed, const Facts& facts, const Statement& statement,
                                      const std::string& name, int farthest) {
  std::vector<std::string> found;
  auto layout = layout_of(facts.find_before(statement.id, name));
  if (!layout || layout->grad || !keeps_memory(parsed)) return found;
  const Statement* at = &statement;
  for (int i = 0; at && i <= farthest && spans(parsed, statement, *at, name); ++i, at = next_in_block(parsed, *at)) {
    if (layout_of(facts.find_before(at->id, name)) != layout) break;
    auto reads = tensor_reads(parsed, *at);
    if (std::any_of(reads.begin(), reads.end(), [&](const TensorRead& read) {
          return read.node.text() == name && readable_layout(parsed, facts, *at, read);
        }))
      found.push_back(at->id);
  }
  return found;
}

std::vector<Node> readers(const Parsed& parsed, const Statement& statement, std::string_view name,
                          const std::vector<std::string>& ids) {
  std::vector<Node> nodes;
  if (!keeps_memory(parsed)) return nodes;
  // The recorded ids may come from a file, so order and uniqueness are enforced here.
  const Statement* behind = nullptr;
  for (const std::string& id : ids) {
    const Statement* at = parsed.find(id);
    if (!at || (behind && at->index <= behind->index) || !spans(parsed, statement, *at, name)) continue;
    behind = at;
    for (const TensorRead& read : tensor_reads(parsed, *at))
      if (read.node.text() == name && !read.object && !read.itself && !rebinds_before(parsed, *at, read.node))
        nodes.push_back(read.node);
  }
  return nodes;
}

}  // namespace jp::mutate
