#include "mutate/material/definitions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "mutate/facts/live.h"
#include "mutate/names/outside_memory.h"
#include "mutate/names/own_code.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

constexpr auto kDefinitions = std::to_array<Definition>({
    {"softmax", "$1 = $torch.exp($input - $input.amax($dim, keepdim=True)) ;; $1 / $1.sum($dim, keepdim=True)"},
    {"softmax", "$torch.exp($input) / $torch.exp($input).sum($dim, keepdim=True)"},
    {"softmax", "$torch.exp($input - $torch.logsumexp($input, $dim, keepdim=True))"},
    {"softmax", "$torch.log_softmax($input, $dim).exp()"},
    {"log_softmax", "$input - $torch.logsumexp($input, $dim, keepdim=True)"},
    {"log_softmax", "$1 = $input - $input.amax($dim, keepdim=True) ;; $1 - $1.exp().sum($dim, keepdim=True).log()"},
    {"logsumexp", "$torch.log($torch.exp($input).sum($dim))"},
    {"gelu", "0.5 * $input * (1 + $torch.erf($input * 0.7071067811865476))"},
    {"gelu", "$input * (0.5 + 0.5 * $torch.erf($input / 2**0.5))"},
    {"silu", "$input * $torch.sigmoid($input)"},
    {"silu", "$input / (1 + $torch.exp(-$input))"},
    {"sigmoid", "1 / (1 + $torch.exp(-$input))"},
    {"sigmoid", "0.5 * ($torch.tanh($input / 2) + 1)"},
    {"tanh", "2 * $torch.sigmoid(2 * $input) - 1"},
    {"tanh", "$1 = $torch.exp(2 * $input) ;; ($1 - 1) / ($1 + 1)", 8},
    {"softplus", "$torch.log1p($torch.exp($input))", 15},
    {"mish", "$input * $torch.tanh($torch.nn.functional.softplus($input))"},
    {"mish", "$input * $torch.tanh($torch.log1p($torch.exp($input)))", 15},
    {"hardswish", "$input * ($input + 3).clamp(0, 6) / 6", 20, false, true},
    {"hardsigmoid", "($input + 3).clamp(0, 6) / 6", 20, false, true},
    {"relu6", "$input.clamp(0, 6)", 1e30, false, true},
    {"hardtanh", "$input.clamp(-1, 1)", 1e30, false, true},
    {"relu", "$torch.where($input > 0, $input, 0.0)", 1e30},
    {"relu", "$input.clamp(min=0)", 1e30, false, true},
    {"relu", "$torch.maximum($input, $torch.zeros_like($input))", 1e30, false, true},
    {"relu", "($input + $input.abs()) / 2", 1e30, false, true},
    {"relu", "$input * ($input > 0)", 1e30},
    {"leaky_relu", "$torch.where($input > 0, $input, $input * 0.01)", 1e30},
    {"leaky_relu", "$torch.where($input > 0, $input, $input * $negative_slope)", 1e30},
    {"elu", "$torch.where($input > 0, $input, $torch.expm1($input))"},
    {"elu", "$torch.where($input > 0, $input, $torch.exp($input) - 1)"},
    {"celu", "$torch.where($input > 0, $input, $torch.expm1($input))"},
    {"selu", "1.0507009873554805 * $torch.where($input > 0, $input, 1.6732632423543772 * $torch.expm1($input))"},
    {"softsign", "$input / (1 + $input.abs())"},
    {"tanhshrink", "$input - $torch.tanh($input)"},
    {"logsigmoid", "-$torch.log1p($torch.exp(-$input))", 15},
    {"logsigmoid", "-$torch.nn.functional.softplus(-$input)"},
    {"square", "$input * $input", 1e3},
    {"square", "$input ** 2", 1e3},
    {"reciprocal", "1 / $input", 1e3, true},
    {"rsqrt", "1 / $torch.sqrt($input)", 1e3, true},
    {"rsqrt", "$input.sqrt().reciprocal()", 1e3, true},
    {"sqrt", "$input ** 0.5", 1e3, true},
    {"log1p", "$torch.log(1 + $input)", 1e3, true},
    {"expm1", "$torch.exp($input) - 1", 4},
    {"log2", "$torch.log($input) * 1.4426950408889634", 1e3, true},
    {"exp2", "$torch.exp($input * 0.6931471805599453)", 4},
    {"sinh", "($torch.exp($input) - $torch.exp(-$input)) / 2", 4},
    {"cosh", "($torch.exp($input) + $torch.exp(-$input)) / 2", 4},
    {"abs", "$torch.where($input < 0, -$input, $input)", 1e30, false, true},
    {"abs", "$torch.maximum($input, -$input)", 1e30, false, true},
    {"neg", "0 - $input", 1e30},
    {"neg", "$input * -1", 1e30},
    {"logaddexp", "$torch.log($torch.exp($input) + $torch.exp($other))"},
    {"logaddexp", "$torch.maximum($input, $other) + $torch.log1p($torch.exp(-($input - $other).abs()))", 20, false,
     true},
    {"hypot", "$torch.sqrt($input * $input + $other * $other)", 1e3, true},
    {"maximum", "$torch.where($input > $other, $input, $other)", 1e30, false, true},
    {"minimum", "-$torch.maximum(-$input, -$other)", 1e30, false, true},
    {"addcmul", "$input + $tensor1 * $tensor2", 1e3},
    {"addcdiv", "$input + $tensor1 / $tensor2", 1e3, true},
    {"lerp", "$input + $weight * ($end - $input)", 1e3},
    {"lerp", "$input * (1 - $weight) + $end * $weight", 1e3},
    {"addmm", "$input + $mat1 @ $mat2"},
    {"baddbmm", "$input + $torch.bmm($batch1, $batch2)"},
    {"mean", "$input.sum() / $input.numel()"},
    {"mean", "$input.sum($dim) / $input.shape[$dim]"},
    {"mean", "$1 = $input.sum($dim) ;; $1 * ($1.numel() / $input.numel())"},
    {"var", "(($input - $input.mean()) ** 2).sum() / ($input.numel() - 1)"},
    {"var", "$1 = $input - $input.sum() / $input.numel() ;; ($1 * $1).sum() / ($input.numel() - 1)"},
    {"std", "$torch.sqrt($torch.var($input))"},
    {"layer_norm",
     "$1 = $input - $input.mean(-1, keepdim=True) ;; "
     "$2 = ($1 * $1).mean(-1, keepdim=True) ;; $1 * $torch.rsqrt($2 + 1e-5) * $weight + $bias"},
    {"layer_norm",
     "$1 = $input.var(-1, unbiased=False, keepdim=True) ;; "
     "($input - $input.mean(-1, keepdim=True)) / ($1 + 1e-5).sqrt() * $weight + $bias"},
    {"linear", "$input @ $weight.t()"},
    {"linear", "$input @ $weight.t() + $bias"},
});

