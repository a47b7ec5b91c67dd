// An input of the program becomes an attribute: of a class, of an object (with or without slots, or behind a property),
// of the program's own function, or of an nn.Module, as plain attribute or buffer. make_inputs sets it; when there are
// several calls, before_call mostly sets it anew:
//
//     def make_inputs():                       class Box7:
//         return (torch.randn(3), 2)               pass
//
//                                              def make_inputs():
//                                                  Box7.value = torch.randn(3)
//                                                  return (2,)
//     def program(v0, n):                      def program(n):
//         return v0 * n                            return Box7.value * n
//
// The program is a variation. Site: the return statement of make_inputs; path: 0.ARGUMENT, from 0.
#include <fmt/format.h>

#include "mutate/engine/mutation.h"
#include "mutate/inputs/relocate.h"

namespace jp::mutate::input_to_attribute_mutation {
namespace {

/// How the module defines the place that holds the value, and the text that reads it.
struct Holder {
  Lines define;
  std::string slot;
};

enum Form : std::uint64_t { kClass, kObject, kSlots, kProperty, kFunction, kModule, kBuffer, kForms };

Holder draw_holder(const Parsed& parsed, Rewrite& rewrite, const Calls& calls, Choices& choices) {
  std::uint64_t form = choices.below(calls.kind().is_tensor() ? kForms : kBuffer);
  if (form == kFunction) return {{}, fmt::format("{}.{}", parsed.program().entry(), rewrite.name("value"))};
  std::string type = rewrite.name("Box");
  std::string box = rewrite.name("box");
  Lines define = {{fmt::format("class {}:", type)}};
  switch (form) {
    case kClass:
      define.push_back({"value = None", 1});
      box = type;
      break;
    case kSlots:
      define.push_back({"__slots__ = (\"value\",)", 1});
      break;
    case kProperty:
      for (const char* line : {"@property", "def value(self):"}) define.push_back({line, 1});
      define.push_back({"return self._value", 2});
      define.push_back({""});
      for (const char* line : {"@value.setter", "def value(self, value):"}) define.push_back({line, 1});
      define.push_back({"self._value = value", 2});
      break;
    case kModule:
    case kBuffer:
      define = {{fmt::format("{} = {}.nn.Module()", box, calls.torch)}};
      if (form == kBuffer) define.push_back({fmt::format("{}.register_buffer(\"value\", None)", box)});
      break;
    default:
      define.push_back({"pass", 1});
  }
  bool object = form == kObject || form == kSlots || form == kProperty;
  if (object) define.insert(define.end(), {{""}, {""}, {fmt::format("{} = {}()", box, type)}});
  define.insert(define.end(), {{""}, {""}});
  return {define, box + ".value"};
}

class InputToAttribute final : public Mutation {
 public:
  InputToAttribute()
      : Mutation({"input_to_attribute", "E", Exactness::kVariation, true, "jitprobe",
                  "attributes that guards must watch, and side effects on them"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts& facts) const override {
    return removable_sites(parsed, facts, true);
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto calls = removable_at(parsed, facts, site, choices);
    if (!calls || !movable(parsed, *calls)) return {};
    Rewrite rewrite(parsed, step_number);
    Holder holder = draw_holder(parsed, rewrite, *calls, choices);
    remove_argument(rewrite, parsed, *calls);
    read_instead(rewrite, parsed, *calls, holder.slot, choices);
    move_argument(rewrite, parsed, *calls, holder.slot, holder.define, "", choices);
    return rewrite.edits();
  }
};

const Register<Mutation, InputToAttribute> registered;

}  // namespace
}  // namespace jp::mutate::input_to_attribute_mutation
