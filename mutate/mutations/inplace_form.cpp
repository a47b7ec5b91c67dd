// An operator works in place, on a copy of its operand or on the operand itself:
//
//     v2 = torch.mul(v0, v1)       t7 = v0.clone()
//                                  t7.mul_(v1)
//                                  v2 = t7
//
// The operand itself is used (`v2 = v0.mul_(v1)`) only where nothing reads it or an alias of it later: it was made by
// an operator in the same block, it has been read only by operators that make new tensors, and no tensor requires
// gradients. The result is unchanged bit for bit. Site path: "" for a copy, "itself" for the operand, the
// number of a call inside a statement for a copy there.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::inplace_form_mutation {
namespace {

/// The statement's assignment of an operator that has an in-place form, judging by the text.
std::optional<OperatorCall> find_call(const Parsed& parsed, const Statement& statement) {
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    bool fits = call.target && call.op->works_in_place() && call.plain() && call.operands[0].keyword.empty() &&
                call.operands[0].node.is("identifier");
    if (fits) return std::move(call);
  }
  return std::nullopt;
}

/// A call inside a statement, judging by the text: the statement calls nothing before it.
std::optional<OperatorCall> find_inner(const Parsed& parsed, const Statement& statement, std::string_view path) {
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    if (path.empty() || call.path != path) continue;
    const bool fits = call.op->works_in_place() && call.operands[0].keyword.empty() && call.comes_first() &&
                      call.operands[0].node.is("identifier") && call.plain();
    if (fits) return std::move(call);
  }
  return std::nullopt;
}

bool is_known_operand(const OperatorCall& call, const Facts& facts, std::size_t at) {
  const Node& node = call.operands[at].node;
  return expression_facts(facts, *call.statement, node) || is_number_before(facts, *call.statement, node);
}

/// The other operands are numbers, and the operand's shape may differ between visits: the result has it each time.
bool always_like_operand(const OperatorCall& call, const Facts& facts) {
  const NameFacts* self = facts.find_before(call.statement->id, std::string(call.operands[0].node.text()));
  const bool floats = self && self->kind == "tensor" && self->dtype && is_floating(*self->dtype);
  if (!floats || !self->row_major.value_or(false) || self->overlaps_itself != false || !call.op->pointwise)
    return false;
  for (std::size_t i = 1; i < call.operands.size(); ++i)
    if (!is_number_before(facts, *call.statement, call.operands[i].node)) return false;
  return call.op->type == OperatorFacts::TypeRule::kPromoted;
}

/// The result of a call inside a statement has the dtype and shape of its first operand, and is row-major, as a copy of
/// that operand is.
bool inner_like_operand(const OperatorCall& call, const Facts& facts) {
  if (always_like_operand(call, facts)) return true;
  const auto self = expression_facts(facts, *call.statement, call.operands[0].node);
  if (!self || !is_floating(*self->dtype) || !call.op->pointwise || self->overlaps_itself != false) return false;
  const auto& strides = *self->strides;
  if (!std::is_sorted(strides.begin(), strides.end(), std::greater<>()) || strides.empty() || strides.back() < 1)
    return false;
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const auto other = expression_facts(facts, *call.statement, call.operands[i].node);
    const bool alike = other && other->dtype == self->dtype && other->shape == self->shape &&
                       std::is_sorted(other->strides->begin(), other->strides->end(), std::greater<>());
    if (!alike && !is_number_before(facts, *call.statement, call.operands[i].node)) return false;
  }
  return call.op->type == OperatorFacts::TypeRule::kPromoted;
}

/// The result has the dtype and layout of the operand, as the in-place form requires.
bool like_operand(const OperatorCall& call, const Facts& facts) {
  if (!call.target) return inner_like_operand(call, facts);
  if (always_like_operand(call, facts)) return true;
  const NameFacts* self = facts.find_before(call.statement->id, std::string(call.operands[0].node.text()));
  const NameFacts* result = facts.find_after(call.statement->id, std::string(call.target.text()));
  if (!knows_layout(self) || !knows_layout(result) || self->overlaps_itself != false) return false;
  bool known = true;
  for (std::size_t i = 1; i < call.operands.size(); ++i) known = known && is_known_operand(call, facts, i);
  return known && self->dtype == result->dtype && self->shape == result->shape && self->strides == result->strides;
}

/// The read is an operand of an operator whose result is no alias of the operand.
bool read_by_operator(const Parsed& parsed, const Node& use) {
  const Statement* statement = parsed.statement_at(use.begin());
  for (const OperatorCall& call : operator_calls(parsed, *statement))
    for (const GivenArgument& operand : call.operands)
      if (call.op->is_new() && operand.node == use) return true;
  return false;
}