bool names_parameter(std::string_view text, std::string_view parameter) {
  for (std::size_t at = text.find('$'); at != std::string_view::npos; at = text.find('$', at + 1)) {
    std::string_view rest = text.substr(at + 1);
    std::size_t end = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789");
    if (rest.substr(0, end) == parameter) return true;
  }
  return false;
}

/// The definition mentions exactly the parameters for which the call has operands. layer_norm must normalise over one
/// axis only.
bool fits(const OperatorCall& call, const Definition& definition) {
  for (std::string_view parameter : call.op->parameters) {
    Node operand = call.operand(parameter);
    if (parameter == "normalized_shape" && call.op->name == "layer_norm") {
      bool one = operand && (operand.is("tuple") || operand.is("list")) && operand.children().size() == 1;
      if (!one) return false;
      continue;
    }
    if (static_cast<bool>(operand) != names_parameter(definition.text, parameter)) return false;
  }
  Node dim = call.operand("dim");
  // Of the definitions of mean, the last one is for any axes.
  if (dim && (dim.is("tuple") || dim.is("list"))) return definition.text.starts_with("$1 = $input.sum($dim)");
  return !dim || is_number(dim);
}

Node bare(Node node) {
  while (node.is("parenthesized_expression") && node.children().size() == 1) node = node.children()[0];
  return node;
}

