// Statements of one block move into a `with` whose context does not affect them:
//
//     v3 = v2 + v1                 class Scope7:
//                                      def __enter__(self):
//                                          return self
//                                      def __exit__(self, *error):
//                                          return False
//                                  with Scope7() as c7:
//                                      v3 = v2 + v1
//
// The context is a class or a `contextmanager` of the program's own, which may set the default dtype and restore it; or
// it comes from contextlib; or it is one of torch: the current gradient mode, autocast off, a label for the profiler.
// `no_grad` and `enable_grad` enclose only assignments of a program in which nothing requires gradients. An empty
// `with` may have any context. The result is unchanged bit for bit. Site path: as in statement_ranges.h.
#include <fmt/format.h>

#include <cctype>

#include "mutate/engine/notes.h"
#include "mutate/facts/save_restore.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/rewrite/template.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::wrap_with_mutation {
namespace {

/// Templates: the lines that must come before the `with`, the item itself, and the first line of the body or "".
struct Context {
  std::string before;
  std::string item;
  std::string_view first = "";
};

bool plain_assignment(const Facts& facts, const Statement& statement) {
  const Assignment assigns = assignment(statement);
  if (!assigns || assigns.augmented()) return false;
  const NameFacts* made = facts.find_after(statement.id, std::string(assigns.left.text()));
  bool known = made && (made->kind == "tensor" || is_number_kind(made->kind));
  return known && facts.before.contains(statement.id) && !statement.exits.leaves();
}

/// The gradient mode makes no difference to the range: it only assigns values that the profile observed, nothing in the
/// program requires gradients, and nothing can read the mode or has parameters that the profile would not show.
bool is_free(const Parsed& parsed, const Facts& facts, const StatementRange& run) {
  for (std::string_view word : {"autograd", "backward", "is_grad_enabled", "requires_grad_", "inference_mode",
                                "Parameter", "Module", "load", "jit"})
    if (parsed.has_word(word)) return false;
  if (run.empty() || !always_followed(parsed.source(), "nn", ".functional") || !no_gradients(facts)) return false;
  for (const Statement* statement : run_between(parsed, *run.first, *run.last))
    if (!plain_assignment(facts, *statement)) return false;
  return true;
}

Context own_class(Choices& choices) {
  const bool counts = choices.chance(1, 3);
  const std::string result = choices.chance(1, 2) ? "return False" : counts ? "self.depth -= 1" : "pass";
  const std::string arguments = choices.chance(1, 2) ? "self, *error" : "self, kind, error, trace";
  const std::string entered = choices.chance(2, 3) ? "return self" : "return None";
  return {std::string("class $Scope:\n") + (counts ? "\tdepth = 0\n" : "") + "\tdef __enter__(self):\n" +
              (counts ? "\t\tself.depth += 1\n" : "") + "\t\t" + entered + "\n\tdef __exit__(" + arguments +
              "):\n\t\t" + result,
          "$Scope()"};
}

Context own_generator(Choices& choices) {
  const std::string head = "@$contextlib:contextmanager\ndef $scope():\n";
  return {head + (choices.chance(2, 3) ? "\ttry:\n\t\tyield\n\tfinally:\n\t\tpass" : "\tyield"), "$scope()"};
}

/// The default dtype is changed for a moment: before the body begins, or until its first line.
Context default_dtype(Choices& choices) {
  if (choices.chance(1, 2))
    return {
        "@$contextlib:contextmanager\n"
        "def $scope():\n"
        "\t$d = $torch.get_default_dtype()\n"
        "\t$torch.set_default_dtype($torch.float64)\n"
        "\ttry:\n"
        "\t\t$torch.set_default_dtype($d)\n"
        "\t\tyield\n"
        "\tfinally:\n"
        "\t\t$torch.set_default_dtype($torch.get_default_dtype())",
        "$scope()"};
  return {
      "$d = $torch.get_default_dtype()\n"
      "class $Scope:\n"
      "\tdef __enter__(self):\n"
      "\t\t$torch.set_default_dtype($torch.float64)\n"
      "\tdef __exit__(self, *error):\n"
      "\t\t$torch.set_default_dtype($torch.get_default_dtype())",
      "$Scope()", "\t$torch.set_default_dtype($d)"};
}

Context of_contextlib(Choices& choices) {
  return {"", choices.chance(1, 2) ? "$contextlib:ExitStack()" : "$contextlib:nullcontext()"};
}

Context gradients_as_they_are(Choices& choices) {
  return {"", choices.chance(1, 2) ? "$torch.set_grad_enabled($torch.is_grad_enabled())"
                                   : "$torch.enable_grad() if $torch.is_grad_enabled() else $torch.no_grad()"};
}

Context profiled(Choices& choices) {
  return {"", choices.chance(1, 2) ? "$torch.profiler.record_function(\"part\")"
                                   : "$torch.profiler.record_function(\"a name\")"};
}

Context gradients_free(Choices& choices) {
  return {"", choices.chance(1, 2) ? "$torch.no_grad()" : "$torch.enable_grad()"};
}

Context autocast_off(Choices&) { return {"", "$torch.autocast(\"cpu\", enabled=False)"}; }

/// Contexts that only an empty `with` may have.
Context strong(Choices& choices) {
  constexpr const char* kItems[] = {"$torch.no_grad()", "$torch.enable_grad()", "$torch.inference_mode()",
                                    "$torch.autocast(\"cpu\", dtype=$torch.bfloat16)", "$torch.device(\"cpu\")"};
  return {"", kItems[choices.below(std::size(kItems))]};
}

using Form = Context (*)(Choices&);

class WrapWith final : public Mutation {
 public:
  WrapWith()
      : Mutation({"wrap_with", "C", Exactness::kBitwise, false, "jitprobe",
                  "context managers that tracing enters, leaves at a graph break, and enters again"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override { return run_sites(parsed, true, fits); }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    StatementRange run = find_run(parsed, site, fits);
    if (!run.first) return {};
    const bool free = choices.note([&] { return is_free(parsed, facts, run); });
    Rewrite rewrite(parsed, step_number);
    const std::string torch = torch_name(parsed, *run.first);
    const auto forms = usable(parsed, run, torch, free);
    Lines open;
    Lines first;
    std::string item = put(choices.pick(forms)(choices), rewrite, torch, open, first);
    if (choices.chance(1, 5)) item += ", " + put(choices.pick(forms)(choices), rewrite, torch, open, first);
    if (choices.chance(1, 4)) item += " as " + rewrite.name("c");
    open.push_back({fmt::format("with {}:", item)});
    add(open, first);
    wrap(rewrite, run, {open});
    return rewrite.edits();
  }

 private:
  static bool fits(const Statement& statement) { return !statement.exits.awaits; }

  /// Adds the lines of a context, and returns its item.
  static std::string put(const Context& context, Rewrite& rewrite, const std::string& torch, Lines& before,
                         Lines& first) {
    Template text(rewrite);
    text.set("torch", torch);
    add(before, text.lines(context.before));
    std::string item = text.expression(context.item, before);
    add(first, text.lines(context.first));
    return item;
  }

  static std::vector<Form> usable(const Parsed& parsed, const StatementRange& run, const std::string& torch,
                                  bool free) {
    std::vector<Form> forms = {own_class, own_generator, of_contextlib};
    if (torch.empty()) return forms;
    forms.insert(forms.end(), {profiled, default_dtype});
    // A generator's context restores a setting on resumption that its consumer may have changed by then.
    if (run_yields(parsed, run)) return forms;
    // At its end such a context undoes what the range has set, or a function that it calls.
    if (run.empty() || !sets_gradient_mode(parsed, torch)) forms.push_back(gradients_as_they_are);
    if (free) forms.insert(forms.end(), {gradients_free, gradients_free});
    if (run.empty()) forms.insert(forms.end(), {strong, strong});
    if (run.empty() || no_autocast(parsed)) forms.push_back(autocast_off);
    return forms;
  }
};

const Register<Mutation, WrapWith> registered;

}  // namespace
}  // namespace jp::mutate::wrap_with_mutation
