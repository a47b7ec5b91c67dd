// One call becomes two, two become three: `make_inputs` returns a list with one more call at its end. The new call
// differs from the one before in a Python number, a dtype, a layout, in which inputs require gradients, in the leading
// size of its tensors, or in which arguments are the same tensor; or it is the first call again:
//
//     return (torch.randn(3, 4), 2)
//     return [(torch.randn(3, 4), 2), (torch.randn(3, 4), (2) + 1)]
//
// Or a size in the existing calls is marked as likely to change, or to stay; or the compiler is reset before the new
// call. (Only `maybe_mark_dynamic` and `mark_static` are drawn: `mark_dynamic` raises where the program needs one
// particular size, which eager does not check.)
//
// The program may not accept another size; the engine's caller finds that out in eager and discards the step. The
// program is a variation. Site: the return statement of make_inputs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/inputs.h"
#include "mutate/inputs/strides.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/casts.h"
#include "mutate/rewrite/rewrite.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::history_mutation {
namespace {

constexpr std::size_t kMostCalls = 3;

/// The text of another number for a Python scalar.
std::string other_number(const InputKind& input, std::string_view text, Choices& choices) {
  if (input.kind == "bool") return fmt::format("not ({})", text);
  std::vector<std::string_view> forms = {"({}) + 1", "-({})", "({}) * 2", "({}) - 1"};
  if (input.kind == "float") forms.push_back("({}) + 0.5");
  if (input.kind == "int") forms.push_back("({}) + 7");
  return fmt::format(fmt::runtime(choices.pick(forms)), text);
}

/// Leading sizes of the tensors of the highest rank that occur at no other place in the shapes. Such a size is likely a
/// batch, which the program does not depend on. Empty when some argument is not known.
std::vector<std::int64_t> batch_sizes(const std::vector<InputKind>& kinds) {
  std::size_t rank = 1;
  for (const InputKind& input : kinds) {
    if (input.kind == "other") return {};
    rank = std::max(rank, input.shape.size());
  }
  std::vector<std::int64_t> sizes;
  for (const InputKind& input : kinds)
    if (input.shape.size() == rank && input.shape[0] > 1) sizes.push_back(input.shape[0]);
  for (const InputKind& input : kinds)
    for (std::size_t axis = input.shape.size() == rank ? 1 : 0; axis < input.shape.size(); ++axis)
      std::erase(sizes, input.shape[axis]);
  return sizes;
}

bool same_type(const InputKind& one, const InputKind& other) {
  return one.is_tensor() && other.is_tensor() && one.dtype == other.dtype && one.shape == other.shape;
}

bool may_want_grad(const InputKind& input) {
  return input.is_tensor() && (is_floating(input.dtype) || is_complex(input.dtype));
}

bool has_axis(const InputKind& input) { return input.is_tensor() && !input.shape.empty(); }

/// In what the new call differs.
enum Change : std::uint64_t { kNumber, kSize, kAlias, kSame, kDtype, kGrad, kLayout, kBack, kMark, kReset };

/// The argument texts of the new call, before changes.
struct NewCall {
  const Parsed& parsed;
  Rewrite& rewrite;
  const InputsReturn& inputs;
  std::vector<InputKind> kinds;
  std::string torch;
  std::vector<std::string> texts;

  template <typename Fits>
  std::vector<std::size_t> arguments(const Fits& fits) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      if (fits(kinds[i])) found.push_back(i);
    return found;
  }
};

