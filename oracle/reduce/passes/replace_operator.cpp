// Replaces an operation by one of its inputs, or by the simplest operation on it:
//
//     torch.relu(a + b)           a + b
//     x.view(6)                   x
//     f(x, 3)                     x + 1
//     x.div_(y)                   x.neg_()
//
// Everywhere, also in the code that makes the arguments.
#include <fmt/format.h>

#include "mutate/syntax/queries.h"
#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/order.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::replace_operator_pass {
namespace {

/// Parts that may replace the whole, the likeliest first.
std::vector<Node> parts_of(const Parsed& parsed, const Node& node) {
  std::vector<Node> parts;
  using Kind = mutate::Operation::Kind;
  const Kind kind = mutate::operation(node).kind;
  if (const mutate::Call made = mutate::call(node)) {
    if (made.object && !names_module(parsed, made.object)) parts.push_back(made.object);
    for (const Node& argument : made.positional()) {
      const bool display = mutate::is_sequence(argument);
      if (display && !argument.children().empty()) parts.push_back(argument.children().front());
      if (!mutate::is_unsigned_number(argument) && !argument.is("string") && !display) parts.push_back(argument);
    }
  } else if (kind == Kind::kBinary || kind == Kind::kBoolean || kind == Kind::kComparison) {
    parts = node.children();
  } else if (kind == Kind::kUnary || node.is("not_operator")) {
    parts.push_back(node.field("argument"));
  } else if (node.is("conditional_expression")) {
    auto children = node.children();
    if (children.size() == 3) parts = {children[0], children[2]};
  } else if (node.is("subscript")) {
    parts.push_back(node.field("value"));
  } else if (node.is("parenthesized_expression")) {
    parts = node.children();
  } else if (const mutate::Attribute read = mutate::attribute(node);
             read && !mutate::call(node.parent()) && !names_module(parsed, node)) {
    parts.push_back(read.object);
  }
  return parts;
}

class ReplaceOperator final : public Pass {
 public:
  ReplaceOperator()
      : Pass({"replace_operator", Tier::kReplace, false,
              "Replaces an operation by one of its inputs, or by a simpler operation."}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (!node.named() || !parsed.statement_at(node.begin()) || !replaceable(node)) continue;
      auto parts = parts_of(parsed, node);
      for (const Node& part : parts)
        if (part && part.text().find('\n') == std::string_view::npos)
          proposals.push_back(replacement(node, in_place_of(part, node)));
      const mutate::Call made = mutate::call(node);
      if (!made || parts.empty() || in_inputs(parsed, node)) continue;
      if (parts[0].is("identifier")) proposals.push_back(replacement(node, simplest(parts[0], node)));
      if (is_other_write(made.name))
        proposals.push_back(replacement(node, fmt::format("{}.{}()", parts[0].text(), kSimplestWrite)));
    }
    return proposals;
  }

 private:
  /// A new value that depends on the input.
  static std::string simplest(const Node& input, const Node& place) {
    std::string text = std::string(input.text()) + " + 1";
    Node around = place.parent();
    const mutate::Assignment made = mutate::assignment(around);
    const bool argument = mutate::call_with(place) && !mutate::is_keyword(around);
    const bool open = (made && !made.augmented()) || around.is("return_statement") || argument;
    return open ? text : "(" + text + ")";
  }
};

const Register<Pass, ReplaceOperator> registered;

}  // namespace
}  // namespace jp::reduce::replace_operator_pass
