// A range of statements of one block becomes the body of a method of a class:
//
//     v3 = v0 + v1                 class C7:
//     v4 = torch.relu(v3)              def __init__(self, v0):
//                                          self.v0 = v0
//                                      def __getitem__(self, v1):
//                                          v0 = self.v0
//                                          v3 = v0 + v1
//                                          v4 = torch.relu(v3)
//                                          return v3, v4
//                                  v3, v4 = C7(v0)[v1]
//
// The method is plain, static or a class method, a property, `__call__`, `__getitem__`, `__enter__`, `__getattr__`, or
// an operator: binary, reflected, a comparison, unary. The class is defined where the range was, or at module level,
// where everything that the range reads is passed to it. Inputs are captured, arguments, or attributes; results come
// back through the return channels of convention.h. The result is unchanged bit for bit. Site path: the ID of the
// range's last statement ("" if the range is one statement).
#include <utility>

#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/template.h"

namespace jp::mutate::extract_method_mutation {
namespace {

struct Operator {
  std::string_view method;
  std::string_view sign;
};

const std::vector<Operator> kBinaries = {
    {"__add__", "+"},     {"__sub__", "-"},     {"__mul__", "*"},       {"__matmul__", "@"}, {"__truediv__", "/"},
    {"__mod__", "%"},     {"__pow__", "**"},    {"__and__", "&"},       {"__or__", "|"},     {"__xor__", "^"},
    {"__lshift__", "<<"}, {"__rshift__", ">>"}, {"__floordiv__", "//"}, {"__lt__", "<"},     {"__le__", "<="},
    {"__gt__", ">"},      {"__ge__", ">="},     {"__eq__", "=="},       {"__ne__", "!="}};
const std::vector<Operator> kReflecteds = {{"__rsub__", "-"},  {"__rmatmul__", "@"}, {"__rtruediv__", "/"},
                                           {"__rand__", "&"},  {"__ror__", "|"},     {"__rxor__", "^"},
                                           {"__rpow__", "**"}, {"__rlshift__", "<<"}};
const std::vector<Operator> kUnaries = {{"__neg__", "-"}, {"__pos__", "+"}, {"__invert__", "~"}};

/// How many arguments a method takes beside `self`.
enum class Takes { kAny, kOne, kNone };

/// A kind of method. `method` is its name, if it has a fixed one; `call` is a template of the expression that runs it,
/// in which $all are the arguments, $item is a subscript and $operand one value that holds all arguments.
struct Form {
  std::string_view decorator;
  std::string_view method;
  std::string_view call;
  Takes takes = Takes::kAny;
  const std::vector<Operator>* operators = nullptr;

  bool is_static() const { return decorator == "@staticmethod"; }
  bool of_instance() const { return !is_static() && decorator != "@classmethod"; }
};

const Form kForms[] = {{"", "", "$object.$method($all)"},
                       {"@staticmethod", "", "$object.$method($all)"},
                       {"@classmethod", "", "$object.$method($all)"},
                       {"@property", "", "$object.$method", Takes::kNone},
                       {"", "__call__", "$object($all)"},
                       {"", "__getitem__", "$object[$item]", Takes::kOne},
                       {"", "__enter__", "", Takes::kNone},
                       {"", "__getattr__", "$object.$run", Takes::kNone},
                       {"", "", "$object $sign $operand", Takes::kOne, &kBinaries},
                       {"", "", "$operand $sign $object", Takes::kOne, &kReflecteds},
                       {"", "", "$sign$object", Takes::kNone, &kUnaries}};

/// The choices that were drawn, and the texts that follow from them.
struct Method {
  const Form& form;
  Convention way;
  Template text;
  std::string self;                     // the method's first parameter, "" when it has none
  std::string object;                   // the instance's name, "" when it is made in the expression
  std::string operand;                  // one parameter that holds all arguments, "" otherwise
  std::vector<std::string> attributes;  // of the instance, set by __init__
  std::vector<std::string> parameters;  // of the method

