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
// back through the return channels of carry.h. The result is unchanged bit for bit. Site path: the ID of the range's
// last statement ("" if the range is one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "mutate/engine/mutation.h"
#include "mutate/outline/carry.h"

namespace jp::mutate::extract_method_mutation {
namespace {

enum Form : std::uint64_t {
  kPlain,
  kStatic,
  kOfClass,
  kProperty,
  kCall,
  kGetItem,
  kEnter,
  kGetAttr,
  kBinary,
  kReflected,
  kUnary,
  kForms
};

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

/// The choices that were drawn, and the texts that follow from them.
struct Method {
  Form form = kPlain;
  Operator sign;
  Carried carried;
  std::string type;                     // the name of the class
  std::string name;                     // the name of the method
  std::string self;                     // the method's first parameter, "" when it has none
  std::string asked;                    // the attribute name that __getattr__ is called with
  std::string object;                   // the instance's name, "" when it is made in the expression
  std::string operand;                  // one parameter that holds all arguments, "" otherwise
  std::vector<std::string> attributes;  // of the instance, set by __init__
  std::vector<std::string> parameters;  // of the method

  /// The method takes its arguments in one operand, or takes none.
  bool one_operand() const { return form == kGetItem || form == kBinary || form == kReflected; }
  bool takes_none() const { return form == kProperty || form == kEnter || form == kGetAttr || form == kUnary; }
  bool of_instance() const { return form != kStatic && form != kOfClass; }

  void share_arguments(Rewrite& rewrite, Choices& choices) {
    for (const auto& argument : carried.arguments) {
      bool attribute = takes_none() || (of_instance() && choices.chance(1, 3));
      (attribute ? attributes : parameters).push_back(argument);
    }
    // A tensor as left operand would reject the object; a tuple leaves these operators to it.
    if (one_operand() && (parameters.size() != 1 || form == kReflected)) operand = rewrite.name("a");
  }

  Lines open() const {
    Lines lines = {{fmt::format("class {}:", type)}};
    if (!attributes.empty()) {
      lines.push_back({fmt::format("def __init__({}, {}):", self, fmt::join(attributes, ", ")), 1});
      for (const auto& name_in : attributes) lines.push_back({fmt::format("{0}.{1} = {1}", self, name_in), 2});
    }
    if (form == kStatic) lines.push_back({"@staticmethod", 1});
    if (form == kOfClass) lines.push_back({"@classmethod", 1});
    if (form == kProperty) lines.push_back({"@property", 1});
    std::vector<std::string> all;
    if (!self.empty()) all.push_back(self);
    if (!operand.empty()) all.push_back(operand);
    if (operand.empty()) add(all, parameters);
    lines.push_back({fmt::format("def {}({}):", name, fmt::join(all, ", ")), 1});
    add(lines, deeper(carried.declarations(), 2));
    for (const auto& name_in : attributes) lines.push_back({fmt::format("{1} = {0}.{1}", self, name_in), 2});
    if (!operand.empty() && !parameters.empty())
      lines.push_back(
          {fmt::format("{}{} = {}", fmt::join(parameters, ", "), parameters.size() == 1 ? "," : "", operand), 2});
    return lines;
  }

  std::string made() const { return fmt::format("{}({})", type, fmt::join(attributes, ", ")); }