std::vector<Change> kinds_of_change(const NewCall& made) {
  std::vector<Change> changes = {kSame};
  const auto& kinds = made.kinds;
  bool tensors = std::any_of(kinds.begin(), kinds.end(), [](const InputKind& kind) { return kind.is_tensor(); });
  bool alike = false;
  for (std::size_t i = 0; i < kinds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) alike = alike || same_type(kinds[i], kinds[j]);
  // Most of the known bugs of this shape involve numbers.
  if (std::any_of(kinds.begin(), kinds.end(), [](const InputKind& kind) { return kind.is_number(); }))
    changes = {kNumber, kNumber, kNumber, kSame};
  if (!batch_sizes(kinds).empty()) changes.insert(changes.end(), {kSize, kSize});
  if (alike) changes.insert(changes.end(), {kAlias, kAlias});
  if (made.inputs.calls.size() > 1) changes.push_back(kBack);
  if (made.torch.empty() || !tensors) return changes;
  changes.insert(changes.end(), {kDtype, kLayout});
  if (std::any_of(kinds.begin(), kinds.end(), may_want_grad)) changes.push_back(kGrad);
  const Statement* function = module_function(made.parsed, made.parsed.program().inputs());
  if (!function->own_lines) return changes;
  if (std::any_of(kinds.begin(), kinds.end(), has_axis)) changes.push_back(kMark);
  if (!made.parsed.has_word("before_call")) changes.push_back(kReset);
  return changes;
}

// The repetitions are appended at the end, so that the draws of stored lineages keep their meaning.
std::vector<Change> possible(const NewCall& made) {
  std::vector<Change> changes = kinds_of_change(made);
  if (changes.front() == kNumber) changes.insert(changes.end(), 3, kNumber);
  return changes;
}

/// All tensors with the same leading size are doubled or shortened together along that axis.
void change_size(NewCall& made, Choices& choices) {
  std::int64_t size = choices.pick(batch_sizes(made.kinds));
  bool longer = choices.chance(1, 2);
  std::int64_t kept = choices.between(1, size - 1);
  for (std::size_t i = 0; i < made.kinds.size(); ++i) {
    if (!has_axis(made.kinds[i]) || made.kinds[i].shape[0] != size) continue;
    std::string& text = made.texts[i];
    text = longer ? fmt::format("({}).repeat_interleave(2, 0)", text) : fmt::format("({})[:{}]", text, kept);
  }
}

/// Two arguments of the same type become one tensor.
void change_alias(NewCall& made, Choices& choices) {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < made.kinds.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (same_type(made.kinds[i], made.kinds[j])) pairs.emplace_back(j, i);
  auto [first, second] = choices.pick(pairs);
  std::string name = made.rewrite.name("t");
  made.texts[first] = fmt::format("({} := ({}))", name, made.texts[first]);
  made.texts[second] = choices.chance(1, 2) ? name : name + "[...]";
}

/// All tensors of one dtype get another dtype of the same class.
void change_dtype(NewCall& made, Choices& choices) {
  auto tensors = made.arguments([](const InputKind& kind) { return kind.is_tensor(); });
  Dtype dtype = made.kinds[choices.pick(tensors)].dtype;
  std::string tail = cast_tail(dtype_name(dtype), choices.pick(gentle_targets(dtype)), made.torch, choices);
  for (std::size_t i : tensors)
    if (made.kinds[i].dtype == dtype) made.texts[i] = with_tail(made.inputs.calls.back()[i], made.kinds[i], tail);
}

void change_grad(NewCall& made, Choices& choices) {
  std::size_t at = choices.pick(made.arguments(may_want_grad));
  const Node& text = made.inputs.calls.back()[at];
  made.texts[at] = operand(text) + (made.kinds[at].requires_grad ? ".detach()" : ".clone().requires_grad_()");
}

/// Marks a size of a tensor in the existing calls.
void mark(NewCall& made, Choices& choices) {
  std::size_t at = choices.pick(made.arguments(has_axis));
  std::int64_t axis = choices.between(0, static_cast<std::int64_t>(made.kinds[at].shape.size()) - 1);
  std::string_view how = choices.chance(2, 3) ? "maybe_mark_dynamic" : "mark_static";
  std::string name = made.rewrite.name("marked");
  made.rewrite.before(*module_function(made.parsed, made.parsed.program().inputs()),
                      {{fmt::format("def {}(t):", name)},
                       {fmt::format("{}._dynamo.{}(t, {})", made.torch, how, axis), 1},
                       {"return t", 1},
                       {""},
                       {""}});
  for (const auto& call : made.inputs.calls)
    if (at < call.size()) made.rewrite.replace(call[at], fmt::format("{}({})", name, call[at].text()));
}

