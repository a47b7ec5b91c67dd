// A range of statements becomes a function that is compiled on its own, within the program that is compiled:
//
//     v3 = v2 + v1                 def f7(v2, v1):
//                                      v3 = v2 + v1
//                                      return v3
//                                  g7 = torch.compile(f7, backend="eager") if torch.compiler.is_compiling() else f7
//                                  v3 = g7(v2, v1)
//
// Eager must stay the reference, so the inner compiler is invoked only while the program is being compiled: in the
// traced code itself, as a decorator that is disabled otherwise, or in a function that the outer compiler does not
// trace. The result is unchanged bit for bit. Site path: as in statement_ranges.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "mutate/outline/outline.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::compiled_inside_mutation {
namespace {

bool may_stand(const Parsed& parsed, const Outline& outline) {
  return !torch_name(parsed, *outline.first).empty() && !may_be_traced(parsed, *outline.first);
}

class CompiledInside final : public OutlineMutation {
 public:
  CompiledInside()
      : OutlineMutation(
            {"compiled_inside", "C", Exactness::kBitwise, false, "jitprobe",
             "a compiler within a compiler: nested frames, their guards, and which compiler handles which frame"}) {}

  EditSet rewrite(const Parsed& parsed, const Facts&, const Site& site, Choices& choices,
                  int step_number) const override {
    auto outline = find_outline(parsed, site);
    if (!outline || !may_stand(parsed, *outline)) return {};
    Rewrite rewrite(parsed, step_number);
    std::string torch = torch_name(parsed, *outline->first);
    std::string function = rewrite.name("f");
    std::vector<std::string> arguments;
    for (const auto& name : outline->arguments)
      if (choices.chance(3, 4) || rebound(parsed, *outline, name)) arguments.push_back(name);
    std::string given = joined(arguments);
    std::string options = choices.chance(1, 2) ? "backend=\"eager\"" : "backend=\"aot_eager\"";
    if (choices.chance(1, 4)) options += choices.chance(1, 2) ? ", dynamic=True" : ", dynamic=False";
    std::string asked = torch + ".compiler.is_compiling()";

    Lines prelude;
    Lines more;
    std::string called = function;
    switch (choices.below(4)) {
      case 0:
        prelude = {{fmt::format("@{}.compile({}, disable=not {})", torch, options, asked)}};
        break;
      case 1: {
        called = rewrite.name("g");
        std::string flag = rewrite.name("on");
        prelude = {{fmt::format("{} = {}", flag, asked)}};
        more = {{fmt::format("@{}.compiler.disable", torch)},
                {fmt::format("def {}({}):", called, given)},
                {fmt::format("if {}:", flag), 1},
                {fmt::format("return {}.compile({}, {})({})", torch, function, options, given), 2},
                {fmt::format("return {}({})", function, given), 1}};
        break;
      }
      case 2:
        called = rewrite.name("g");
        more = {{fmt::format("{} = {}", called, function)},
                {fmt::format("if {}:", asked)},
                {fmt::format("{} = {}.compile({}, {})", called, torch, function, options), 1}};
        break;
      default:
        called = rewrite.name("g");
        more = {{fmt::format("{0} = {1}.compile({2}, {3}) if {4} else {2}", called, torch, function, options, asked)}};
    }
    put_outline(rewrite, *outline, function, arguments, prelude, more, fmt::format("{}({})", called, given));
    return rewrite.edits();
  }

 private:
  bool fits(const Parsed& parsed, const Facts&, const Outline& outline) const override {
    return may_stand(parsed, outline);
  }
};

const Register<Mutation, CompiledInside> registered;

}  // namespace
}  // namespace jp::mutate::compiled_inside_mutation