  /// The expression that runs the body; `instance` is the expression that gives the instance.
  std::string call(const std::string& instance) const {
    std::string all = joined(parameters);
    std::string tuple = parameters.empty() ? "None" : tuple_text(parameters);
    std::string one = operand.empty() ? all : tuple;
    switch (form) {
      case kStatic:
      case kOfClass:
      case kPlain:
        return fmt::format("{}.{}({})", instance, name, all);
      case kProperty:
        return fmt::format("{}.{}", instance, name);
      case kGetAttr:
        return fmt::format("{}.{}", instance, asked);
      case kGetItem:
        return fmt::format("{}[{}]", instance, parameters.empty() ? "None" : all);
      case kBinary:
        return fmt::format("{} {} {}", instance, sign.sign, one);
      case kReflected:
        return fmt::format("{} {} {}", one, sign.sign, instance);
      case kUnary:
        return fmt::format("{}{}", sign.sign, instance);
      case kCall:
      default:
        return fmt::format("{}({})", instance, all);
    }
  }
};

class ExtractMethod final : public ExtractionMutation {
 public:
  ExtractMethod()
      : ExtractionMutation(
            {"extract_method", "C", Exactness::kBitwise, false, "jitprobe",
             "descriptors, operators and protocols of user classes that are inlined, and what they write"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto extraction = extraction_at(parsed, facts, site, choices);
    if (!extraction) return {};
    Rewrite rewrite(parsed, step_number);
    bool outside = choices.chance(1, 3) && stands_alone(parsed, *extraction);
    Method method = draw(rewrite, parsed, *extraction, outside, choices);
    const Carried& carried = method.carried;

    Frame frame;
    frame.before = carried.before();
    frame.open = method.open();
    frame.depth = 2;
    frame.close = deeper(carried.deliver(), 2);
    std::string instance = method.of_instance() ? method.made() : method.type;
    if (!method.object.empty()) {
      frame.call.push_back({fmt::format("{} = {}", method.object, method.made())});
      instance = method.object;
    }
    Lines taken = carried.fetch(method.form == kEnter ? "" : method.call(instance));
    if (method.form == kEnter) {
      bool direct =
          (carried.channel == Channel::kReturn || carried.channel == Channel::kNonlocal) && !carried.results.empty();
      std::string target =
          carried.results.size() == 1 ? carried.results[0] : fmt::format("({})", fmt::join(carried.results, ", "));
      taken[0].text = fmt::format("with {}{}:", instance, direct ? " as " + target : "");
      taken.insert(taken.begin() + 1, {"pass", 1});
      add(frame.close, {{fmt::format("def __exit__({}, *{}):", method.self, rewrite.name("e")), 1}, {"pass", 2}});
    }
    add(frame.call, taken);
    enclose(rewrite, parsed, *extraction, frame, outside);
    return rewrite.edits();
  }

 private:
  static Method draw(Rewrite& rewrite, const Parsed& parsed, const Extraction& extraction, bool outside,
                     Choices& choices) {
    Method method;
    method.form = static_cast<Form>(choices.below(kForms));
    std::vector<Channel> channels = usual_channels(outside);
    // Attributes of a class at module level would be visible from outside of the function.
    if (!outside || method.of_instance()) channels.push_back(Channel::kAttribute);
    method.carried = draw_carried(rewrite, extraction, channels, outside, choices);
    method.type = rewrite.name("C");
    if (method.form != kStatic)
      method.self = own_name(rewrite, parsed, extraction, method.form == kOfClass ? "cls" : "self");
    name_method(method, rewrite, choices);
    method.share_arguments(rewrite, choices);
    Carried& carried = method.carried;
    bool attribute = carried.channel == Channel::kAttribute;
    if (method.of_instance() && (attribute || choices.chance(1, 2))) method.object = rewrite.name("o");
    if (attribute) {
      carried.inner = method.form == kStatic ? method.type : method.self;
      carried.outer = method.of_instance() ? method.object : method.type;
    }
    return method;
  }

  static void name_method(Method& method, Rewrite& rewrite, Choices& choices) {
    if (method.form == kBinary) method.sign = choices.pick(kBinaries);
    if (method.form == kReflected) method.sign = choices.pick(kReflecteds);
    if (method.form == kUnary) method.sign = choices.pick(kUnaries);
    method.name = method.sign.method;
    if (method.form == kCall) method.name = "__call__";
    if (method.form == kGetItem) method.name = "__getitem__";
    if (method.form == kEnter) method.name = "__enter__";
    if (method.form == kGetAttr) {
      method.name = "__getattr__";
      method.operand = rewrite.name("name");
      method.asked = rewrite.name("run");
    }
    if (method.name.empty()) method.name = rewrite.name("run");
  }

 private:
  Fits fits(const Parsed& parsed) const override {
    return [&parsed](const Statement& statement) { return !has_mangled_name(statement.node); };
  }
};

const Register<Mutation, ExtractMethod> registered;

}  // namespace
}  // namespace jp::mutate::extract_method_mutation
