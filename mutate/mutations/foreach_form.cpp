// Like operators become one call over lists:
//
//     v2 = torch.exp(v0)           t7, t7_1 = torch._foreach_exp([v0, v1])
//     v3 = v0 + v1                 v2 = t7
//     v4 = torch.exp(v1)           v3 = v0 + v1
//                                  v4 = t7_1
//
// Between the first and the last only assignments of operators that make new tensors may stand, and none may bind what
// a later one reads. An operator alone stands in a list by itself, or beside another tensor whose result nobody reads.
// In place on clones by choice. Site path: "".
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/notes.h"
#include "mutate/facts/live.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr std::size_t kLongestRun = 12;

std::optional<OperatorCall> find_call(const Parsed& parsed, const Statement& statement) {
  for (OperatorCall& call : operator_calls(parsed, statement)) {
    bool by_place = std::all_of(call.operands.begin(), call.operands.end(),
                                [](const Operand& operand) { return operand.keyword.empty(); });
    bool whole = call.target && by_place && call.simple() && call.operands.size() == call.op->places;
    if (whole && call.operands[0].node.is("identifier")) return std::move(call);
  }
  return std::nullopt;
}

/// The outputs of one call over lists all require grad, or none does.
bool wants_grad(const OperatorCall& call, const Facts& facts) {
  const NameFacts* result = facts.find_after(call.statement->id, std::string(call.target.text()));
  return result && result->requires_grad.value_or(false);
}

/// A list of its operands, and one of what stands beside them, may hold any tensors of its type.
bool in_lists(const OperatorFacts& op) { return op.foreach && op.pointwise && !op.reduction && op.places <= 2; }

/// "tensor", "number" (what the operator has beside its first operand), "none", or "" when it can't go into a list.
std::string kind_of(const OperatorCall& call, const Facts& facts) {
  const NameFacts* self = tensor_before(facts, *call.statement, call.operands[0].node);
  if (!in_lists(*call.op) || !self) return "";
  if (call.operands.size() == 1) return "none";
  const Node& other = call.operands[1].node;
  if (tensor_before(facts, *call.statement, other)) return "tensor";
  return is_number_before(facts, *call.statement, other) ? "number" : "";
}

bool like_result(const OperatorCall& call, const Facts& facts) {
  const NameFacts* self = tensor_before(facts, *call.statement, call.operands[0].node);
  const NameFacts* result = facts.find_after(call.statement->id, std::string(call.target.text()));
  return self && knows_extent(result) && self->dtype == result->dtype && self->shape == result->shape &&
         self->strides == result->strides;
}

/// By the text: the call and those behind it that could be computed with it, the same operator first to last.
std::vector<OperatorCall> like_calls(const Parsed& parsed, const OperatorCall& first) {
  std::vector<OperatorCall> found = {first};
  NameSet bound = {std::string(first.target.text())};
  const Statement* at = next_in_block(parsed, *first.statement);
  for (std::size_t i = 0; at && i < kLongestRun; ++i, at = next_in_block(parsed, *at)) {
    auto call = find_call(parsed, *at);
    if (!call || !call->op->is_new()) break;
    bool reads = std::any_of(call->operands.begin(), call->operands.end(),
                             [&](const Operand& operand) { return bound.contains(operand.node.text()); });
    if (call->op == first.op && !reads) found.push_back(*call);
    bound.insert(call->target.text());
  }
  return found;
}