/// A statement between the two may write what `made` computed, or what it computed it from: in place, in code of the
/// file, or through memory that a tensor shares with an array.
bool may_write_between(const Parsed& parsed, const Statement& made, const Statement& statement) {
  const bool outside = shares_memory_outside(parsed);
  return std::any_of(parsed.statements().begin(), parsed.statements().end(), [&](const Statement& one) {
    if (one.index <= made.index || one.index >= statement.index) return false;
    const Effects effects = effects_of(one);
    return !effects.written.empty() || (outside && !effects.calls.empty()) || parsed.own_code().may_run(parsed, one);
  });
}

/// The operator call that computes an operand: the operand itself, or the value of a name that is assigned only once,
/// above in the same block. In the second case the call's own operands must be bound only once, and nothing may be
/// written in between, so that they still have the same values.
std::optional<OperatorCall> computed_by(const Parsed& parsed, const OperatorCall& call, const Node& operand) {
  Node node = bare(operand);
  if (!node.is("identifier")) {
    for (OperatorCall& inner : operator_calls(parsed, *call.statement))
      if (inner.node == node) return std::move(inner);
    return std::nullopt;
  }
  const Scopes& scopes = parsed.scopes();
  int scope = scopes.scope_of(*call.statement);
  if (scopes.bindings(scope, node.text()) != 1 || !binds_itself(parsed, *call.statement, std::string(node.text())))
    return std::nullopt;
  for (const Use& use : scopes.uses_of(scope, node.text())) {
    if (use.kind != Use::Kind::kBind) continue;
    const Statement* made = parsed.statement_at(use.node.begin());
    if (!made || made->block != call.statement->block || made->index >= call.statement->index) return std::nullopt;
    for (OperatorCall& inner : operator_calls(parsed, *made)) {
      bool whole = inner.target && inner.op->is_new();
      bool steady = std::all_of(inner.operands.begin(), inner.operands.end(), [&](const GivenArgument& one) {
        return !one.node.is("identifier") || scopes.bindings(scope, one.node.text()) == 1;
      });
      const bool late = parsed.own_code().runs_before(parsed, *call.statement, call.node);
      if (whole && steady && !late && !may_write_between(parsed, *made, *call.statement)) return std::move(inner);
    }
  }
  return std::nullopt;
}

bool is_literal(const Node& node, std::string_view number) { return node && node.text() == number; }

/// Finds the composite operators whose definition one call is.
class Finder {
 public:
  Finder(const Parsed& parsed, const OperatorCall& call) : parsed_(parsed), call_(call) {}

  std::vector<Composite> find() {
    std::string_view name = call_.op->name;
    const auto& operands = call_.operands;
    Node one = operands[0].node;
    Node other = operands.size() > 1 ? operands[1].node : Node();
    if (operands.size() == 2) {
      binary(name, one, other);
      if (name == "add" || name == "mul") binary(name, other, one);
    }
    if (operands.size() == 1) unary(name, one);
    return found_;
  }

 private:
  void add(std::string text, std::vector<Node> tensors, double most = 20, bool no_grads = false) {
    bool names = std::all_of(tensors.begin(), tensors.end(), [](const Node& node) { return node.is("identifier"); });
    if (names) found_.push_back({std::move(text), std::move(tensors), most, no_grads});
  }

  std::string functional(std::string_view name, const Node& x) const {
    return fmt::format("{}.nn.functional.{}({})", call_.torch, name, x.text());
  }
  std::string function(std::string_view name, const Node& x) const {
    return fmt::format("{}.{}({})", call_.torch, name, x.text());
  }

