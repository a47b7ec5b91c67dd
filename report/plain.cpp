#include "report/plain.h"

#include <fmt/format.h>

#include "report/reproducer_parts.h"
#include "report/short_form.h"

namespace jp::report {
namespace {

std::string head(const Finding& finding, const ReproducerOptions& options, const ShortForm& form) {
  std::string text = fmt::format("# {}: {}.\n", component(finding.signature), symptom(finding));
  text += "# Exit status: 1 the difference is there, 0 it is not, 2 that can't be judged.\n";
  text += origin_comment(finding, options) + "import os\nimport sys\n";
  if (form.about == ShortForm::About::kRaises) text += "import traceback\n";
  text += R"(
if __name__ == "__main__":  # what fails before the check can't be judged: exit 2
    sys.excepthook = lambda *error: (sys.__excepthook__(*error), sys.stderr.flush(), os._exit(2))

)";
  text += form.imports + "import torch\n";
  if (form.random) text += fmt::format("import torch._inductor.config\n\n{}\n", parts::kSameDraws);
  if (form.numpy_random) text += fmt::format("{}\n", parts::kSameNumpyDraws);
  return text + "\n\n" + form.body;
}

// Compares both sides after checking that eager agrees with itself; an error on the way means that it can't be judged.
std::string compared(const ShortForm& form) {
  return fmt::format(R"(    try:
        eager = run({0})
        torch.testing.assert_close(run({0}), eager, rtol=0, atol=0, equal_nan=True)
        compiled = run({1})
    except BaseException as error:
        print(f"this can't be judged: {{type(error).__name__}}: {{error}}")
        sys.exit(2)
    print("eager:   ", eager)
    print("compiled:", compiled)
    torch.testing.assert_close(compiled, eager, equal_nan=True)
)",
                     form.entry, compile_call(form, form.entry));
}

std::string raising(const ShortForm& form) {
  return fmt::format(R"(    try:
        eager = run({0})
    except BaseException as error:
        print(f"this can't be judged: {{type(error).__name__}}: {{error}}")
        sys.exit(2)
    print("eager:   ", eager)
    failure = None
    try:
        print("compiled:", run({1}))
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        failure = error
        traceback.print_exc(file=sys.stdout)
    assert failure is None, "only the compiled function raises"
)",
                     form.entry, compile_call(form, form.entry));
}

std::string accepting(const ShortForm& form) {
  return fmt::format(R"(
    def attempt(function):
        try:
            return run(function)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            return error

    eager = attempt({0})
    compiled = attempt({1})
    print("eager:   ", repr(eager))
    print("compiled:", repr(compiled))
    if not isinstance(eager, BaseException):
        sys.exit(2)
    assert isinstance(compiled, BaseException), "only eager raises"
)",
                     form.entry, compile_call(form, form.entry));
}

}  // namespace

std::optional<std::string> plain_reproducer(const Finding& finding, const ReproducerOptions& options) {
  const std::optional<ShortForm> form = short_form(finding);
  if (!form) return std::nullopt;
  std::string text = head(finding, options, *form) + "\n\n" + run_definition(*form, 0);
  text += "\n\nif __name__ == \"__main__\":\n    sys.excepthook = sys.__excepthook__\n";
  text += "    print(f\"torch {torch.__version__}, Python {sys.version.split()[0]}\")\n";
  if (form->about == ShortForm::About::kRaises) return text + raising(*form);
  if (form->about == ShortForm::About::kAccepts) return text + accepting(*form);
  return text + compared(*form);
}

}  // namespace jp::report