  Method(const Form& of, Convention how, Packing& packing) : form(of), way(std::move(how)), text(packing.rewrite) {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    if (!form.is_static()) self = own_name(rewrite, parsed, signature, form.of_instance() ? "self" : "cls");
    text.set("self", self);
    const Operator sign = form.operators ? choices.pick(*form.operators) : Operator{form.method, ""};
    text.set("method", sign.method.empty() ? rewrite.name("run") : std::string(sign.method));
    text.set("sign", std::string(sign.sign));
    if (form.method == "__getattr__") operand = rewrite.name("name");
    for (const auto& argument : way.arguments) {
      const bool attribute = form.takes == Takes::kNone || (form.of_instance() && choices.chance(1, 3));
      (attribute ? attributes : parameters).push_back(argument);
    }
    // A tensor as left operand would reject the object; a tuple leaves these operators to it.
    if (form.takes == Takes::kOne && (parameters.size() != 1 || form.operators == &kReflecteds))
      operand = rewrite.name("a");
    const bool attribute = way.channel == Channel::kAttribute;
    if (form.of_instance() && (attribute || choices.chance(1, 2))) object = rewrite.name("o");
    if (!attribute) return;
    const std::string type = text.part("$C");
    way.inner = form.is_static() ? type : self;
    way.outer = form.of_instance() ? object : type;
  }

  std::string made() { return text.part("$C(") + joined(attributes) + ")"; }

  /// The class up to the first line of the method.
  Lines definition() {
    Lines lines = text.lines("class $C:");
    if (!attributes.empty()) lines.push_back({fmt::format("def __init__({}, {}):", self, joined(attributes)), 1});
    for (const auto& name : attributes) lines.push_back({fmt::format("{0}.{1} = {1}", self, name), 2});
    if (!form.decorator.empty()) lines.push_back({std::string(form.decorator), 1});
    std::vector<std::string> all;
    if (!self.empty()) all.push_back(self);
    if (!operand.empty()) all.push_back(operand);
    if (operand.empty()) add(all, parameters);
    lines.push_back({fmt::format("def {}({}):", text.part("$method"), joined(all)), 1});
    return lines;
  }

  /// The first lines of the method after its declarations.
  Lines taken() const {
    Lines lines;
    for (const auto& name : attributes) lines.push_back({fmt::format("{1} = {0}.{1}", self, name), 2});
    if (!operand.empty() && !parameters.empty())
      lines.push_back({fmt::format("{}{} = {}", joined(parameters), parameters.size() == 1 ? "," : "", operand), 2});
    return lines;
  }

  /// The expression that runs the body; `instance` is the expression that gives the instance.
  std::string call(const std::string& instance) {
    const std::string all = joined(parameters);
    text.set("object", instance);
    text.set("all", all);
    text.set("item", parameters.empty() ? "None" : all);
    text.set("operand", operand.empty() ? all : parameters.empty() ? "None" : tuple_text(parameters));
    return text.part(form.call);
  }
};

class ExtractMethod final : public ExtractionMutation {
 public:
  ExtractMethod()
      : ExtractionMutation(
            {"extract_method", "C", Exactness::kBitwise, false, "jitprobe",
             "descriptors, operators and protocols of user classes that are inlined, and what they write"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    const bool outside = packing.draw_outside(3);
    const Form& form = kForms[packing.choices.below(std::size(kForms))];
    std::vector<Channel> channels = usual_channels(outside);
    // Attributes of a class at module level would be visible from outside of the function.
    if (!outside || form.of_instance()) channels.push_back(Channel::kAttribute);
    Method method(form, packing.draw(channels, outside), packing);
    const Convention& way = method.way;

    Body body = way.body(method.definition(), 2);
    add(body.open, method.taken());
    std::string instance = form.of_instance() ? method.made() : method.text.part("$C");
    if (!method.object.empty()) {
      body.call.push_back({fmt::format("{} = {}", method.object, instance)});
      instance = method.object;
    }
    Lines fetched = way.fetch(method.call(instance));
    if (form.method == "__enter__") {
      const std::string target = way.results.size() == 1 ? way.results[0] : fmt::format("({})", joined(way.results));
      fetched[0].text = fmt::format("with {}{}:", instance, way.direct() ? " as " + target : "");
      fetched.insert(fetched.begin() + 1, {"pass", 1});
      add(body.close,
          {{fmt::format("def __exit__({}, *{}):", method.self, packing.rewrite.name("e")), 1}, {"pass", 2}});
    }
    add(body.call, fetched);
    return body;
  }

  Fits fits(const Parsed& parsed) const override {
    return [&parsed](const Statement& statement) { return !has_mangled_name(statement.node); };
  }
};

const Register<Mutation, ExtractMethod> registered;

}  // namespace
}  // namespace jp::mutate::extract_method_mutation