/// The compiler is reset before the new call.
void reset(NewCall& made) {
  made.rewrite.before(*module_function(made.parsed, made.parsed.program().inputs()),
                      {{"def before_call(i):"},
                       {fmt::format("if i == {}:", made.inputs.calls.size()), 1},
                       {fmt::format("{}._dynamo.reset()", made.torch), 2},
                       {""},
                       {""}});
}

void change(NewCall& made, Change what, Choices& choices) {
  switch (what) {
    case kNumber: {
      std::size_t at = choices.pick(made.arguments([](const InputKind& kind) { return kind.is_number(); }));
      made.texts[at] = other_number(made.kinds[at], made.texts[at], choices);
      break;
    }
    case kSize:
      return change_size(made, choices);
    case kAlias:
      return change_alias(made, choices);
    case kDtype:
      return change_dtype(made, choices);
    case kGrad:
      return change_grad(made, choices);
    case kLayout: {
      std::size_t at = choices.pick(made.arguments([](const InputKind& kind) { return kind.is_tensor(); }));
      made.texts[at] = draw_layout(made.inputs.calls.back()[at], made.kinds[at], made.torch,
                                   {false, !negation_refused(made.parsed)}, choices);
      break;
    }
    case kBack:
      made.texts.clear();
      for (const Node& argument : made.inputs.calls.front()) made.texts.emplace_back(argument.text());
      break;
    case kMark:
      return mark(made, choices);
    case kReset:
      return reset(made);
    case kSame:
      break;
  }
}

/// The code that prepares each call looks data up by the number of the call, and has none for a further call.
bool counts_calls(const Parsed& parsed) {
  const Statement* function = module_function(parsed, "before_call");
  if (!function) return false;
  for (const Node node : nodes_of(function->node))
    if (node.is("subscript")) return true;
  return false;
}

class History final : public Mutation {
 public:
  History()
      : Mutation({"history", "E", Exactness::kVariation, true, "jitprobe",
                  "properties that were specialised in the first call and no longer hold in the second"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    auto inputs = changeable_inputs(parsed);
    auto kinds = input_kinds(parsed, facts);
    if (!inputs || kinds.empty() || inputs->calls.size() >= kMostCalls || counts_calls(parsed)) return {};
    return {{inputs->statement->id, ""}};
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto inputs = changeable_inputs(parsed);
    auto kinds = choices.note([&] { return input_kinds(parsed, facts); });
    if (!inputs || kinds.empty() || inputs->calls.size() >= kMostCalls || inputs->statement->id != site.statement ||
        counts_calls(parsed))
      return {};
    Rewrite rewrite(parsed, step_number);
    NewCall made{parsed, rewrite, *inputs, std::move(kinds), torch_name(parsed, *inputs->statement), {}};
    for (const Node& argument : inputs->calls.back()) made.texts.emplace_back(argument.text());
    made.kinds.resize(std::min(made.texts.size(), made.kinds.size()));
    Change what = choices.pick(possible(made));
    change(made, what, choices);
    // The marked size may be changed in a later step.
    if (what == kMark && choices.chance(1, 2)) return rewrite.edits();

    std::string call = tuple_text(made.texts);
    const Node& last = inputs->tuples.back();
    bool bare = last.is("expression_list");
    rewrite.insert(last.begin(), inputs->is_list ? "" : bare ? "[(" : "[");
    rewrite.insert(last.end(), fmt::format("{}, {}{}", bare ? ")" : "", call, inputs->is_list ? "" : "]"));
    return rewrite.edits();
  }
};

const Register<Mutation, History> registered;

}  // namespace
}  // namespace jp::mutate::history_mutation