  void binary(std::string_view name, const Node& one, const Node& other) {
    if (name == "mul" && one.is("identifier") && one.text() == other.text()) add(function("square", one), {one}, 1e3);
    if (name == "pow" && is_literal(other, "2")) add(function("square", one), {one}, 1e3);
    if (name == "div" && is_literal(one, "1")) add(function("reciprocal", other), {other}, 1e3);
    auto inner = computed_by(parsed_, call_, other);
    if (!inner || !inner->op) return;
    std::string_view with = inner->op->name;
    Node a = inner->operands[0].node;
    Node b = inner->operands.size() == 2 ? inner->operands[1].node : Node();
    bool same = one.is("identifier") && one.text() == a.text();
    if (name == "mul" && with == "sigmoid" && same) add(functional("silu", one), {one});
    if (name == "sub" && with == "tanh" && same) add(functional("tanhshrink", one), {one});
    if (name == "div" && with == "sqrt" && is_literal(one, "1")) add(function("rsqrt", a), {a}, 1e3);
    if (name == "add" && with == "exp" && is_literal(one, "-1")) add(function("expm1", a), {a}, 4);
    if (name != "add" || !b || !one.is("identifier")) return;
    std::string three = fmt::format("{}, {}, {}", one.text(), a.text(), b.text());
    if (with == "mul") add(fmt::format("{}.addcmul({})", call_.torch, three), {one, a, b}, 1e3);
    if (with == "div") add(fmt::format("{}.addcdiv({})", call_.torch, three), {one, a, b}, 1e3);
    if (with == "mm") add(fmt::format("{}.addmm({})", call_.torch, three), {one, a, b});
    if (with == "bmm") add(fmt::format("{}.baddbmm({})", call_.torch, three), {one, a, b});
  }

  void unary(std::string_view name, const Node& operand) {
    auto inner = computed_by(parsed_, call_, operand);
    if (!inner) return;
    std::string_view with = inner->op->name;
    Node a = inner->operands[0].node;
    Node b = inner->operands.size() == 2 ? inner->operands[1].node : Node();
    if (name == "log" && with == "add" && b && is_literal(a, "1")) add(function("log1p", b), {b}, 1e3);
    if (name == "log" && with == "add" && is_literal(b, "1")) add(function("log1p", a), {a}, 1e3);
    if (name == "log" && with == "sigmoid") add(functional("logsigmoid", a), {a}, 15);
    if (name == "reciprocal" && with == "sqrt") add(function("rsqrt", a), {a}, 1e3);
    if (name == "sqrt" && with == "reciprocal") add(function("rsqrt", a), {a}, 1e3);
    if (name == "neg" && with == "abs")
      add(fmt::format("{0}.minimum({1}, -{1})", call_.torch, a.text()), {a}, 1e30, true);
    if (!b || !is_number(b)) return;
    std::string two = fmt::format("({}, {})", a.text(), b.text());
    if (name == "log" && with == "softmax") add(fmt::format("{}.log_softmax{}", call_.torch, two), {a}, 5);
    if (name == "exp" && with == "log_softmax") add(fmt::format("{}.softmax{}", call_.torch, two), {a});
  }

  const Parsed& parsed_;
  const OperatorCall& call_;
  std::vector<Composite> found_;
};

}  // namespace

std::vector<const Definition*> definitions_of_layer_norm() {
  std::vector<const Definition*> found;
  for (const Definition& definition : kDefinitions)
    if (definition.name == "layer_norm") found.push_back(&definition);
  return found;
}

std::vector<const Definition*> definitions_of(const OperatorCall& call) {
  std::vector<const Definition*> found;
  for (const Definition& definition : kDefinitions)
    if (definition.name == call.op->name && fits(call, definition)) found.push_back(&definition);
  return found;
}

std::vector<Composite> composites_of(const Parsed& parsed, const OperatorCall& call) {
  return Finder(parsed, call).find();
}

}  // namespace jp::mutate
