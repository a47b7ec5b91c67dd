#include "mutate/facts/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/save_restore.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {

namespace {

std::vector<LiveTensor> live_in(const Parsed& parsed, const std::map<std::string, Names>& points,
                                const Statement& statement) {
  std::vector<LiveTensor> found;
  auto names = points.find(statement.id);
  if (names == points.end()) return found;
  for (const auto& [name, known] : names->second)
    if (knows_extent(&known) && name.find('[') == std::string::npos && parsed.scopes().readable(statement, name))
      found.push_back({name, &known});
  return found;
}

/// "a" of `a.b.c`.
std::string_view root_of(Node node) {
  while (node.is("attribute")) node = node.field("object");
  return node.text();
}

// A call of this takes a value out of where it lay: facts behind it no longer show that it lay there.
bool hands_over(const Node& function) {
  static constexpr std::array<std::string_view, 9> kNames = {"pop",  "popleft", "popitem", "get",     "get_nowait",
                                                             "next", "send",    "heappop", "__next__"};
  const std::string_view name = function.is("attribute") ? function.field("attribute").text() : function.text();
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

}  // namespace

std::vector<LiveTensor> live_tensors(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  return live_in(parsed, facts.before, statement);
}

std::vector<LiveTensor> live_after(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  return live_in(parsed, facts.after, statement);
}

std::optional<KnownElement> draw_element(const LiveTensor& tensor, Choices& choices) {
  const auto& elements = tensor.facts->elements;
  if (elements.empty()) return std::nullopt;
  const auto& [position_drawn, value] = elements.nth(choices.below(elements.size()));
  const auto& shape = *tensor.facts->shape;
  if (shape.empty()) return KnownElement{tensor.name, value};
  std::vector<std::int64_t> index(shape.size());
  std::int64_t position = position_drawn;
  for (std::size_t i = shape.size(); i-- > 0; position /= shape[i]) index[i] = position % shape[i];
  return KnownElement{fmt::format("{}[{}]", tensor.name, fmt::join(index, ", ")), value};
}

std::optional<LiveTensor> bound_tensor(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  if (statement.kind() != "expression_statement" || !insertion_point(parsed, statement)) return std::nullopt;
  auto children = statement.node.children();
  if (children.size() != 1 || (!children[0].is("assignment") && !children[0].is("augmented_assignment")))
    return std::nullopt;
  Node target = children[0].field("left");
  if (!target.is("identifier") || children[0].field("type") || !children[0].field("right")) return std::nullopt;
  std::string name(target.text());
  const NameFacts* known = facts.find_after(statement.id, name);
  if (!knows_extent(known) || !known->storage || known->overlaps_itself != false || !known->is_leaf ||
      is_complex(*known->dtype) || (*known->is_leaf && *known->requires_grad) || !binds_itself(parsed, statement, name))
    return std::nullopt;
  return LiveTensor{name, known};
}

bool may_hold_anothers(const Parsed& parsed, const Statement& statement, std::string_view name) {
  Node assignment = statement.node.children().front();
  if (assignment.is("augmented_assignment")) return true;
  Node right = assignment.field("right");
  if (right.is("binary_operator") || right.is("comparison_operator")) return false;
  for (const OperatorCall& call : operator_calls(parsed, statement))
    if (call.node == right && call.op->is_new()) return false;
  const std::string torch = torch_name(parsed, statement);
  for (int i = right.index(); i < right.past(); ++i) {
    Node node = parsed.tree().node(i);
    if (node.is("identifier") && node.text() == name) return true;
    const bool called = node.parent().is("call") && node.field_name() == "function";
    if (called && hands_over(node)) return true;
    if (node.is("attribute") && !called && root_of(node) != torch) return true;
  }
  return false;
}

bool may_rebind(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target) {
  if (may_hold_anothers(parsed, statement, target.name)) return false;
  if (!is_packed({*target.facts->shape, *target.facts->strides, *target.facts->dtype})) return false;
  std::int64_t storage = *target.facts->storage;
  for (const auto& [name, known] : facts.after.at(statement.id)) {
    bool tensor = known.kind == "tensor" || known.kind.empty();
    if (tensor && known.storage.value_or(storage) == storage && name != target.name) return false;
  }
  return true;
}

bool may_write(const Parsed& parsed, const Facts& facts) {
  return no_gradients(facts) && !parsed.has_word("_version") && !parsed.has_word("inference_mode");
}

bool binds_itself(const Parsed& parsed, const Statement& statement, const std::string& name) {
  const Scope& scope = parsed.scopes().scope(parsed.scopes().scope_of(statement));
  return scope.bound.contains(name) && !scope.globals.contains(name) && !scope.nonlocals.contains(name);
}

bool bounded(const NameFacts& facts, double most) {
  return facts.minimum && facts.maximum && std::isfinite(*facts.minimum) && std::isfinite(*facts.maximum) &&
         magnitude(facts) <= most;
}

double magnitude(const NameFacts& facts) { return std::max(std::abs(*facts.minimum), std::abs(*facts.maximum)); }

}  // namespace jp::mutate
