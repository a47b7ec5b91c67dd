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
#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/rewrite/template.h"

namespace jp::mutate::extract_decorator_mutation {
namespace {

// Templates of decorators: the last line is the decorator's own, the lines before it define what it needs.
constexpr std::string_view kWraps =
    "def $d(label):\n"
    "\tfrom functools import wraps\n"
    "\tdef wrap(function):\n"
    "\t\t@wraps(function)\n"
    "\t\tdef call(*args, **kwargs):\n"
    "\t\t\treturn function(*args, **kwargs)\n"
    "\t\treturn call\n"
    "\treturn wrap\n"
    "@$d($argument)";
constexpr std::string_view kClass =
    "class $d:\n"
    "\tdef __init__(self, label):\n"
    "\t\tself.label = label\n"
    "\tdef __call__(self, function):\n"
    "\t\tself.function = function\n"
    "\t\treturn self.run\n"
    "\tdef run(self, *args, **kwargs):\n"
    "\t\treturn self.function(*args, **kwargs)\n"
    "@$d($argument)";
constexpr std::string_view kManager =
    "@$contextlib:contextmanager\n"
    "def $d(label):\n"
    "\ttry:\n"
    "\t\tyield label\n"
    "\tfinally:\n"
    "\t\tpass\n"
    "@$d($argument)";
constexpr std::string_view kContext =
    "class $d($contextlib:ContextDecorator):\n"
    "\tdef __init__(self, label):\n"
    "\t\tself.label = label\n"
    "\tdef __enter__(self):\n"
    "\t\treturn self\n"
    "\tdef __exit__(self, *error):\n"
    "\t\treturn False\n"
    "@$d($argument)";
constexpr std::string_view kTable =
    "def $d(label, table):\n"
    "\tdef wrap(function):\n"
    "\t\ttable[label] = function\n"
    "\t\treturn lambda *args: table[label](*args)\n"
    "\treturn wrap\n"
    "@$d($argument, {})";
constexpr std::string_view kGradMode = "@$torch.set_grad_enabled($torch.is_grad_enabled())";
constexpr std::string_view kAutocast = "@$torch.autocast(\"cpu\", enabled=False)";
constexpr std::string_view kLabel = "@$torch.profiler.record_function(\"$d\")";

std::vector<std::string_view> forms_at(const Parsed& parsed, const std::string& torch, bool outside) {
  std::vector<std::string_view> forms = {kWraps, kManager, kContext};
  // Attributes of a function, and the object that a class used as decorator gives, would be visible among the module's
  // functions.
  if (!outside) forms.insert(forms.end(), {kTable, kClass});
  if (torch.empty() || outside) return forms;
  // At its end such a context undoes what the range has set, or a function that it calls.
  if (!sets_gradient_mode(parsed, torch)) forms.push_back(kGradMode);
  forms.push_back(kLabel);
  // Switching autocast off where it is on would change the program.
  if (!parsed.has_word("autocast") && no_autocast(parsed)) forms.push_back(kAutocast);
  return forms;
}

class ExtractDecorator final : public ExtractionMutation {
 public:
  ExtractDecorator()
      : ExtractionMutation(
            {"extract_decorator", "C", Exactness::kBitwise, false, "jitprobe",
             "frames that are entered through wrappers and context managers, and the state that those restore"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    const bool outside = packing.draw_outside(4);
    Convention way = packing.draw(usual_channels(outside), outside);
    const std::string call = way.call_of(packing.rewrite.name("f"));
    const std::string torch = packing.torch();
    Lines open;
    Lines applied;
    for (std::uint64_t left = packing.choices.chance(1, 4) ? 2 : 1; left > 0; --left) {
      const std::string_view form = packing.choices.pick(forms_at(packing.parsed, torch, outside));
      Template text(packing.rewrite);
      text.set("torch", torch);
      const std::string name = packing.rewrite.name("d");
      text.set("d", name);
      text.set("argument", packing.choices.chance(1, 2) ? fmt::format("\"{}\"", name)
                                                        : fmt::format("{}", packing.choices.below(10)));
      Lines definition;
      applied.push_back({text.expression(form, definition)});
      add(open, definition);
      if (outside && !definition.empty()) add(open, {{""}, {""}});
    }
    Body body = way.body(open + applied + Lines{{fmt::format("def {}:", call)}});
    body.call = way.fetch(call);
    return body;
  }
};

const Register<Mutation, ExtractDecorator> registered;

}  // namespace
}  // namespace jp::mutate::extract_decorator_mutation
