// Several calls of one operator become one call over lists:
//
//     v2 = torch.exp(v0)           t7, t7_1 = torch._foreach_exp([v0, v1])
//     v3 = v0 + v1                 v2 = t7
//     v4 = torch.exp(v1)           v3 = v0 + v1
//                                  v4 = t7_1
//
// Between the first and the last call, only assignments of operators that make new tensors are allowed, and none of
// them may bind a name that a later call reads. A single call gets a list of its own, or shares one with another tensor
// whose result nothing reads. A draw decides whether the call works in place on clones. The result is unchanged bit for
// bit. Site path: "", or the number of a call inside a statement, which
// gets a list of its own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/expression_facts.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::foreach_form_mutation {
namespace {

constexpr std::size_t kLongestRun = 12;

std::optional<OperatorCall> find_call(const Parsed& parsed, const Statement& statement) {
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    bool by_place = std::all_of(call.operands.begin(), call.operands.end(),
                                [](const GivenArgument& operand) { return operand.keyword.empty(); });
    bool whole = call.target && by_place && call.plain() && call.operands.size() == call.op->places;
    if (whole && call.operands[0].node.is("identifier")) return std::move(call);
  }
  return std::nullopt;
}

/// A call inside a statement, judging by the text: the statement calls nothing before it.
std::optional<OperatorCall> find_inner(const Parsed& parsed, const Statement& statement, std::string_view path) {
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    if (path.empty() || call.path != path) continue;
    const bool by_place = std::all_of(call.operands.begin(), call.operands.end(),
                                      [](const GivenArgument& operand) { return operand.keyword.empty(); });
    return by_place && call.plain() && call.comes_first() && call.operands.size() == call.op->places
               ? std::optional(std::move(call))
               : std::nullopt;
  }
  return std::nullopt;
}

/// The outputs of one call over lists either all require gradients or none does.
bool wants_grad(const OperatorCall& call, const Facts& facts) {
  const NameFacts* result = facts.find_after(call.statement->id, std::string(call.target.text()));
  return result && result->requires_grad.value_or(false);
}

/// The operator accepts a list of first operands and a list of second operands with any tensors of its type.
bool in_lists(const OperatorFacts& op) { return op.foreach && op.pointwise && !op.reduction && op.places <= 2; }

/// A name, or an attribute of one, that is a tensor of one known dtype; its shape may differ between visits. Not one
/// without memory of its own: that is within vmap, for which these operators have no rule.
bool is_tensor(const Facts& facts, const Statement& statement, const Node& node) {
  const NameFacts* known = nullptr;
  if (node.is("identifier")) known = facts.find_before(statement.id, std::string(node.text()));
  if (const Node root = path_root(node); attribute(node) && root.is("identifier"))
    known = part_before(facts, statement, root.text(), node.text().substr(root.text().size() + 1));
  return known && known->kind == "tensor" && known->dtype && known->overlaps_itself.has_value();
}

/// "tensor" or "number", the kind of the operator's second operand; "none" without one; "" when it can't be called over
/// lists.
std::string kind_of(const OperatorCall& call, const Facts& facts) {
  if (!in_lists(*call.op) || !is_tensor(facts, *call.statement, call.operands[0].node)) return "";
  if (call.operands.size() == 1) return "none";
  const Node& other = call.operands[1].node;
  if (is_tensor(facts, *call.statement, other)) return "tensor";
  return is_number_before(facts, *call.statement, other) ? "number" : "";
}

bool like_result(const OperatorCall& call, const Facts& facts) {
  const NameFacts* self = tensor_before(facts, *call.statement, call.operands[0].node);
  const NameFacts* result = facts.find_after(call.statement->id, std::string(call.target.text()));
  return self && knows_extent(result) && self->dtype == result->dtype && self->shape == result->shape &&
         self->strides == result->strides;
}

/// Judging by the text, the call and the later calls of the same operator that could be computed together with it.
std::vector<OperatorCall> like_calls(const Parsed& parsed, const OperatorCall& first) {
  std::vector<OperatorCall> found = {first};
  NameSet bound = {std::string(first.target.text())};
  const Statement* at = next_in_block(parsed, *first.statement);
  for (std::size_t i = 0; at && i < kLongestRun; ++i, at = next_in_block(parsed, *at)) {
    auto call = find_call(parsed, *at);
    if (!call || !call->op->is_new()) break;
    bool reads = std::any_of(call->operands.begin(), call->operands.end(),
                             [&](const GivenArgument& operand) { return bound.contains(operand.node.text()); });
    if (call->op == first.op && !reads) found.push_back(*call);
    bound.insert(call->target.text());
  }
  return found;
}

/// The statements that are computed together, and a tensor that only fills the list.
struct Members {
  std::string kind;
  bool in_place = false;
  std::vector<std::string> ids;
  std::optional<std::string> filler;

  auto fields() { return std::tie(kind, in_place, ids, filler); }
};