/// "KIND in_place|apart ID ID ... [+NAME]": the statements that go together, and a tensor that only fills the list.
std::string note_members(const Parsed& parsed, const Facts& facts, const OperatorCall& first, Choices& choices) {
  std::string kind = kind_of(first, facts);
  if (kind.empty()) return "";
  bool like = true;
  std::vector<std::string> ids;
  for (const OperatorCall& call : like_calls(parsed, first)) {
    if (kind_of(call, facts) != kind || wants_grad(call, facts) != wants_grad(first, facts)) continue;
    if (!ids.empty() && choices.chance(1, 5)) continue;
    ids.push_back(call.statement->id);
    like = like && like_result(call, facts);
  }
  std::string note =
      fmt::format("{} {} {}", kind, like && first.op->in_place ? "in_place" : "apart", fmt::join(ids, " "));
  const NameFacts* self = tensor_before(facts, *first.statement, first.operands[0].node);
  std::vector<std::string> fillers;
  for (const LiveTensor& one : live_tensors(parsed, facts, *first.statement))
    if (one.facts->dtype == self->dtype && (wants_grad(first, facts) || !*one.facts->requires_grad) &&
        (kind != "tensor" || one.facts->shape == self->shape))
      fillers.push_back(one.name);
  bool fills = kind != "number" && !fillers.empty() && (ids.size() == 1 ? choices.chance(2, 3) : choices.chance(1, 6));
  return fills ? fmt::format("{} +{}", note, choices.pick(fillers)) : note;
}

struct Members {
  std::string kind;
  bool in_place = false;
  std::vector<OperatorCall> calls;
  std::string filler;
};

std::optional<Members> read_members(const Parsed& parsed, const OperatorCall& first, std::string_view note) {
  auto words = split(note, ' ');
  if (words.size() < 3) return std::nullopt;
  Members members{std::string(words[0]), words[1] == "in_place", {}, ""};
  auto possible = like_calls(parsed, first);
  for (std::size_t i = 2; i < words.size(); ++i) {
    if (words[i].starts_with('+')) {
      members.filler = words[i].substr(1);
      continue;
    }
    auto call = std::find_if(possible.begin(), possible.end(),
                             [&](const OperatorCall& one) { return one.statement->id == words[i]; });
    if (call != possible.end()) members.calls.push_back(*call);
  }
  bool fits = !members.calls.empty() && members.calls[0].statement == first.statement && in_lists(*first.op) &&
              (members.filler.empty() || parsed.scopes().readable(*first.statement, members.filler));
  return fits ? std::optional(members) : std::nullopt;
}

class ForeachForm final : public Mutation {
 public:
  ForeachForm()
      : Mutation({"foreach_form", "A", Exactness::kBitwise, true, "jitprobe",
                  "horizontal fusion: one kernel for several tensors, lists that are functionalised"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    std::vector<Site> found;
    if (uses_introspection(parsed)) return found;
    for (const Statement& statement : parsed.statements()) {
      if (!facts.before.contains(statement.id)) continue;
      auto call = find_call(parsed, statement);
      if (call && !kind_of(*call, facts).empty()) found.push_back({statement.id, ""});
    }
    return found;
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto first = find_call(parsed, *parsed.find(site.statement));
    if (!first || uses_introspection(parsed) || !site.path.empty()) return {};
    std::uint64_t seed = choices.below(std::uint64_t{1} << 62);
    auto members = read_members(parsed, *first, choices.note([&] {
      Choices inner(seed);
      return note_members(parsed, facts, *first, inner);
    }));
    if (!members) return {};
    std::vector<std::string> ones;
    std::vector<std::string> others;
    for (const OperatorCall& call : members->calls) {
      ones.emplace_back(call.operands[0].node.text());
      if (call.operands.size() > 1) others.emplace_back(call.operands[1].node.text());
    }
    if (!members->filler.empty()) ones.push_back(members->filler);
    if (!members->filler.empty() && !others.empty()) others.push_back(members->filler);

    Rewrite rewrite(parsed, step_number);
    bool in_place = members->in_place && members->filler.empty() && choices.chance(1, 4);
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
    for (std::size_t i = 0; i < members->calls.size(); ++i)
      rewrite.replace(members->calls[i].node, names.empty() ? fmt::format("{}[{}]", list, i) : names[i]);
    return rewrite.edits();
  }
};

const Register<Mutation, ForeachForm> registered;

}  // namespace
}  // namespace jp::mutate
