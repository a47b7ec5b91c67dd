// Replaces an operation by one of its inputs, or by the simplest operation on it:
//
//     torch.relu(a + b)           a + b
//     x.view(6)                   x
//     f(x, 3)                     x + 1
//     x.div_(y)                   x.neg_()
//
// Everywhere, also in the code that makes the arguments.
#include <fmt/format.h>

#include "oracle/reduce/edits.h"
#include "oracle/reduce/expressions.h"
#include "oracle/reduce/order.h"
#include "oracle/reduce/pass.h"

namespace jp::reduce::replace_operator_pass {
namespace {

/// Parts that may replace the whole, the likeliest first.
std::vector<Node> parts_of(const Parsed& parsed, const Node& node) {
  std::vector<Node> parts;
  if (node.is("call")) {
    Node function = node.field("function");
    bool method = function.is("attribute") && !names_module(parsed, function.field("object"));
    if (method) parts.push_back(function.field("object"));
    for (const Node& argument : plain_arguments(node)) {
      bool display = argument.is("list") || argument.is("tuple");
      if (display && !argument.children().empty()) parts.push_back(argument.children().front());
      if (!argument.is("integer") && !argument.is("float") && !argument.is("string") && !display)
        parts.push_back(argument);
    }
  } else if (node.is("binary_operator") || node.is("boolean_operator") || node.is("comparison_operator")) {
    parts = node.children();
  } else if (node.is("unary_operator") || node.is("not_operator")) {
    parts.push_back(node.field("argument"));
  } else if (node.is("conditional_expression")) {
    auto children = node.children();
    if (children.size() == 3) parts = {children[0], children[2]};
  } else if (node.is("subscript")) {
    parts.push_back(node.field("value"));
  } else if (node.is("parenthesized_expression")) {
    parts = node.children();
  } else if (node.is("attribute") && node.parent().kind() != "call" && !names_module(parsed, node)) {
    parts.push_back(node.field("object"));
  }
  return parts;
}

class ReplaceOperator final : public Pass {
 public:
  ReplaceOperator() : Pass({"replace_operator", Tier::kReplace, false, "operations that the fault does without"}) {}

  std::vector<EditSet> propose(const Parsed& parsed, const Facts&) const override {
    std::vector<EditSet> proposals;
    for (int i = 0; i < parsed.tree().size(); ++i) {
      Node node = parsed.tree().node(i);
      if (!node.named() || !parsed.statement_at(node.begin()) || !replaceable(node)) continue;
      auto parts = parts_of(parsed, node);
      for (const Node& part : parts)
        if (part && part.text().find('\n') == std::string_view::npos)
          proposals.push_back(replacement(node, in_place_of(part, node)));
      if (node.is("call") && !parts.empty() && parts[0].is("identifier") && !in_inputs(parsed, node))
        proposals.push_back(replacement(node, simplest(parts[0], node)));
      if (node.is("call") && !parts.empty() && is_other_write(called_name(node)) && !in_inputs(parsed, node))
        proposals.push_back(replacement(node, fmt::format("{}.{}()", parts[0].text(), kSimplestWrite)));
    }
    return proposals;
  }

 private:
  /// A new value that depends on the input.
  static std::string simplest(const Node& input, const Node& place) {
    std::string text = std::string(input.text()) + " + 1";
    Node around = place.parent();
    bool open = around.is("assignment") || around.is("return_statement") || around.is("argument_list");
    return open ? text : "(" + text + ")";
  }
};

const Register<Pass, ReplaceOperator> registered;

}  // namespace
}  // namespace jp::reduce::replace_operator_pass
