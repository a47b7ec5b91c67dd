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
#include "mutate/rewrite/template.h"

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

/// Templates of the lines around the statements. $fails are lines that raise $error, $clause catches that ("except
/// RuntimeError:"), $caught is a `try` that does so, $parent is a class above all errors.
struct Shape {
  std::string open;
  int depth = 1;
  std::string close;
};

Shape in_handler(Choices&) { return {"try:\n\t$fails\n$clause"}; }

Shape in_else(Choices& choices) {
  const std::string other = choices.chance(1, 2) ? "except Exception:" : "except (ValueError, RuntimeError):";
  return {"try:\n\t$caught\n" + other + "\n\traise\nelse:"};
}

Shape in_finally(Choices&) { return {"$caught\nfinally:"}; }

Shape before_finally(Choices&) { return {"try:", 1, "finally:\n\t$caught"}; }

Shape own_exception(Choices& choices) {
  const std::string raised = choices.chance(1, 2) ? "\traise $Done\n" : "\traise $Done(\"done\")\n";
  const std::string clause = choices.chance(1, 2) ? "except $Done:" : "except $Done as $e:";
  const std::string before = choices.chance(1, 3) ? "\t$caught\n" : "";
  return {"class $Done(Exception):\n\tpass\ntry:", 1, before + raised + clause + "\n\tpass"};
}

Shape raised_again(Choices& choices) {
  if (choices.chance(1, 2)) return {"try:\n\ttry:\n\t\t$fails\n\texcept $error as $e:\n\t\traise $e\n$clause"};
  return {"try:\n\ttry:\n\t\t$fails\n\t$clause\n\t\traise\n$clause"};
}

Shape raised_from(Choices& choices) {
  const std::string cause = choices.chance(1, 3) ? "None" : "$e";
  const std::string clause = draw_clause("ValueError", "", choices);
  return {"try:\n\ttry:\n\t\t$fails\n\texcept $error as $e:\n\t\traise ValueError(\"again\") from " + cause + "\n" +
          clause};
}

Shape raised_through(Choices& choices) {
  const bool named = choices.chance(1, 2);
  std::string close = named ? "except $parent as $e:\n\traise" : "except $parent:\n\traise";
  if (named && choices.chance(1, 2)) close += " $e";
  if (choices.chance(1, 2)) close += "\nelse:\n\t$caught";
  return {"try:", 1, close};
}

Shape suppressed(Choices& choices) {
  const std::string classes = choices.chance(1, 2) ? "$error" : "ValueError, $error";
  return {"with $contextlib:suppress(" + classes + "):\n\t$fails", 0};
}

Shape own_suppressed(Choices&) {
  return {"class $Done(Exception):\n\tpass\nwith $contextlib:suppress($Done):", 1, "\traise $Done"};
}

/// A function that returns in the `try`, the handler and perhaps the `finally`; its result decides whether the
/// statements run.
Shape early_return(Choices& choices) {
  const bool finally = choices.chance(1, 2);
  const bool wins = finally && choices.chance(1, 2);
  const std::string last = !finally ? "" : wins ? "\tfinally:\n\t\treturn 3\n" : "\tfinally:\n\t\tpass\n";
  return {"def $f():\n\ttry:\n\t\t$fails\n\t\treturn 1\n\t$clause\n\t\treturn 2\n" + last +
          (wins ? "if $f() == 3:" : "if $f() == 2:")};
}

/// A number counts the parts that ran.
Shape counted(Choices& choices) {
  const std::string other = choices.chance(1, 2) ? "else:\n\t$k = 20\n" : "";
  return {"$k = 0\ntry:\n\t$k = $k + 1\n\t$fails\n\t$k = 10\n$clause\n\t$k += 2\n" + other +
          "finally:\n\t$k = $k * 2\nif $k == 6:"};
}

/// `break` and `continue` leave the handler.
Shape left_by_loop(Choices& choices) {
  const std::string leave = choices.chance(1, 2) ? "break" : "continue";
  const std::string last = choices.chance(1, 2) ? "\n\tfinally:\n\t\tpass" : "";
  return {"for $i in range(2):\n\ttry:\n\t\t$fails\n\t$clause\n\t\t" + leave + last, 0};
}

Shape nested(Choices& choices) {
  const std::string last = choices.chance(1, 2) ? "\tfinally:\n\t\tpass\n" : "";
  return {"try:\n\ttry:\n\t\t$fails\n\texcept UnicodeError:\n\t\traise\n" + last + "$clause"};
}

using Form = Shape (*)(Choices&);
constexpr Form kForms[] = {in_handler,   in_else,     in_finally,     before_finally, own_exception,
                           raised_again, raised_from, raised_through, suppressed,     own_suppressed,
                           early_return, counted,     left_by_loop,   nested};

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
    const Form form = kForms[choices.below(std::size(kForms))];
    Template text(rewrite);
    const std::string name = rewrite.name("e");
    const Failure failure = draw_failure(torch_name(parsed, *run.first), tensor, rewrite.name("t"), choices);
    text.set("e", name);
    text.set("error", failure.error);
    text.set("fails", failure.lines);
    text.set("clause", draw_clause(failure.error, choices.chance(1, 3) ? name : "", choices));
    text.set("caught", text.lines("try:\n\t$fails\n$clause\n\tpass"));
    text.set("parent", choices.chance(1, 2) ? "Exception" : "BaseException");
    const Shape shape = form(choices);
    const Lines open = text.lines(shape.open);
    wrap(rewrite, run, {open, shape.depth, text.lines(shape.close)});
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
