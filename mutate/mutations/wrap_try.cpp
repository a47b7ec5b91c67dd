// Statements of one block move into a `try` in which an exception is raised on purpose:
//
//     v3 = v2 + v1                 try:
//                                      torch.zeros(2).view(3)
//                                  except RuntimeError:
//                                      v3 = v2 + v1
//
// The statements are in the handler, the `else`, the `finally` or the `try` itself, or after an exception that was
// re-raised, raised from another, suppressed, or that made a function return early. The failing code changes only
// values of its own. The statements share the `try` itself only with an exception class that nothing else raises, or
// the exception that is caught is raised again. The result is unchanged bit for bit. Site path: as in
// statement_ranges.h.
#include <fmt/format.h>

#include <algorithm>

#include "mutate/material/failures.h"
#include "mutate/rewrite/statement_ranges.h"

namespace jp::mutate::wrap_try_mutation {
namespace {

/// The program asks which exception is being handled, by a function or by a bare `raise` outside of a handler; within a
/// new handler the answer would be another exception.
bool asks_for_handled(const Parsed& parsed) {
  for (std::string_view word :
       {"exc_info", "exception", "__context__", "print_exc", "format_exc", "last_exc", "__traceback__"})
    if (parsed.has_word(word)) return true;
  for (const Statement& statement : parsed.statements()) {
    if (statement.kind() != "raise_statement" || !statement.node.children().empty()) continue;
    bool handler = false;
    for (Node up = statement.node.parent(); up && !handler && !up.is("function_definition"); up = up.parent())
      handler = up.is("except_clause") || up.is("except_group_clause");
    if (!handler) return true;
  }
  return false;
}

/// The statement has a bare `raise` that is in no handler of the statement itself.
bool raises_again(const Parsed& parsed, const Statement& run) {
  for (int i = run.index; i < static_cast<int>(parsed.statements().size()); ++i) {
    const Statement& statement = parsed.statement(i);
    if (statement.begin >= run.end) break;
    if (statement.kind() != "raise_statement" || !statement.node.children().empty()) continue;
    bool answered = false;
    for (Node up = statement.node.parent(); up && up.begin() >= run.begin && up.end() <= run.end; up = up.parent())
      answered = answered || up.is("except_clause") || up.is("except_group_clause");
    if (!answered) return true;
  }
  return false;
}

/// The names and texts that the forms use.
struct Parts {
  Failure failure;
  std::string clause;     // "except RuntimeError:"
  std::string error;      // a name for a caught exception
  std::string own_class;  // a name for an exception class, or for `suppress`
  std::string flag;       // a name for a number or a function
  std::string parent;     // "Exception" or "BaseException"
};

/// Lines of the form `try: <fails> except ...: <then>`.
Lines caught(const Parts& parts, const Lines& then) {
  return Lines{{"try:"}} + deeper(parts.failure.lines) + Lines{{parts.clause}} + deeper(then);
}

using Form = Wrapper (*)(const Parts&, Choices&);

Wrapper in_handler(const Parts& parts, Choices&) { return {caught(parts, {}), 1, {}}; }

Wrapper in_else(const Parts& parts, Choices& choices) {
  std::string other = choices.chance(1, 2) ? "except Exception:" : "except (ValueError, RuntimeError):";
  return {Lines{{"try:"}} + deeper(caught(parts, {{"pass"}})) + Lines{{other}, {"raise", 1}, {"else:"}}, 1, {}};
}

Wrapper in_finally(const Parts& parts, Choices&) { return {caught(parts, {{"pass"}}) + Lines{{"finally:"}}, 1, {}}; }

Wrapper before_finally(const Parts& parts, Choices&) {
  return {{{"try:"}}, 1, Lines{{"finally:"}} + deeper(caught(parts, {{"pass"}}))};
}

Wrapper own_exception(const Parts& parts, Choices& choices) {
  std::string raised = choices.chance(1, 2) ? parts.own_class : parts.own_class + "(\"done\")";
  std::string clause = choices.chance(1, 2) ? fmt::format("except {}:", parts.own_class)
                                            : fmt::format("except {} as {}:", parts.own_class, parts.error);
  Lines close = choices.chance(1, 3) ? deeper(caught(parts, {{"pass"}})) : Lines();
  return {{{fmt::format("class {}(Exception):", parts.own_class)}, {"pass", 1}, {"try:"}},
          1,
          close + Lines{{"raise " + raised, 1}, {clause}, {"pass", 1}}};
}

Wrapper raised_again(const Parts& parts, Choices& choices) {
  Parts inner = parts;
  std::string again = "raise";
  if (choices.chance(1, 2)) {
    inner.clause = fmt::format("except {} as {}:", parts.failure.error, parts.error);
    again = "raise " + parts.error;
  }
  return {Lines{{"try:"}} + deeper(caught(inner, {{again}})) + Lines{{parts.clause}}, 1, {}};
}

Wrapper raised_from(const Parts& parts, Choices& choices) {
  Parts inner = parts;
  inner.clause = fmt::format("except {} as {}:", parts.failure.error, parts.error);
  std::string cause = choices.chance(1, 3) ? "None" : parts.error;
  Lines close = caught(inner, {{fmt::format("raise ValueError(\"again\") from {}", cause)}});
  std::string clause = draw_clause("ValueError", "", choices);
  return {Lines{{"try:"}} + deeper(close) + Lines{{clause}}, 1, {}};
}

Wrapper raised_through(const Parts& parts, Choices& choices) {
  bool named = choices.chance(1, 2);
  std::string clause =
      named ? fmt::format("except {} as {}:", parts.parent, parts.error) : fmt::format("except {}:", parts.parent);
  Lines close = {{clause}, {named && choices.chance(1, 2) ? "raise " + parts.error : "raise", 1}};
  if (choices.chance(1, 2)) close = close + Lines{{"else:"}} + deeper(caught(parts, {{"pass"}}));
  return {{{"try:"}}, 1, close};
}

Wrapper suppressed(const Parts& parts, Choices& choices) {
  std::string classes = choices.chance(1, 2) ? parts.failure.error : "ValueError, " + parts.failure.error;
  return {Lines{{fmt::format("from contextlib import suppress as {}", parts.flag)},
                {fmt::format("with {}({}):", parts.flag, classes)}} +
              deeper(parts.failure.lines),
          0,
          {}};
}

Wrapper own_suppressed(const Parts& parts, Choices&) {
  return {{{fmt::format("class {}(Exception):", parts.own_class)},
           {"pass", 1},
           {fmt::format("from contextlib import suppress as {}", parts.flag)},
           {fmt::format("with {}({}):", parts.flag, parts.own_class)}},
          1,
          {{"raise " + parts.own_class, 1}}};
}

/// A function that returns in the `try`, the handler and perhaps the `finally`; its result decides whether the
/// statements run.
Wrapper early_return(const Parts& parts, Choices& choices) {
  Parts inner = parts;
  inner.failure.lines.push_back({"return 1"});
  Lines body = caught(inner, {{"return 2"}});
  int result = 2;
  if (choices.chance(1, 2)) {
    body = body + Lines{{"finally:"}};
    bool wins = choices.chance(1, 2);
    body.push_back({wins ? "return 3" : "pass", 1});
    if (wins) result = 3;
  }
  Lines open = Lines{{fmt::format("def {}():", parts.flag)}} + deeper(body);
  return {open + Lines{{fmt::format("if {}() == {}:", parts.flag, result)}}, 1, {}};
}

/// A number counts the parts that ran.
Wrapper counted(const Parts& parts, Choices& choices) {
  const std::string& n = parts.flag;
  Parts inner = parts;
  inner.failure.lines.insert(inner.failure.lines.begin(), {fmt::format("{} = {} + 1", n, n)});
  inner.failure.lines.push_back({n + " = 10"});
  Lines open = Lines{{n + " = 0"}} + caught(inner, {{n + " += 2"}});
  if (choices.chance(1, 2)) open = open + Lines{{"else:"}, {n + " = 20", 1}};
  open = open + Lines{{"finally:"}, {fmt::format("{} = {} * 2", n, n), 1}};
  return {open + Lines{{fmt::format("if {} == 6:", n)}}, 1, {}};
}

/// `break` and `continue` leave the handler.
Wrapper left_by_loop(const Parts& parts, Choices& choices) {
  Lines tried = caught(parts, {{choices.chance(1, 2) ? "break" : "continue"}});
  if (choices.chance(1, 2)) tried = tried + Lines{{"finally:"}, {"pass", 1}};
  return {Lines{{fmt::format("for {} in range(2):", parts.flag)}} + deeper(tried), 0, {}};
}

Wrapper nested(const Parts& parts, Choices& choices) {
  Parts inner = parts;
  inner.clause = "except UnicodeError:";
  Lines tried = caught(inner, {{"raise"}});
  if (choices.chance(1, 2)) tried = tried + Lines{{"finally:"}, {"pass", 1}};
  return {Lines{{"try:"}} + deeper(tried) + Lines{{parts.clause}}, 1, {}};
}

struct Choice {
  Form form;
  const char* flag;  // prefix of the fresh name that the form needs
};
constexpr Choice kForms[] = {
    {in_handler, "k"},        {in_else, "k"},
    {in_finally, "k"},        {before_finally, "k"},
    {own_exception, "k"},     {raised_again, "k"},
    {raised_from, "k"},       {raised_through, "k"},
    {suppressed, "suppress"}, {own_suppressed, "suppress"},
    {early_return, "f"},      {counted, "k"},
    {left_by_loop, "i"},      {nested, "k"},
};

class WrapTry final : public Mutation {
 public:
  WrapTry()
      : Mutation({"wrap_try", "C", Exactness::kBitwise, false, "jitprobe",
                  "exceptions that tracing raises, catches and resumes from while state is live"}) {}

