// An operator is written in another form:
//
//     v2 = torch.add(v0, v1)       v2 = v0.clone().add_(v1)
//
// Forms: function, method, unbound method of the class, Python's operator, its dunder method, torch.ops.aten (packet or
// overload), torch.nn.functional, a module of torch.nn, positional or keyword arguments, in place on a clone, `out=`.
// The result is unchanged bit for bit. Site path: "" for the whole value of an assignment, otherwise the call's number
// among the calls in the statement.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/calls/operator_call.h"
#include "mutate/engine/mutation.h"
#include "mutate/engine/notes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate::spelling_mutation {
namespace {

enum SpellingKind : int {
  kFunction,
  kKeywords,
  kMethod,
  kMethodKeywords,
  kClassMethod,
  kSymbol,
  kDunder,
  kAten,
  kOverload,
  kFunctional,
  kFunctionalKeywords,
  kModule,
  kInPlace,
  kOut,
  kSpellingKinds
};

/// Facts of the call. Without `result` only forms that need no types may be drawn; with it, the operands and the result
/// of an assignment are known, as the in-place and `out=` forms require.
struct Types {
  std::string second;  // "tensor", "number", "other"
  bool like = false;   // the result has the dtype and layout of the first operand
  bool free = false;   // no gradients
  std::optional<KnownTensorType> result;

  auto fields() { return std::tie(second, like, free, result); }
};

std::optional<Types> types_of(const OperatorCall& call, const Facts& facts) {
  const NameFacts* self = tensor_before(facts, *call.statement, call.operands[0].node);
  if (!self || !call.operands[0].keyword.empty()) return std::nullopt;
  bool grads = *self->requires_grad;
  Types types{"other"};
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Node& node = call.operands[i].node;
    const NameFacts* other = tensor_before(facts, *call.statement, node);
    bool number = is_number_before(facts, *call.statement, node);
    if (i == 1 && (other || number)) types.second = other ? "tensor" : "number";
    grads = grads || (other && *other->requires_grad);
  }
  // `a == None` and the like are evaluated by Python and not by torch.
  if (call.form == OperatorCall::Form::kSymbol && !call.op->unary() && types.second == "other") return std::nullopt;
  const NameFacts* result = nullptr;
  if (call.target) result = facts.find_after(call.statement->id, std::string(call.target.text()));
  if (!knows_extent(result)) return types;
  types.like = self->dtype == result->dtype && self->shape == result->shape && self->strides == result->strides;
  types.free = !grads && !*result->requires_grad;
  types.result = known_type_of(*result);
  return types;
}

std::string_view dunder(std::string_view symbol, bool unary) {
  constexpr auto kNames = std::to_array<std::pair<std::string_view, std::string_view>>({{"+", "add"},
                                                                                        {"-", "sub"},
                                                                                        {"*", "mul"},
                                                                                        {"/", "truediv"},
                                                                                        {"%", "mod"},
                                                                                        {"//", "floordiv"},
                                                                                        {"&", "and"},
                                                                                        {"|", "or"},
                                                                                        {"^", "xor"},
                                                                                        {"==", "eq"},
                                                                                        {"!=", "ne"},
                                                                                        {"<", "lt"},
                                                                                        {"<=", "le"},
                                                                                        {">", "gt"},
                                                                                        {">=", "ge"},
                                                                                        {"**", "pow"},
                                                                                        {"@", "matmul"},
                                                                                        {"~", "invert"}});
  if (unary && symbol == "-") return "neg";
  for (const auto& [sign, name] : kNames)
    if (sign == symbol) return name;
  return "";
}

/// The text of an operand next to Python's operator, in parentheses if it needs them.
std::string beside_symbol(const Node& node) {
  return is_primary(node) || is_unsigned_number(node) ? std::string(node.text()) : fmt::format("({})", node.text());
}

/// All operands from `first` on; by keyword where they were, and also elsewhere if `named`.
std::string arguments(const OperatorCall& call, std::size_t first, bool named) {
  std::vector<std::string> texts;
  for (std::size_t i = first; i < call.operands.size(); ++i) {
    const GivenArgument& operand = call.operands[i];
    std::string_view keyword = operand.keyword;
    if (keyword.empty() && named) keyword = call.op->parameters[i];
    texts.push_back(keyword.empty() ? std::string(operand.node.text())
                                    : fmt::format("{}={}", keyword, operand.node.text()));
  }
  return joined(texts);
}

bool all_by_place(const OperatorCall& call) {
  return std::all_of(call.operands.begin(), call.operands.end(),
                     [](const GivenArgument& one) { return one.keyword.empty(); });
}

/// A call of the torch.nn class: its constructor takes the operands after the input.
std::string module_text(const OperatorCall& call) {
  const Node& input = call.operands[0].node;
  return fmt::format("{}.nn.{}({})({})", call.torch, call.op->module, arguments(call, 1, true), input.text());
}

std::string out_text(const OperatorCall& call, const Types& types, Choices& choices) {
  const TensorType& result = *types.result;
  std::string dtype = fmt::format("dtype={}.{}", call.torch, dtype_name(result.dtype));
  std::vector<std::string> forms = {fmt::format("{}.empty_strided({}, {}, {})", call.torch, tuple_text(result.shape),
                                                tuple_text(result.strides), dtype)};
  if (is_row_major(result))
    forms.push_back(fmt::format("{}.empty({}, {})", call.torch, tuple_text(result.shape), dtype));
  if (types.like) forms.push_back(fmt::format("{}.empty_like({})", call.torch, call.operands[0].node.text()));
  return fmt::format("{}.{}({}, out={})", call.torch, call.op->name, arguments(call, 0, false), choices.pick(forms));
}

