#include "mutate/calls/operator_call.h"

#include <fmt/format.h>

#include <algorithm>

#include "mutate/engine/notes.h"
#include "mutate/names/scopes.h"
#include "mutate/rewrite/rewrite.h"

namespace jp::mutate {
namespace {

/// The operator, if other spellings of its calls are known to be equivalent; otherwise nullptr.
const OperatorFacts* known(const OperatorFacts* op) {
  const bool fits = op && op->places > 0 && op->parameters[0] == "input" && !op->random;
  return fits ? op : nullptr;
}

/// The operator of a Python symbol. Shifts are left out: the symbols call other operators than the named functions do.
const OperatorFacts* known_symbol(std::string_view symbol, bool unary) {
  return symbol == "<<" || symbol == ">>" ? nullptr : known(find_symbol(symbol, unary));
}

/// Finds the calls in one statement.
class Reader {
 public:
  Reader(const Parsed& parsed, const Statement& statement) : statement_(statement), names_(parsed, statement) {}

  bool knows_torch() const { return !names_.torch.empty(); }

  std::optional<OperatorCall> read(const Node& node) const {
    OperatorCall call;
    call.statement = &statement_;
    call.node = node;
    call.torch = names_.torch;
    const Call made = mutate::call(node);
    const bool read = made ? read_call(made, call) : read_symbol(operation(node), call);
    return read && call.operands.size() <= 8 ? std::optional(std::move(call)) : std::nullopt;
  }

 private:
  bool read_call(const Call& made, OperatorCall& call) const {
    const Node object = made.object;
    if (!object) return false;
    call.op = known(find_operator(made.name));
    if (!call.op) return false;
    if (object.text() == names_.torch) {
      call.form = OperatorCall::Form::kFunction;
    } else if (names_.is_functional(object)) {
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
    return known && read_arguments(made, call);
  }

  static bool read_arguments(const Call& made, OperatorCall& call) {
    const auto given = made.given();
    if (!given) return false;
    std::size_t places = call.operands.size();
    const auto& known = call.op->parameters;
    for (const GivenArgument& argument : *given) {
      if (argument.keyword.empty()) {
        // Another overload has an axis at this position (`x.var(0)`).
        const bool other = places < call.op->places && known[places] == "unbiased";
        if (other && !argument.node.is("true") && !argument.node.is("false")) return false;
        ++places;
      } else if (std::find(known.begin(), known.end(), argument.keyword) == known.end()) {
        return false;  // `out` writes, and `dtype` and the like exist only in some spellings
      }
      call.operands.push_back(argument);
    }
    return places <= call.op->places && static_cast<bool>(call.operand("input"));
  }

  static bool read_symbol(const Operation& made, OperatorCall& call) {
    using Kind = Operation::Kind;
    if (!made || made.kind == Kind::kBoolean || made.kind == Kind::kAugmented || made.chained()) return false;
    call.op = known_symbol(made.symbol(), !made.left);
    call.form = OperatorCall::Form::kSymbol;
    if (made.left) call.operands.push_back({"", made.left});
    call.operands.push_back({"", made.right});
    return call.op != nullptr;
  }

  const Statement& statement_;
  TorchNames names_;
};

}  // namespace

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

TorchNames::TorchNames(const Parsed& parsed, const Statement& statement)
    : torch(torch_name(parsed, statement)), functional(functional_name(parsed)) {
  const Scopes& scopes = parsed.scopes();
  if (!functional.empty() && scopes.resolve(functional, scopes.scope_of(statement)) != 0) functional = "";
}

bool TorchNames::is_functional(const Node& object) const {
  if (object.is("identifier")) return !functional.empty() && object.text() == functional;
  const Attribute module = attribute(object);
  const Attribute nn = module.name == "functional" ? attribute(module.object) : Attribute();
  return nn.name == "nn" && !torch.empty() && nn.object.text() == torch;
}

bool calls_torch(const Facts& facts, const OperatorCall& call) {
  if (call.form != OperatorCall::Form::kMethod) return true;
  const Node& object = call.operands.front().node;
  const NameFacts* known = facts.find_before(call.statement->id, std::string(object.text()));
  return known && known->kind == "tensor";
}

Node OperatorCall::operand(std::string_view parameter) const {
  for (std::size_t i = 0; i < operands.size(); ++i) {
    bool by_place = operands[i].keyword.empty() && i < op->places && op->parameters[i] == parameter;
    if (by_place || operands[i].keyword == parameter) return operands[i].node;
  }
  return {};
}

bool OperatorCall::scaled() const {
  return std::any_of(op->parameters.begin() + static_cast<std::ptrdiff_t>(op->places), op->parameters.end(),
                     [&](std::string_view parameter) { return static_cast<bool>(operand(parameter)); });
}

bool OperatorCall::simple() const {
  return std::all_of(operands.begin(), operands.end(),
                     [](const GivenArgument& operand) { return is_simple(operand.node); });
}

bool OperatorCall::plain() const {
  return std::all_of(operands.begin(), operands.end(), [](const GivenArgument& operand) {
    return is_simple(operand.node) || (attribute(operand.node) && path_root(operand.node).is("identifier"));
  });
}

// A name, or attributes of one: looking them up runs nothing of the file's own but properties.
bool is_path(const Node& node) {
  Node at = node;
  while (const Attribute made = attribute(at)) at = made.object;
  return at.is("identifier");
}

bool has_interpolation(const Node& node) {
  for (const Node inner : nodes_of(node))
    if (inner.is("interpolation")) return true;
  return false;
}

// In `a if c else b`, c comes later in the text but is evaluated first.
bool OperatorCall::comes_first() const {
  for (Node up = node; up.index() > statement->node.index(); up = up.parent()) {
    if (up.parent().is("conditional_expression")) return false;
    for (const Node& beside : up.parent().children()) {
      if (beside == up) break;
      if ((!is_simple(beside) && !is_path(beside)) || has_interpolation(beside)) return false;
    }
  }
  return true;
}

std::vector<OperatorCall> operator_calls(const Parsed& parsed, const Statement& statement) {
  std::vector<OperatorCall> found;
  if (!statement.simple || !insertion_point(parsed, statement)) return found;
  Reader reader(parsed, statement);
  if (!reader.knows_torch()) return found;
  const Assignment made = assignment(statement);
  const Node target = made.name();
  int count = 0;
  for (const Node node : nodes_of(statement.node, own_scopes())) {
    if (!node.named() || node.is("identifier")) continue;
    auto call = reader.read(node);
    if (!call) continue;
    bool whole = target && node == made.right;
    call->path = whole ? "" : fmt::format("{}", ++count);
    if (whole) call->target = target;
    found.push_back(*std::move(call));
  }
  return found;
}

std::vector<Site> operator_sites(const Parsed& parsed, const Facts& facts,
                                 const std::function<bool(const OperatorCall&)>& fits) {
  std::vector<Site> found;
  if (uses_introspection(parsed)) return found;
  for (const Statement& statement : parsed.statements()) {
    if (!facts.before.contains(statement.id)) continue;
    for (const OperatorCall& call : operator_calls(parsed, statement))
      if (fits(call)) found.push_back({statement.id, call.path});
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
