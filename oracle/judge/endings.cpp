#include "oracle/judge/endings.h"

#include <fmt/format.h>

#include <array>
#include <csignal>

#include "oracle/judge/exceptions.h"
#include "oracle/judge/rules.h"
#include "oracle/judge/text.h"
#include "oracle/judge/verdicts.h"

namespace jp::oracle {
namespace {

// strsignal's text depends on the locale and the C library.
std::string signal_name(int signal) {
  struct Row {
    int number;
    const char* name;
  };
  constexpr std::array<Row, 9> kRows = {{{SIGSEGV, "SIGSEGV"},
                                         {SIGABRT, "SIGABRT"},
                                         {SIGFPE, "SIGFPE"},
                                         {SIGILL, "SIGILL"},
                                         {SIGBUS, "SIGBUS"},
                                         {SIGKILL, "SIGKILL"},
                                         {SIGTERM, "SIGTERM"},
                                         {SIGTRAP, "SIGTRAP"},
                                         {SIGSYS, "SIGSYS"}}};
  for (const Row& row : kRows)
    if (row.number == signal) return row.name;
  return "unnamed";
}

std::string describe_death(const Died& died) {
  if (died.how == "signal") return fmt::format("died of signal {} ({})", died.signal, signal_name(died.signal));
  if (died.how == "exit") return fmt::format("left with exit code {}", died.exit_code);
  if (died.how == "disk") return "was ended because it filled its folder on disk";
  return "gave no readable answer";
}

Verdict diverge(Mismatch mismatch, RuleName rule, const std::string& what, std::string where, const Ending& ending,
                const Sides& sides) {
  Verdict verdict;
  verdict.kind = Verdict::Kind::kDiverge;
  verdict.rule = rule.str();
  const std::string text = describe_ending(ending);
  verdict.reason = fmt::format("eager finished; the {} run {}", sides.observed, text);
  verdict.differences = {{mismatch, 0, std::move(where), "finished", text, {}, what}};
  // That the program itself comes to its end is what its plain run showed.
  verdict.reference = sides.eager;
  verdict.under_test = sides.observed;
  return verdict;
}

Verdict judge_raised(const Raised& raised, const Ending& ending, const Sides& sides) {
  const std::string& stage = raised.stage;
  if (stage == "backend")
    return verdict_of(Verdict::Kind::kRejected, "backend",
                      fmt::format("the backend could not be used: {}", raised.reason));
  if (stage == "file" || stage == "inputs")
    return verdict_of(
        Verdict::Kind::kUnstable, "not_repeatable",
        fmt::format("the program's own part \"{}\" ran in eager and then failed: {}", stage, raised.reason));
  if (raised.exception.expected_refusal)
    return verdict_of(
        Verdict::Kind::kAgree, "expected_refusal",
        fmt::format("the backend refuses this, as it declares: {}", describe_exception(raised.exception)));
  if (stage == "compile") return diverge(Mismatch::kCompilerError, "compiler_error", "exception", stage, ending, sides);
  return diverge(Mismatch::kRaises, "raises", "exception", stage, ending, sides);
}

}  // namespace

std::string describe_ending(const Ending& ending) {
  if (const auto* raised = std::get_if<Raised>(&ending))
    return fmt::format(
        "raised in {}: {}", raised->stage,
        raised->exception.type.empty() ? shorten(raised->reason) : describe_exception(raised->exception));
  if (const auto* died = std::get_if<Died>(&ending)) return describe_death(*died);
  if (const auto* late = std::get_if<TimedOut>(&ending))
    return fmt::format("gave no answer within {:g} s", late->seconds);
  if (const auto* memory = std::get_if<OutOfMemory>(&ending))
    return fmt::format("grew beyond its memory limit ({} bytes)", memory->bytes);
  if (const auto* broken = std::get_if<Broken>(&ending)) return fmt::format("could not be made: {}", broken->what);
  return "finished";
}

std::optional<Verdict> judge_broken_ending(const Outcome& outcome) {
  const auto* broken = std::get_if<Broken>(&outcome.ending);
  if (!broken) return std::nullopt;
  return verdict_of(Verdict::Kind::kRejected, "broken",
                    fmt::format("jitprobe's own worker can't make the run \"{}\": {}", outcome.role, broken->what));
}

std::optional<Verdict> judge_eager_ending(const Outcome& eager) {
  if (std::holds_alternative<Finished>(eager.ending)) return std::nullopt;
  if (auto broken = judge_broken_ending(eager)) return broken;
  std::string reason = fmt::format("eager can't run the program: it {}", describe_ending(eager.ending));
  if (const auto* raised = std::get_if<Raised>(&eager.ending); raised && !raised->reason.empty())
    reason = fmt::format("eager can't run the program ({}): {}", raised->stage, raised->reason);
  return verdict_of(Verdict::Kind::kRejected, "eager_fails", std::move(reason));
}

std::optional<Verdict> judge_compiled_ending(const Outcome& compiled, const Sides& sides) {
  const Ending& ending = compiled.ending;
  if (auto broken = judge_broken_ending(compiled)) return broken;
  if (const auto* raised = std::get_if<Raised>(&ending)) return judge_raised(*raised, ending, sides);
  if (const auto* died = std::get_if<Died>(&ending))
    return diverge(Mismatch::kDeath, "death", died->how == "signal" ? signal_name(died->signal) : died->how, "process",
                   ending, sides);
  if (std::holds_alternative<TimedOut>(ending))
    return diverge(Mismatch::kHang, "hang", "hang", "process", ending, sides);
  if (std::holds_alternative<OutOfMemory>(ending))
    return diverge(Mismatch::kMemory, "memory", "memory", "process", ending, sides);
  return std::nullopt;
}

}  // namespace jp::oracle