/// The forms that are possible, except the present one.
std::vector<SpellingKind> kinds_of_spelling(const OperatorCall& call, const Types& types) {
  const OperatorFacts& op = *call.op;
  bool by_place = all_by_place(call);
  bool two = op.places == 2 && call.operands.size() == 2 && by_place;
  bool full = op.unary() || (two && types.second != "other");
  std::vector<SpellingKind> found;
  auto add = [&](SpellingKind kind, bool fits) {
    if (fits) found.push_back(kind);
  };
  using Form = OperatorCall::Form;
  add(kFunction, op.function && call.form != Form::kFunction);
  add(kKeywords, op.function);
  add(kMethod, op.method && call.form != Form::kMethod);
  add(kMethodKeywords, op.method && call.operands.size() > 1 && by_place);
  add(kClassMethod, op.method);
  add(kSymbol, !op.symbol.empty() && full && call.form != Form::kSymbol);
  add(kDunder, !op.symbol.empty() && full);
  const bool numbers = op.has_overload("Tensor") && op.has_overload("Scalar") && full;
  add(kAten, !op.overloads.empty() && by_place);
  add(kOverload, by_place && (op.unary() ? op.has_overload("default") : numbers));
  add(kFunctional, op.functional && call.form != Form::kFunctional);
  add(kFunctionalKeywords, op.functional && call.operands.size() > 1);
  add(kModule, !op.module.empty());
  bool sure = types.result && call.simple();
  add(kInPlace, sure && op.works_in_place() && types.like);
  add(kOut, sure && op.out && types.free);
  return found;
}

std::string spelled(SpellingKind kind, const OperatorCall& call, const Types& types, Choices& choices) {
  const OperatorFacts& op = *call.op;
  std::string self(call.operands[0].node.text());
  std::string all = arguments(call, 0, false);
  std::string named = arguments(call, 0, true);
  std::string behind = arguments(call, 1, false);
  std::string overload = op.unary() ? "default" : types.second == "tensor" ? "Tensor" : "Scalar";
  switch (kind) {
    case kFunction:
      return fmt::format("{}.{}({})", call.torch, op.name, all);
    case kKeywords:
      return fmt::format("{}.{}({})", call.torch, op.name, named);
    case kMethod:
      return fmt::format("{}.{}({})", self, op.name, behind);
    case kMethodKeywords:
      return fmt::format("{}.{}({})", self, op.name, arguments(call, 1, true));
    case kClassMethod:
      return fmt::format("{}.Tensor.{}({})", call.torch, op.name, all);
    case kSymbol:
      return op.unary() ? fmt::format("{}{}", op.symbol, self)
                        : fmt::format("{} {} {}", self, op.symbol, beside_symbol(call.operands[1].node));
    case kDunder:
      return fmt::format("{}.__{}__({})", self, dunder(op.symbol, op.unary()), behind);
    case kAten:
      return fmt::format("{}.ops.aten.{}({})", call.torch, op.name, all);
    case kOverload:
      return fmt::format("{}.ops.aten.{}.{}({})", call.torch, op.name, overload, all);
    case kFunctional:
      return fmt::format("{}.nn.functional.{}({})", call.torch, op.name, all);
    case kFunctionalKeywords:
      return fmt::format("{}.nn.functional.{}({})", call.torch, op.name, named);
    case kModule:
      return module_text(call);
    case kInPlace:
      return fmt::format("{}.clone().{}_({})", self, op.name, behind);
    default:
      return out_text(call, types, choices);
  }
}

class Spelling final : public Mutation {
 public:
  Spelling()
      : Mutation({"spelling", "A", Exactness::kBitwise, true, "jitprobe",
                  "spellings of one operator that take other paths: tables of methods, decompositions, out variants"}) {
  }

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    if (asks_for_calls(parsed)) return {};
    return operator_sites(parsed, facts, [&](const OperatorCall& call) {
      auto types = types_of(call, facts);
      return types && !kinds_of_spelling(call, *types).empty();
    });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto call = operator_call_at(parsed, site);
    if (!call || asks_for_calls(parsed)) return {};
    auto types = choices.note([&] { return types_of(*call, facts); });
    if (!types || !call->operands[0].node.is("identifier")) return {};
    auto fitting = kinds_of_spelling(*call, *types);
    if (fitting.empty()) return {};
    SpellingKind kind = choices.pick(fitting);
    std::string text = spelled(kind, *call, *types, choices);
    if (kind == kSymbol && !call->target) text = fmt::format("({})", text);
    Rewrite rewrite(parsed, step_number);
    rewrite.replace(call->node, text);
    return rewrite.edits();
  }

 private:
  /// The program can observe which function of torch is called.
  static bool asks_for_calls(const Parsed& parsed) {
    return parsed.has_word("__torch_function__") || parsed.has_word("TorchFunctionMode") ||
           parsed.has_word("__torch_dispatch__") || parsed.has_word("TorchDispatchMode");
  }
};

const Register<Mutation, Spelling> registered;

}  // namespace
}  // namespace jp::mutate::spelling_mutation
