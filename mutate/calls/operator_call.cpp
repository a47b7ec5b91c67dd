#include "mutate/calls/operator_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "mutate/engine/notes.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

/// Names of one kind: parameters; t function, m method, f functional, i in place, u out=, a aten, o overloads of aten,
/// e foreach, n fresh; then the names, each perhaps with ":SYMBOL" or "=MODULE".
struct Family {
  std::string_view parameters;
  std::string_view flags;
  std::string_view names;
};

constexpr auto kFamilies = std::to_array<Family>({
    {"input", "tmiuaen",
     "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg:- reciprocal "
     "rsqrt sigmoid=Sigmoid sign sin sinh sqrt tan tanh=Tanh trunc"},
    {"input", "tmiuan", "deg2rad digamma erfinv exp2 rad2deg sgn sinc square logical_not bitwise_not:~ round i0"},
    {"input", "tmuan", "acosh asinh atanh signbit isposinf isneginf"},
    {"input", "tman", "isnan isinf isfinite isreal"},
    {"input", "tmifan", "relu=ReLU"},
    {"input", "fan", "silu=SiLU hardswish=Hardswish hardsigmoid=Hardsigmoid mish=Mish relu6=ReLU6"},
    {"input", "fn", "logsigmoid=LogSigmoid softsign=Softsign tanhshrink=Tanhshrink"},
    {"input other", "tmiuaoen", "add:+ sub:- mul:* div:/"},
    {"input other", "tmiuaon",
     "remainder:% floor_divide:// fmod bitwise_and:& bitwise_or:| bitwise_xor:^ eq:== ne:!= lt:< le:<= gt:> ge:>="},
    {"input other", "tmiuan", "atan2 hypot copysign nextafter gcd lcm xlogy logical_and logical_or logical_xor"},
    {"input other", "tmuaen", "maximum minimum"},
    {"input other", "tmuan", "fmax fmin logaddexp logaddexp2"},
    {"input other", "tmua", "matmul:@"},
    {"input other", "tm", "kron inner"},
    {"input exponent", "tmiuaen", "pow:**"},
    {"input mat2", "tmua", "mm bmm"},
    {"input vec", "tmua", "mv"},
    {"input vec2", "tmu", "outer"},
    {"input min max", "tmiun", "clamp"},
    {"input end weight", "tmiun", "lerp"},
    {"input tensor1 tensor2", "tmin", "addcmul addcdiv"},
    {"input mat1 mat2", "tmu", "addmm"},
    {"input batch1 batch2", "tmu", "baddbmm"},
    {"input dim keepdim", "tm", "sum mean amax amin argmax argmin prod any all logsumexp"},
    {"input", "tm", "max min"},
    {"input unbiased", "tm", "var std"},
    {"input dim", "tmf", "softmax=Softmax log_softmax=LogSoftmax"},
    {"input dim", "tmin", "cumsum cumprod"},
    {"input dim", "tm", "unsqueeze logcumsumexp unbind"},
    {"input dim", "fn", "glu=GLU softmin=Softmin"},
    {"input diagonal", "tmin", "tril triu"},
    {"input dim0 dim1", "tm", "transpose swapdims"},
    {"input dim index", "tm", "index_select gather select"},
    {"input dim start length", "tm", "narrow"},
    {"input start_dim end_dim", "tm", "flatten"},
    {"input approximate", "fan", "gelu=GELU"},
    {"input negative_slope", "fan", "leaky_relu=LeakyReLU"},
    {"input alpha", "fan", "elu=ELU"},
    {"input alpha", "tfan", "celu=CELU"},
    {"input", "tfan", "selu=SELU"},
    {"input min_val max_val", "fn", "hardtanh=Hardtanh"},
    {"input beta threshold", "fan", "softplus=Softplus"},
    {"input lambd", "fn", "softshrink=Softshrink"},
    {"input threshold value", "fn", "threshold=Threshold"},
    {"input weight bias", "fa", "linear"},
    {"input normalized_shape weight bias eps", "tf", "layer_norm"},
    {"input weight bias stride padding dilation groups", "tf", "conv1d conv2d conv3d"},
    {"input kernel_size stride padding", "f",
     "avg_pool1d=AvgPool1d avg_pool2d=AvgPool2d avg_pool3d=AvgPool3d max_pool1d=MaxPool1d max_pool2d=MaxPool2d "
     "max_pool3d=MaxPool3d"},
    {"input output_size", "f",
     "adaptive_avg_pool1d=AdaptiveAvgPool1d adaptive_avg_pool2d=AdaptiveAvgPool2d "
     "adaptive_avg_pool3d=AdaptiveAvgPool3d"},
    {"input upscale_factor", "f", "pixel_shuffle=PixelShuffle"},
});

