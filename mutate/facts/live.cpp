#include "mutate/facts/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/among.h"
#include "mutate/calls/module_calls.h"
#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/save_restore.h"
#include "mutate/names/outside_memory.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

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

// A call of one of these takes a value out of a container, generator or object, which may have held it without a name
// that facts show.
bool hands_over(std::string_view name) {
  static constexpr auto kNames = std::to_array<std::string_view>(
      {"pop", "popleft", "popitem", "get", "get_nowait", "heappop", "getattr", "__getattribute__"});
  return among(kNames, name) || advances_iterator(name);
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
  const Assignment made = assignment(statement);
  if (!made || !made.left.is("identifier") || made.type || !insertion_point(parsed, statement)) return std::nullopt;
  std::string name(made.left.text());
  const NameFacts* known = facts.find_after(statement.id, name);
  if (!knows_extent(known) || !known->storage || known->overlaps_itself != false || !known->is_leaf ||
      is_complex(*known->dtype) || (*known->is_leaf && *known->requires_grad) || !binds_itself(parsed, statement, name))
    return std::nullopt;
  return LiveTensor{name, known};
}

bool assigns_new_memory(const Parsed& parsed, const Facts& facts, const Statement& statement) {
  const Assignment made = assignment(statement);
  if (made.augmented()) return false;
  using Kind = Operation::Kind;
  if (const Kind kind = operation(made.right).kind; kind == Kind::kBinary || kind == Kind::kComparison) return true;
  for (const OperatorCall& one : operator_calls(parsed, statement))
    if (one.node == made.right && one.op->is_new() && calls_torch(facts, one)) return true;
  const auto module = module_call(parsed, statement, made.right);
  return module && module->is_fresh();
}

bool may_hold_anothers(const Parsed& parsed, const Facts& facts, const Statement& statement, std::string_view name) {
  if (assignment(statement).augmented()) return true;
  if (assigns_new_memory(parsed, facts, statement)) return false;
  const std::string torch = torch_name(parsed, statement);
  const OwnCode& own = parsed.own_code();
  for (const Node node : nodes_of(assignment(statement).right)) {
    if (node.is("identifier") && node.text() == name) return true;
    if (attribute(node) && !is_called(node) && path_root(node).text() != torch) return true;
    const Call made = call(node);
    if (!made) continue;
    if (hands_over(made.name) || is_memory_outside(parsed, node)) return true;
    if (own.keeps_values(statement) && own.runs(parsed, statement, made)) return true;
  }
  return false;
}

bool may_hold_unseen(const NameFacts& known) {
  constexpr std::int64_t kSeen = 64;
  return (known.kind == "list" || known.kind == "tuple" || known.kind == "dict") &&
         known.length.value_or(kSeen + 1) > kSeen;
}

bool may_rebind(const Parsed& parsed, const Facts& facts, const Statement& statement, const LiveTensor& target) {
  if (may_hold_anothers(parsed, facts, statement, target.name)) return false;
  // Elementwise operators preserve the strides of dense tensors; their results without elements are row-major.
  const SizeSpan shape = *target.facts->shape;
  const SizeSpan strides = *target.facts->strides;
  const bool keeps =
      element_count(shape) == 0 ? is_row_major(shape, strides) : is_non_overlapping_and_dense(shape, strides);
  if (!keeps) return false;
  std::int64_t storage = *target.facts->storage;
  const bool fresh = assigns_new_memory(parsed, facts, statement);
  for (const auto& [name, known] : facts.after.at(statement.id)) {
    if (!fresh && may_hold_unseen(known)) return false;
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

double lowest(const NameFacts& facts) { return facts.minimum ? *facts.minimum : *facts.lowest; }

double highest(const NameFacts& facts) { return facts.maximum ? *facts.maximum : *facts.highest; }

bool bounded(const NameFacts& facts, double most) {
  const bool known = (facts.minimum || facts.lowest) && (facts.maximum || facts.highest);
  return known && std::isfinite(lowest(facts)) && std::isfinite(highest(facts)) && magnitude(facts) <= most;
}

double magnitude(const NameFacts& facts) { return std::max(std::abs(lowest(facts)), std::abs(highest(facts))); }

}  // namespace jp::mutate
