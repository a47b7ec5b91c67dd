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
#include "mutate/material/failures.h"
#include "mutate/rewrite/statement_ranges.h"
#include "mutate/syntax/queries.h"

namespace jp::mutate::wrap_with_mutation {
namespace {

/// A context manager: the lines that must come before the `with`, the item itself, and the first lines of the body.
struct Context {
  Lines before;
  std::string item;
  Lines first;
};

/// The names from which a context may be made.
struct Namer {
  Rewrite& rewrite;
  std::string torch;
};

/// Every mention of the word is followed by the text.
bool always_followed(std::string_view source, std::string_view word, std::string_view by) {
  auto in_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = source.find(word); at != std::string_view::npos; at = source.find(word, at + 1)) {
    std::size_t end = at + word.size();
    if ((at > 0 && in_word(source[at - 1])) || (end < source.size() && in_word(source[end]))) continue;
    if (!source.substr(end).starts_with(by)) return false;
  }
  return true;
}

/// Nothing in the file switches autocast on.
bool no_autocast(const Parsed& parsed) {
  return always_followed(parsed.source(), "autocast", "(\"cpu\", enabled=False)") && !parsed.has_word("amp") &&
         !parsed.has_word("set_autocast_enabled");
}

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

std::string import_from_contextlib(Context& context, std::string_view what, Namer& namer) {
  std::string name = namer.rewrite.name(what);
  context.before.push_back({fmt::format("from contextlib import {} as {}", what, name)});
  return name;
}

Context own_class(Namer& namer, Choices& choices) {
  std::string name = namer.rewrite.name("Scope");
  bool counts = choices.chance(1, 3);
  std::string result = choices.chance(1, 2) ? "return False" : counts ? "self.depth -= 1" : "pass";
  std::string arguments = choices.chance(1, 2) ? "self, *error" : "self, kind, error, trace";
  Lines lines = {{fmt::format("class {}:", name)}};
  if (counts) lines.insert(lines.end(), {{"depth = 0", 1}});
  lines.push_back({"def __enter__(self):", 1});
  if (counts) lines.push_back({"self.depth += 1", 2});
  lines.insert(lines.end(), {{choices.chance(2, 3) ? "return self" : "return None", 2},
                             {fmt::format("def __exit__({}):", arguments), 1},
                             {result, 2}});
  return {lines, name + "()", {}};
}

Context own_generator(Namer& namer, Choices& choices) {
  Context context;
  std::string decorator = import_from_contextlib(context, "contextmanager", namer);
  std::string name = namer.rewrite.name("scope");
  Lines body = {{"yield"}};
  if (choices.chance(2, 3)) body = {{"try:"}, {"yield", 1}, {"finally:"}, {"pass", 1}};
  Lines& lines = context.before;
  lines.push_back({"@" + decorator});
  lines.push_back({fmt::format("def {}():", name)});
  add(lines, deeper(body));
  context.item = name + "()";
  return context;
}

/// The default dtype is changed for a moment: before the body begins, or until its first line.
Context default_dtype(Namer& namer, Choices& choices) {
  const std::string& torch = namer.torch;
  std::string keep = fmt::format("{}.get_default_dtype()", torch);
  std::string set = fmt::format("{}.set_default_dtype({}.float64)", torch, torch);
  std::string stay = fmt::format("{0}.set_default_dtype({0}.get_default_dtype())", torch);
  if (choices.chance(1, 2)) {
    Context context;
    std::string decorator = import_from_contextlib(context, "contextmanager", namer);
    std::string name = namer.rewrite.name("scope");
    std::string kept = namer.rewrite.name("d");
    std::string back = fmt::format("{}.set_default_dtype({})", torch, kept);
    Lines more = {{"@" + decorator},
                  {fmt::format("def {}():", name)},
                  {fmt::format("{} = {}", kept, keep), 1},
                  {set, 1},
                  {"try:", 1},
                  {back, 2},
                  {"yield", 2},
                  {"finally:", 1},
                  {stay, 2}};
    add(context.before, more);
    context.item = name + "()";
    return context;
  }
  std::string name = namer.rewrite.name("Scope");
  std::string kept = namer.rewrite.name("d");
  Lines lines = {{fmt::format("{} = {}", kept, keep)}, {fmt::format("class {}:", name)},
                 {"def __enter__(self):", 1},          {set, 2},
                 {"def __exit__(self, *error):", 1},   {stay, 2}};
  return {lines, name + "()", {{fmt::format("{}.set_default_dtype({})", torch, kept), 1}}};
}

Context of_contextlib(Namer& namer, Choices& choices) {
  Context context;
  bool stack = choices.chance(1, 2);
  context.item = import_from_contextlib(context, stack ? "ExitStack" : "nullcontext", namer) + "()";
  return context;
}

Context gradients_as_they_are(Namer& namer, Choices& choices) {
  if (choices.chance(1, 2)) return {{}, fmt::format("{0}.set_grad_enabled({0}.is_grad_enabled())", namer.torch), {}};
  return {{}, fmt::format("{0}.enable_grad() if {0}.is_grad_enabled() else {0}.no_grad()", namer.torch), {}};
}

Context profiled(Namer& namer, Choices& choices) {
  std::string name = choices.chance(1, 2) ? "part" : "a name";
  return {{}, fmt::format("{}.profiler.record_function(\"{}\")", namer.torch, name), {}};
}

Context gradients_free(Namer& namer, Choices& choices) {
  return {{}, fmt::format("{}.{}()", namer.torch, choices.chance(1, 2) ? "no_grad" : "enable_grad"), {}};
}

Context autocast_off(Namer& namer, Choices&) {
  return {{}, fmt::format("{}.autocast(\"cpu\", enabled=False)", namer.torch), {}};
}

/// Contexts that only an empty `with` may have.
Context strong(Namer& namer, Choices& choices) {
  constexpr std::string_view kItems[] = {"{0}.no_grad()", "{0}.enable_grad()", "{0}.inference_mode()",
                                         "{0}.autocast(\"cpu\", dtype={0}.bfloat16)", "{0}.device(\"cpu\")"};
  return {{}, fmt::format(fmt::runtime(kItems[choices.below(std::size(kItems))]), namer.torch), {}};
}

using Form = Context (*)(Namer&, Choices&);

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
    Namer namer{rewrite, torch_name(parsed, *run.first)};
    auto forms = usable(parsed, run, namer, free);
    Context context = choices.pick(forms)(namer, choices);
    std::string item = context.item;
    if (choices.chance(1, 5)) {
      Context other = choices.pick(forms)(namer, choices);
      add(context.before, other.before);
      add(context.first, other.first);
      item = fmt::format("{}, {}", item, other.item);
    }
    if (choices.chance(1, 4)) item += " as " + rewrite.name("c");
    Lines open = context.before;
    open.push_back({fmt::format("with {}:", item)});
    add(open, context.first);
    wrap(rewrite, run, {open});
    return rewrite.edits();
  }

 private:
  static bool fits(const Statement& statement) { return !statement.exits.awaits; }

  static std::vector<Form> usable(const Parsed& parsed, const StatementRange& run, const Namer& namer, bool free) {
    std::vector<Form> forms = {own_class, own_generator, of_contextlib};
    if (namer.torch.empty()) return forms;
    forms.insert(forms.end(), {profiled, default_dtype});
    // A generator's context restores a setting on resumption that its consumer may have changed by then.
    if (run_yields(parsed, run)) return forms;
    forms.push_back(gradients_as_they_are);
    if (free) forms.insert(forms.end(), {gradients_free, gradients_free});
    if (run.empty()) forms.insert(forms.end(), {strong, strong});
    if (run.empty() || no_autocast(parsed)) forms.push_back(autocast_off);
    return forms;
  }
};

const Register<Mutation, WrapWith> registered;

}  // namespace
}  // namespace jp::mutate::wrap_with_mutation