Operator read_operator(const Family& family, std::string_view word) {
  auto has = [&](char flag) { return family.flags.find(flag) != std::string_view::npos; };
  Operator op;
  op.parameters = split(family.parameters, ' ');
  std::size_t end = word.find_first_of(":=");
  op.name = word.substr(0, end);
  if (end != std::string_view::npos) (word[end] == ':' ? op.symbol : op.module) = word.substr(end + 1);
  op.function = has('t'), op.method = has('m'), op.functional = has('f'), op.in_place = has('i'), op.out = has('u');
  op.aten = has('a'), op.overloads = has('o'), op.foreach = has('e'), op.fresh = has('n');
  return op;
}

using Operators = std::map<std::string_view, Operator>;

const Operators& operators() {
  static const Operators all = [] {
    Operators made;
    for (const Family& family : kFamilies)
      for (std::string_view word : split(family.names, ' ')) {
        Operator op = read_operator(family, word);
        made.emplace(op.name, op);
      }
    return made;
  }();
  return all;
}

const Operator* find_symbol(std::string_view symbol, bool unary) {
  for (const auto& [name, op] : operators())
    if (op.symbol == symbol && op.unary() == unary) return &op;
  return nullptr;
}

/// The module's own name for torch.nn.functional ("F"), by its import statements; "" when there is none.
std::string_view functional_name(const Parsed& parsed) {
  for (int index : parsed.blocks()[0].statements) {
    const Statement& statement = parsed.statement(index);
    std::string_view text = statement.node.text();
    bool ours =
        text.starts_with("import torch.nn.functional as ") || text.starts_with("from torch.nn import functional");
    if (!ours || text.find(',') != std::string_view::npos) continue;
    std::size_t at = text.find(" as ");
    std::string_view name = at == std::string_view::npos ? "functional" : text.substr(at + 4);
    if (parsed.scopes().bindings(0, name) == 1) return name;
  }
  return "";
}

/// Reads calls in one statement.
class Reader {
 public:
  Reader(const Parsed& parsed, const Statement& statement)
      : parsed_(parsed),
        statement_(statement),
        torch_(torch_name(parsed, statement)),
        functional_(functional_name(parsed)) {}

  bool knows_torch() const { return !torch_.empty(); }

  std::optional<OperatorCall> read(const Node& node) const {
    OperatorCall call;
    call.statement = &statement_;
    call.node = node;
    call.torch = torch_;
    bool read = node.is("call")                  ? read_call(node, call)
                : node.is("binary_operator")     ? read_binary(node, call)
                : node.is("comparison_operator") ? read_comparison(node, call)
                                                 : node.is("unary_operator") && read_unary(node, call);
    return read && call.operands.size() <= 8 ? std::optional(std::move(call)) : std::nullopt;
  }

 private:
  bool read_call(const Node& node, OperatorCall& call) const {
    Node function = node.field("function");
    Node arguments = node.field("arguments");
    if (!function.is("attribute") || !arguments.is("argument_list")) return false;
    Node object = function.field("object");
    call.op = find_operator(function.field("attribute").text());
    if (!call.op) return false;
    std::string_view on = object.text();
    bool nested = object.is("attribute") && on.starts_with(torch_) && on.substr(torch_.size()) == ".nn.functional";
    bool imported = !functional_.empty() && on == functional_ &&
                    parsed_.scopes().resolve(on, parsed_.scopes().scope_of(statement_)) == 0;
    if (on == torch_) {
      call.form = OperatorCall::Form::kFunction;
    } else if (nested || imported) {
      call.form = OperatorCall::Form::kFunctional;
    } else if (object.is("identifier")) {
      call.form = OperatorCall::Form::kMethod;
      call.operands.push_back({"", object});
    } else {
      return false;
    }
    bool known = call.form == OperatorCall::Form::kFunction     ? call.op->function
                 : call.form == OperatorCall::Form::kFunctional ? call.op->functional
                                                                : call.op->method;
    return known && read_arguments(arguments, call);
  }

  static bool read_arguments(const Node& arguments, OperatorCall& call) {
    std::size_t places = call.operands.size();
    for (const Node& argument : arguments.children()) {
      if (argument.is("list_splat") || argument.is("dictionary_splat") || argument.is("generator_expression"))
        return false;
      if (!argument.is("keyword_argument")) {
        call.operands.push_back({"", argument});
        ++places;
        continue;
      }
      std::string_view keyword = argument.field("name").text();
      // `out` writes, `dtype` and the like belong to some spellings only.
      const auto& known = call.op->parameters;
      if (std::find(known.begin(), known.end(), keyword) == known.end()) return false;
      call.operands.push_back({keyword, argument.field("value")});
    }
    return places <= call.op->parameters.size() && static_cast<bool>(call.operand("input"));
  }