/// Judging by the text, nothing can read the operand after the call.
bool dies(const Parsed& parsed, const OperatorCall& call) {
  const Statement& statement = *call.statement;
  const Scopes& scopes = parsed.scopes();
  std::string_view name = call.operands[0].node.text();
  for (std::size_t i = 1; i < call.operands.size() && !call.op->pointwise; ++i)
    if (call.operands[i].node.text() == name) return false;
  int scope = scopes.scope_of(statement);
  if (!binds_itself(parsed, statement, std::string(name)) || scopes.captured(scope, name) ||
      scopes.scope(scope).parameters.contains(name))
    return false;
  const Statement* made = nullptr;
  for (const Use& use : scopes.uses_of(scope, name)) {
    const Statement* at = parsed.statement_at(use.node.begin());
    if (!at || use.scope != scope || use.kind == Use::Kind::kDelete) return false;
    if (use.kind == Use::Kind::kBind && at->index == statement.index) continue;
    if (use.kind == Use::Kind::kBind) {
      auto source = operator_calls(parsed, *at);
      bool fresh = !source.empty() && source[0].target && source[0].op->is_new();
      if (made || !fresh || at->block != statement.block || at->index > statement.index) return false;
      made = at;
    } else if (at->index > statement.index || !read_by_operator(parsed, use.node)) {
      // If the statement itself rebinds the name, later reads refer to the result.
      if (call.target.text() != name || at->index <= statement.index) return false;
    }
  }
  if (!made) return false;
  for (const Use& use : scopes.uses_of(scope, name)) {
    const Statement* at = parsed.statement_at(use.node.begin());
    if (use.kind == Use::Kind::kRead && at->index <= made->index) return false;
  }
  return true;
}

bool alone(const Facts& facts, const OperatorCall& call) {
  const NameFacts* self = tensor_before(facts, *call.statement, call.operands[0].node);
  if (!self || !self->storage || self->overlaps_itself != false) return false;
  for (const auto& [name, known] : facts.before.at(call.statement->id)) {
    bool tensor = known.kind == "tensor" || known.kind.empty();
    if (tensor && name != call.operands[0].node.text() && known.storage.value_or(*self->storage) == *self->storage)
      return false;
  }
  return true;
}

std::string arguments(const OperatorCall& call) {
  std::string text;
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    if (i > 1) text += ", ";
    if (!call.operands[i].keyword.empty()) text += fmt::format("{}=", call.operands[i].keyword);
    text += call.operands[i].node.text();
  }
  return text;
}

/// `t.mul_(b)` or `t *= b`.
std::string in_place_text(const OperatorCall& call, std::string_view name, Choices& choices) {
  constexpr auto kAugmented = std::to_array<std::string_view>({"+", "-", "*", "/", "%", "//", "**", "&", "|", "^"});
  bool symbol = call.operands.size() == 2 && call.op->places == 2 && call.operands[1].keyword.empty() &&
                std::find(kAugmented.begin(), kAugmented.end(), call.op->symbol) != kAugmented.end();
  if (symbol && choices.chance(1, 2)) return fmt::format("{} {}= {}", name, call.op->symbol, arguments(call));
  return fmt::format("{}.{}_({})", name, call.op->name, arguments(call));
}

std::string copy_text(const OperatorCall& call, Choices& choices) {
  std::string_view self = call.operands[0].node.text();
  switch (choices.below(4)) {
    case 0:
      return fmt::format("{}.clone({})", call.torch, self);
    case 1:
      return fmt::format("{0}.empty_like({1}).copy_({1})", call.torch, self);
    default:
      return fmt::format("{}.clone()", self);
  }
}

class InplaceForm final : public Mutation {
 public:
  InplaceForm()
      : Mutation(
            {"inplace_form", "A", Exactness::kBitwise, true, "jitprobe",
             "in-place writes to new tensors and to tensors in their last use: functionalization, reuse of buffers"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    bool writes = may_write(parsed, facts);
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      for (const OperatorCall& one : operator_calls(parsed, statement))
        if (const auto inner = find_inner(parsed, statement, one.path); inner && like_operand(*inner, facts))
          found.push_back({statement.id, one.path});
      if (!facts.after.contains(statement.id)) continue;
      auto call = find_call(parsed, statement);
      if (call && like_operand(*call, facts)) {
        found.push_back({statement.id, ""});
        if (writes && alone(facts, *call) && dies(parsed, *call)) found.push_back({statement.id, "itself"});
      }
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& statement = *parsed.find(site.statement);
    bool itself = site.path == "itself";
    auto call = itself || site.path.empty() ? find_call(parsed, statement) : find_inner(parsed, statement, site.path);
    if (!call || uses_introspection(parsed)) return {};
    const bool like = choices.note(
        [&] { return like_operand(*call, facts) && (!itself || (may_write(parsed, facts) && alone(facts, *call))); });
    if (!like || (itself && !dies(parsed, *call))) return {};
    Rewrite rewrite(parsed, step_number);
    if (itself) {
      rewrite.replace(call->node,
                      fmt::format("{}.{}_({})", call->operands[0].node.text(), call->op->name, arguments(*call)));
      return rewrite.edits();
    }
    auto reads_target = [&](const GivenArgument& operand) { return operand.node.text() == call->target.text(); };
    bool direct = call->target && std::none_of(call->operands.begin(), call->operands.end(), reads_target) &&
                  binds_itself(parsed, statement, std::string(call->target.text()));
    if (direct && choices.chance(1, 2)) {
      rewrite.replace(call->node, copy_text(*call, choices));
      rewrite.after(statement, {{in_place_text(*call, call->target.text(), choices)}});
      return rewrite.edits();
    }
    std::string name = rewrite.name("t");
    std::string copy = fmt::format("{} = {}", name, copy_text(*call, choices));
    rewrite.before(statement, {{copy}, {in_place_text(*call, name, choices)}});
    rewrite.replace(call->node, name);
    return rewrite.edits();
  }
};

const Register<Mutation, InplaceForm> registered;

}  // namespace
}  // namespace jp::mutate::inplace_form_mutation
