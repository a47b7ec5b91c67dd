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
// trace. Nothing stands in a branch of its own, where a further mutation could change what one of the two gives. The
// result is unchanged bit for bit. Site path: as in statement_ranges.h.
#include "mutate/outline/outline_mutation.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/rewrite/template.h"

namespace jp::mutate::compiled_inside_mutation {
namespace {

bool may_stand(const Parsed& parsed, const BodySignature& signature) {
  return !torch_name(parsed, signature.first()).empty() && !may_be_traced(parsed, signature.first());
}

/// Templates of the lines before and after the function $f, and of its call with the arguments $given.
struct Way {
  std::string_view prelude;
  std::string_view more;
  std::string_view call = "$g($given)";
};
constexpr Way kWays[] = {{"@$torch.compile($options, disable=not $asked)", "", "$f($given)"},
                         {"$on = $asked",
                          "@$torch.compiler.disable\n"
                          "def $g($given):\n"
                          "\treturn ($torch.compile($f, $options) if $on else $f)($given)"},
                         {"", "$g = $torch.compile($f, $options) if $asked else $f"}};

class CompiledInside final : public FunctionMutation {
 public:
  CompiledInside()
      : FunctionMutation(
            {"compiled_inside", "C", Exactness::kBitwise, false, "jitprobe",
             "a compiler within a compiler: nested frames, their guards, and which compiler handles which frame"}) {}

 private:
  std::optional<Body> pack(Packing& packing) const override {
    auto& [parsed, facts, signature, rewrite, choices] = packing;
    if (!may_stand(parsed, signature)) return std::nullopt;
    std::vector<std::string> arguments;
    for (const auto& name : signature.inputs())
      if (choices.chance(3, 4) || signature.writes(name)) arguments.push_back(name);
    std::string options = choices.chance(1, 2) ? "backend=\"eager\"" : "backend=\"aot_eager\"";
    if (choices.chance(1, 4)) options += choices.chance(1, 2) ? ", dynamic=True" : ", dynamic=False";

    const std::string function = rewrite.name("f");
    Template text(rewrite);
    text.set("f", function);
    text.set("torch", packing.torch());
    text.set("given", joined(arguments));
    text.set("options", options);
    text.set("asked", packing.torch() + ".compiler.is_compiling()");
    const Way& way = kWays[choices.below(std::size(kWays))];
    const Lines prelude = text.lines(way.prelude);
    Lines more = text.lines(way.more);
    const std::string call = text.expression(way.call, more);
    return function_body(signature, function, arguments, prelude, more, call);
  }

  bool fits(const Parsed& parsed, const Facts&, const BodySignature& signature) const override {
    return may_stand(parsed, signature);
  }
};

const Register<Mutation, CompiledInside> registered;

}  // namespace
}  // namespace jp::mutate::compiled_inside_mutation