  static bool read_binary(const Node& node, OperatorCall& call) {
    call.op = find_symbol(node.field("operator").text(), false);
    call.form = OperatorCall::Form::kSymbol;
    call.operands = {{"", node.field("left")}, {"", node.field("right")}};
    return call.op != nullptr;
  }

  static bool read_comparison(const Node& node, OperatorCall& call) {
    auto sides = node.children();
    call.op = find_symbol(node.field("operators").text(), false);
    call.form = OperatorCall::Form::kSymbol;
    if (!call.op || sides.size() != 2) return false;
    call.operands = {{"", sides[0]}, {"", sides[1]}};
    return true;
  }

  static bool read_unary(const Node& node, OperatorCall& call) {
    call.op = find_symbol(node.field("operator").text(), true);
    call.form = OperatorCall::Form::kSymbol;
    call.operands = {{"", node.field("argument")}};
    return call.op != nullptr;
  }

  const Parsed& parsed_;
  const Statement& statement_;
  std::string torch_;
  std::string_view functional_;
};

}  // namespace

const Operator* find_operator(std::string_view name) {
  auto found = operators().find(name);
  return found == operators().end() ? nullptr : &found->second;
}

Node OperatorCall::operand(std::string_view parameter) const {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    bool by_place = operands[i].keyword.empty() && i < op->parameters.size() && op->parameters[i] == parameter;
    if (by_place || operands[i].keyword == parameter) return operands[i].node;
  }
  return {};
}

bool OperatorCall::simple() const {
  return std::all_of(operands.begin(), operands.end(), [](const Operand& operand) { return is_simple(operand.node); });
}

bool OperatorCall::comes_first() const {
  for (Node up = node; up.index() > statement->node.index(); up = up.parent())
    for (const Node& beside : up.parent().children()) {
      if (beside == up) break;
      if (!is_simple(beside) && !beside.is("attribute")) return false;
    }
  return true;
}

std::vector<OperatorCall> operator_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<OperatorCall> found;
  if (!statement.simple || !insertion_point(parsed, statement)) return found;
  Reader reader(parsed, statement);
  if (!reader.knows_torch()) return found;
  Node value;
  Node target;
  auto children = statement.node.children();
  if (children.size() == 1 && children[0].is("assignment") && children[0].field("left").is("identifier") &&
      !children[0].field("type")) {
    target = children[0].field("left");
    value = children[0].field("right");
  }
  int count = 0;
  for (int i = statement.node.index(); i < statement.node.past();) {
    Node node = parsed.tree().node(i);
    bool own_names = node.is("lambda") || node.is("list_comprehension") || node.is("set_comprehension") ||
                     node.is("dictionary_comprehension") || node.is("generator_expression") || node.is("string");
    i = own_names ? node.past() : i + 1;
    if (own_names || !node.named() || node.is("identifier")) continue;
    auto call = reader.read(node);
    if (!call) continue;
    bool whole = target && node == value;
    call->path = whole ? "" : fmt::format("{}", ++count);
    if (whole) call->target = target;
    found.push_back(*std::move(call));
  }
  return found;
}

std::optional<OperatorCall> operator_call_at(const Parsed& parsed, const Site& site) {
  const Statement* statement = parsed.find(site.statement);
  if (!statement || uses_introspection(parsed)) return std::nullopt;
  for (OperatorCall& call : operator_calls(parsed, *statement))
    if (call.path == site.path) return std::move(call);
  return std::nullopt;
}

bool is_number(const Node& node) {
  if (node.is("unary_operator"))
    return node.field("operator").text() != "~" && node.field("argument") && is_number(node.field("argument"));
  return node.is("integer") || node.is("float");
}

bool is_simple(const Node& node) {
  if (is_number(node) || node.is("identifier") || node.is("true") || node.is("false") || node.is("none")) return true;
  if (node.is("tuple") || node.is("list")) {
    auto items = node.children();
    return std::all_of(items.begin(), items.end(), [](const Node& item) { return is_simple(item); });
  }
  return node.is("string");
}

const NameFacts* tensor_before(const Facts& facts, const Statement& statement, const Node& node) {
  if (!node || !node.is("identifier")) return nullptr;
  const NameFacts* known = facts.find_before(statement.id, std::string(node.text()));
  return knows_extent(known) ? known : nullptr;
}

bool is_number_before(const Facts& facts, const Statement& statement, const Node& node) {
  if (is_number(node)) return true;
  if (!node.is("identifier")) return false;
  const NameFacts* known = facts.find_before(statement.id, std::string(node.text()));
  return known && (known->kind == "int" || known->kind == "float");
}

}  // namespace jp::mutate
