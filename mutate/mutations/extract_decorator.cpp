// A range of statements of one block becomes a function under a decorator with arguments:
//
//     v3 = v0 + v1                 def d7(label):
//     v4 = torch.relu(v3)              from functools import wraps
//                                      def wrap(function):
//                                          @wraps(function)
//                                          def call(*args, **kwargs):
//                                              return function(*args, **kwargs)
//                                          return call
//                                      return wrap
//                                  @d7("rows")
//                                  def f7(v0):
//                                      v3 = v0 + v1
//                                      v4 = torch.relu(v3)
//                                      return v3, v4
//                                  v3, v4 = f7(v0)
//
// The decorator is a function, a class, a context manager (of contextlib, or a ContextDecorator), or one of torch's
// decorators that change nothing here: the current gradient mode, autocast off, a profiler's label. One or two of them
// are applied. The result is unchanged bit for bit. Site path: the ID of the range's last statement ("" if the range is
// one statement).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/engine/mutation.h"
#include "mutate/outline/carry.h"

namespace jp::mutate::extract_decorator_mutation {
namespace {

enum Form : std::uint64_t { kWraps, kClass, kManager, kContext, kTable, kGradMode, kAutocast, kLabel };

/// The lines that define what the decorator needs, and the decorator line itself.
struct Decorator {
  Lines definition;
  std::string line;
};

std::vector<Form> forms_at(const Parsed& parsed, const std::string& torch, bool outside) {
  std::vector<Form> forms = {kWraps, kManager, kContext, kTable};
  // A class used as decorator gives an object, which would be visible among the module's functions.
  if (!outside) forms.push_back(kClass);
  if (torch.empty() || outside) return forms;
  forms.push_back(kGradMode);
  forms.push_back(kLabel);
  // Switching autocast off where it is on would change the program.
  if (!parsed.has_word("autocast")) forms.push_back(kAutocast);
  return forms;
}

Decorator decorator_of(Form form, const std::string& torch, Rewrite& rewrite, Choices& choices) {
  std::string name = rewrite.name("d");
  std::string label = fmt::format("\"{}\"", name);
  std::string argument = choices.chance(1, 2) ? label : fmt::format("{}", choices.below(10));
  std::string used = fmt::format("@{}({})", name, argument);
  switch (form) {
    case kWraps:
      return {{{fmt::format("def {}(label):", name)},
               {"from functools import wraps", 1},
               {"def wrap(function):", 1},
               {"@wraps(function)", 2},
               {"def call(*args, **kwargs):", 2},
               {"return function(*args, **kwargs)", 3},
               {"return call", 2},
               {"return wrap", 1}},
              used};
    case kClass:
      return {{{fmt::format("class {}:", name)},
               {"def __init__(self, label):", 1},
               {"self.label = label", 2},
               {"def __call__(self, function):", 1},
               {"self.function = function", 2},
               {"return self.run", 2},
               {"def run(self, *args, **kwargs):", 1},
               {"return self.function(*args, **kwargs)", 2}},
              used};
    case kManager: {
      std::string manager = rewrite.name("contextmanager");
      return {{{fmt::format("from contextlib import contextmanager as {}", manager)},
               {"@" + manager},
               {fmt::format("def {}(label):", name)},
               {"try:", 1},
               {"yield label", 2},
               {"finally:", 1},
               {"pass", 2}},
              used};
    }
    case kContext: {
      std::string base = rewrite.name("ContextDecorator");
      return {{{fmt::format("from contextlib import ContextDecorator as {}", base)},
               {fmt::format("class {}({}):", name, base)},
               {"def __init__(self, label):", 1},
               {"self.label = label", 2},
               {"def __enter__(self):", 1},
               {"return self", 2},
               {"def __exit__(self, *error):", 1},
               {"return False", 2}},
              used};
    }
    case kTable:
      return {{{fmt::format("def {}(label, table):", name)},
               {"def wrap(function):", 1},
               {"table[label] = function", 2},
               {"return lambda *args: table[label](*args)", 2},
               {"return wrap", 1}},
              fmt::format("@{}({}, {{}})", name, argument)};
    case kGradMode:
      return {{}, fmt::format("@{0}.set_grad_enabled({0}.is_grad_enabled())", torch)};
    case kAutocast:
      return {{}, fmt::format("@{}.autocast(\"cpu\", enabled=False)", torch)};
    default:
      return {{}, fmt::format("@{}.profiler.record_function({})", torch, label)};
  }
}

class ExtractDecorator final : public ExtractionMutation {
 public:
  ExtractDecorator()
      : ExtractionMutation(
            {"extract_decorator", "C", Exactness::kBitwise, false, "jitprobe",
             "frames that are entered through wrappers and context managers, and the state that those restore"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    auto extraction = extraction_at(parsed, facts, site, choices);
    if (!extraction) return {};
    Rewrite rewrite(parsed, step_number);
    bool outside = choices.chance(1, 4) && stands_alone(parsed, *extraction);
    Carried carried = draw_carried(rewrite, *extraction, usual_channels(outside), outside, choices);
    std::string name = rewrite.name("f");
    std::string arguments = fmt::format("({})", fmt::join(carried.arguments, ", "));
    std::string torch = torch_name(parsed, *extraction->run.front());

    Frame frame;
    frame.before = carried.before();
    Lines own;
    for (std::uint64_t left = choices.chance(1, 4) ? 2 : 1; left > 0; --left) {
      Decorator decorator = decorator_of(choices.pick(forms_at(parsed, torch, outside)), torch, rewrite, choices);
      add(frame.open, decorator.definition);
      if (outside && !decorator.definition.empty()) add(frame.open, {{""}, {""}});
      own.push_back({decorator.line});
    }
    add(frame.open, own);
    frame.open.push_back({"def " + name + arguments + ":"});
    add(frame.open, deeper(carried.declarations()));
    frame.close = deeper(carried.deliver());
    frame.call = carried.fetch(name + arguments);
    enclose(rewrite, parsed, *extraction, frame, outside);
    return rewrite.edits();
  }
};

const Register<Mutation, ExtractDecorator> registered;

}  // namespace
}  // namespace jp::mutate::extract_decorator_mutation
