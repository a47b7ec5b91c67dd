#include "campaign/evidence/cause.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "campaign/common/confirm.h"
#include "campaign/common/python_query.h"
#include "campaign/evidence/backward.h"
#include "campaign/evidence/intermediates.h"
#include "campaign/evidence/statement_form.h"
#include "mutate/syntax/syntax.h"
#include "oracle/judge/compared_runs.h"
#include "oracle/signature/signature.h"
#include "report/short_form.h"

namespace jp::campaign {
namespace {

constexpr double kBisectSeconds = 300;
// Most statements of a program that counts as small (chosen, not measured).
constexpr std::size_t kSmall = 8;

JudgedProgram ask(pyrunner::Runner& runner, const Finding& finding, const Program& program, Thorough thorough) {
  const oracle::Oracle& oracle = need_oracle(finding.plan.oracle);
  oracle::PlanOptions options = plan_options_of(finding.plan);
  if (thorough == Thorough::kFully) return judge_alone(runner, oracle, program, options);
  options.brief = true;
  return judge(runner, oracle, program, options, pyrunner::Isolation::kFresh);
}

// The statement of the program in which eager raised, if only eager does.
std::optional<report::Intermediate> refused_statement(const mutate::Parsed& parsed, const Finding& finding) {
  const Difference& lead = finding.verdict.differences.front();
  std::int64_t line = 0;
  const Finished* eager = oracle::plain_outcome(finding.plan, finding.outcomes);
  if (eager && lead.call >= 0 && static_cast<std::size_t>(lead.call) < eager->observation.calls.size())
    line = eager->observation.calls[static_cast<std::size_t>(lead.call)].exception_line;
  const mutate::Statement* found = nullptr;
  for (const mutate::Statement& statement : parsed.statements())
    if (static_cast<std::int64_t>(parsed.tree().row(statement.begin)) + 1 <= line) found = &statement;
  if (line == 0 || !found) return std::nullopt;
  const std::string text = parsed.source().substr(found->begin, found->end - found->begin);
  return report::Intermediate{.name = "",
                              .statement = text.substr(0, text.find('\n')),
                              .line = static_cast<int>(line),
                              .reference = lead.reference,
                              .observed = lead.observed,
                              .form = form_of(parsed, found->node),
                              .words = words_of(parsed, found->node)};
}

}  // namespace

std::optional<report::Intermediate> first_wrong_value(pyrunner::Runner& runner, const Finding& finding,
                                                      Thorough thorough) {
  if (finding.verdict.differences.empty() || !oracle::is_of_values(finding.signature)) return std::nullopt;
  Result<mutate::Parsed> parsed = mutate::parse(finding.program);
  if (!parsed.ok()) return std::nullopt;
  const Difference& lead = finding.verdict.differences.front();
  if (lead.mismatch == Mismatch::kAccepts) return refused_statement(parsed.value(), finding);
  if (lead.where.starts_with("gradients"))
    return first_wrong_gradient(parsed.value(), [&](const Program& program) {
      return ask(runner, finding, program, thorough).verdict.differences;
    });
  return first_wrong(parsed.value(), [&](const Program& program) {
    const JudgedProgram judged = ask(runner, finding, program, thorough);
    return shown_of(judged.plan, judged.verdict, judged.outcomes);
  });
}

std::string bisection(pyrunner::Runner& runner, const Finding& finding) {
  const std::optional<report::ShortForm> form = report::short_form(finding);
  if (!form || finding.signature.backend != "inductor" || form->about == report::ShortForm::About::kAccepts) return "";
  std::string source = "import torch\nfrom torch._inductor.compiler_bisector import CompilerBisector\n" + form->imports;
  source += "\n\n" + form->body + "\n\n" + report::run_definition(*form, 0);
  source += fmt::format(R"(

def works():
    torch._dynamo.reset()
    try:
        compiled = run({})
        torch.testing.assert_close(compiled, run({}), equal_nan=True)
        return True
    except Exception:
        return False


def bisected():
    result = CompilerBisector.do_bisect(works)
    if result is None:
        return ""
    parts = [("backend", result.backend), ("subsystem", result.subsystem), ("number", result.bisect_number)]
    text = "".join(f"{{name}}: {{part}}\n" for name, part in parts if part is not None)
    return text + (f"{{result.debug_info}}\n" if result.debug_info else "")


FOUND = []


def look(*arguments):
    if not FOUND:
        FOUND.append(bisected())
    return FOUND[0]
)",
                        report::compile_call(*form, form->entry), form->entry);
  Result<Program> program = Program::make(source, {}, "", "look");
  return program.ok() ? answer_of(runner, program.value(), kBisectSeconds) : "";
}

std::string reduced_program(const Program& program) {
  Result<mutate::Parsed> parsed = mutate::parse(program);
  if (!parsed.ok()) return "";
  const std::vector<const mutate::Statement*> code = code_of(parsed.value());
  std::set<std::string> forms;
  for (const mutate::Statement* statement : code)
    if (std::string form = form_of(parsed.value(), statement->node); !form.empty()) forms.insert(std::move(form));
  return code.size() > kSmall ? "" : fmt::format("all {}", fmt::join(forms, " "));
}

}  // namespace jp::campaign