  std::vector<Site> sites(const Parsed& parsed, const Facts&) const override {
    if (asks_for_handled(parsed) || binds_any(parsed, failure_names())) return {};
    return run_sites(parsed, true, [&](const Statement& statement) { return fits(parsed, statement); });
  }

  EditSet rewrite(const Parsed& parsed, const Facts& facts, const Site& site, Choices& choices,
                  int step_number) const override {
    StatementRange run = find_run(parsed, site, [&](const Statement& statement) { return fits(parsed, statement); });
    if (!run.first || asks_for_handled(parsed) || binds_any(parsed, failure_names())) return {};
    const std::string tensor =
        choices.note_drawn([&](Choices& inner) { return draw_tensor(parsed, facts, *run.first, inner); });
    if (!tensor.empty() && !parsed.scopes().readable(*run.first, tensor)) return {};
    Rewrite rewrite(parsed, step_number);
    const Choice& choice = kForms[choices.below(std::size(kForms))];
    Parts parts;
    parts.error = rewrite.name("e");
    parts.own_class = rewrite.name("Done");
    parts.flag = rewrite.name(choice.flag);
    parts.failure = draw_failure(torch_name(parsed, *run.first), tensor, rewrite.name("t"), choices);
    parts.clause = draw_clause(parts.failure.error, choices.chance(1, 3) ? parts.error : "", choices);
    parts.parent = choices.chance(1, 2) ? "Exception" : "BaseException";
    const Wrapper wrapper = choice.form(parts, choices);
    wrap(rewrite, run, wrapper);
    return rewrite.edits();
  }

 private:
  static bool fits(const Parsed& parsed, const Statement& statement) {
    return !statement.exits.awaits && !raises_again(parsed, statement);
  }
};

const Register<Mutation, WrapTry> registered;

}  // namespace
}  // namespace jp::mutate::wrap_try_mutation