std::optional<Members> draw_members(const Parsed& parsed, const Facts& facts, const OperatorCall& first,
                                    Choices& choices) {
  Members members{kind_of(first, facts), first.op->in_place, {}, {}};
  if (members.kind.empty()) return std::nullopt;
  std::vector<std::string>& ids = members.ids;
  for (const OperatorCall& call : like_calls(parsed, first)) {
    if (kind_of(call, facts) != members.kind || wants_grad(call, facts) != wants_grad(first, facts)) continue;
    if (!ids.empty() && choices.chance(1, 5)) continue;
    ids.push_back(call.statement->id);
    members.in_place = members.in_place && like_result(call, facts);
  }
  const NameFacts* self = tensor_before(facts, *first.statement, first.operands[0].node);
  std::vector<std::string> fillers;
  if (self)
    for (const LiveTensor& one : live_tensors(parsed, facts, *first.statement))
      if (one.facts->dtype == self->dtype && (wants_grad(first, facts) || !*one.facts->requires_grad) &&
          (members.kind != "tensor" || one.facts->shape == self->shape))
        fillers.push_back(one.name);
  const bool may_fill = members.kind != "number" && !fillers.empty();
  if (may_fill && (ids.size() == 1 ? choices.chance(2, 3) : choices.chance(1, 6)))
    members.filler = choices.pick(fillers);
  return members;
}

/// What a call inside a statement needs: no other is computed with it.
std::optional<Members> inner_members(const OperatorCall& call, const Facts& facts) {
  const std::string kind = kind_of(call, facts);
  return kind.empty() ? std::nullopt : std::optional(Members{kind, false, {call.statement->id}, {}});
}

/// Those of the calls that still exist; none unless the first is among them.
std::vector<OperatorCall> member_calls(const Parsed& parsed, const OperatorCall& first, const Members& members) {
  std::vector<OperatorCall> calls;
  for (OperatorCall& call : like_calls(parsed, first))
    if (std::find(members.ids.begin(), members.ids.end(), call.statement->id) != members.ids.end())
      calls.push_back(std::move(call));
  const bool fits = !calls.empty() && calls[0].statement == first.statement && in_lists(*first.op) &&
                    (!members.filler || parsed.scopes().readable(*first.statement, *members.filler));
  return fits ? calls : std::vector<OperatorCall>();
}

class ForeachForm final : public Mutation {
 public:
  ForeachForm()
      : Mutation({"foreach_form", "A", Exactness::kBitwise, true, "jitprobe",
                  "horizontal fusion: one kernel for several tensors, lists that are functionalized"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (uses_introspection(parsed)) return {};
    std::vector<Site> found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      const auto whole = find_call(parsed, statement);
      if (whole && !kind_of(*whole, facts).empty()) found.push_back({statement.id, ""});
      for (const OperatorCall& one : operator_calls(parsed, statement))
        if (const auto inner = find_inner(parsed, statement, one.path); inner && !kind_of(*inner, facts).empty())
          found.push_back({statement.id, one.path});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    const Statement& at = *parsed.find(site.statement);
    const bool inside = !site.path.empty();
    auto first = inside ? find_inner(parsed, at, site.path) : find_call(parsed, at);
    if (!first || uses_introspection(parsed)) return {};
    auto members = choices.note_drawn([&](Choices& inner) {
      return inside ? inner_members(*first, facts) : draw_members(parsed, facts, *first, inner);
    });
    auto calls = members && !inside ? member_calls(parsed, *first, *members) : std::vector<OperatorCall>();
    if (members && inside && in_lists(*first->op)) calls = {*first};
    if (calls.empty()) return {};
    std::vector<std::string> ones;
    std::vector<std::string> others;
    for (const OperatorCall& call : calls) {
      ones.emplace_back(call.operands[0].node.text());
      if (call.operands.size() > 1) others.emplace_back(call.operands[1].node.text());
    }
    if (members->filler) ones.push_back(*members->filler);
    if (members->filler && !others.empty()) others.push_back(*members->filler);

    Rewrite rewrite(parsed, step_number);
    bool in_place = members->in_place && !members->filler && choices.chance(1, 4);
    std::string list = rewrite.name("ts");
    std::string behind;
    bool same = std::all_of(others.begin(), others.end(), [&](const std::string& one) { return one == others[0]; });
    if (!others.empty())
      behind = members->kind == "number" && same && choices.chance(2, 3)
                   ? fmt::format(", {}", others[0])
                   : fmt::format(", [{}]", fmt::join(others, ", "));
    const Statement& statement = *first->statement;
    std::vector<std::string> names;
    if (in_place) {
      rewrite.before(statement, {{fmt::format("{} = [{}.clone()]", list, fmt::join(ones, ".clone(), "))},
                                 {fmt::format("{}._foreach_{}_({}{})", first->torch, first->op->name, list, behind)}});
    } else {
      bool unpacks = choices.chance(1, 2);
      if (unpacks)
        for (std::size_t i = 0; i < ones.size(); ++i) names.push_back(rewrite.name("t"));
      std::string target = unpacks ? fmt::format("{}{}", fmt::join(names, ", "), names.size() == 1 ? "," : "") : list;
      rewrite.before(statement, {{fmt::format("{} = {}._foreach_{}([{}]{})", target, first->torch, first->op->name,
                                              fmt::join(ones, ", "), behind)}});
    }
    for (std::size_t i = 0; i < calls.size(); ++i)
      rewrite.replace(calls[i].node, names.empty() ? fmt::format("{}[{}]", list, i) : names[i]);
    return rewrite.edits();
  }
};

const Register<Mutation, ForeachForm> registered;

}  // namespace
}  // namespace jp::mutate::foreach_form_mutation
