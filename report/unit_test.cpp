// Findings of the short form become a plain test. For the others the test runs the general reproducer in a process of
// its own: what they show (a death, state of a module, printed text) needs one.
#include "report/unit_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/among.h"
#include "oracle/judge/compared_runs.h"
#include "report/short_form.h"

namespace jp::report {
namespace {

// The base class and the helpers of the file where the test would land.
struct Style {
  std::string imports;
  std::string base;
  std::string run_tests;
  std::string suite;
};

Style style_of(const std::string& home) {
  if (home.starts_with("test/dynamo/"))
    return {"import torch\nimport torch._dynamo.test_case\n", "torch._dynamo.test_case.TestCase",
            "from torch._dynamo.test_case import run_tests", "ReproTests"};
  if (home.starts_with("test/inductor/"))
    return {"import torch\nfrom torch._inductor.test_case import TestCase\n", "TestCase",
            "from torch._inductor.test_case import run_tests", "CpuTests"};
  return {"import torch\nfrom torch.testing._internal.common_utils import TestCase\n", "TestCase",
          "from torch.testing._internal.common_utils import run_tests", "TestAOTAutograd"};
}

// "test_squeeze_zero_wrong_value".
std::string name_of(const Finding& finding) {
  std::string name = "test_";
  for (char c : symptom(finding)) {
    const bool word = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (word || c == '_')
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (name.back() != '_')
      name += '_';
  }
  if (name.size() > 60) name.resize(60);
  while (name.back() == '_') name.pop_back();
  return name;
}

// The helper of test_torchinductor.py, cut down to what runs alone; in that file it is inherited.
constexpr const char* kCommon = R"(    def common(self, model, example_inputs):
        def copied(x):
            return x.detach().clone().requires_grad_(x.requires_grad)

        torch._dynamo.reset()
        reference = [copied(x) if torch.is_tensor(x) else x for x in example_inputs]
        expected = model(*reference)
        actual = torch.compile(model{})(*example_inputs)
        self.assertEqual(actual, expected)
        self.assertEqual(example_inputs, reference)

)";

class Writer {
 public:
  Writer(const Finding& finding, const ReproducerOptions& options, std::string home, bool expected_failure)
      : finding_(finding),
        options_(options),
        home_(std::move(home)),
        style_(style_of(home_)),
        expected_failure_(expected_failure) {}

  std::string text() const {
    const std::optional<ShortForm> form = short_form(finding_);
    return form ? plain(*form) : in_process();
  }

  std::string in_process() const {
    ReproducerOptions options = options_;
    std::string program = reproducer(finding_, options);
    // The head of this file says where it comes from.
    if (const std::size_t from = program.find("# Found by "); from != std::string::npos)
      program.erase(from, program.find('\n', from) + 1 - from);
    std::string text = head() + imports("import os\nimport subprocess\nimport sys\nimport tempfile\n", "");
    text += "\nPROGRAM = " + python_literal(program) + "\n";
    text += fmt::format("\n\nclass {}({}):\n", style_.suite, style_.base) + method();
    return text + R"(        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "program.py")
            with open(path, "w") as file:
                file.write(PROGRAM)
            ended = subprocess.run([sys.executable, path], capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stdout + ended.stderr)
)" + foot();
  }

 private:
  std::string imports(const std::string& more, const std::string& of_program) const {
    std::string standard = more;
    if (expected_failure_ || on_gpu()) standard += "import unittest\n";
    return standard + (standard.empty() ? "" : "\n") + style_.imports + of_program;
  }

  std::string head() const {
    return fmt::format("# {}: {}.\n# For {}.\n{}", component(finding_.signature), symptom(finding_), home_,
                       origin_comment(finding_, options_));
  }

  std::string foot() const {
    return fmt::format("\n\nif __name__ == \"__main__\":\n    {}\n\n    run_tests()\n", style_.run_tests);
  }

  std::string method() const {
    const char* skipped = on_gpu() ? "    @unittest.skipUnless(torch.cuda.is_available(), \"needs a GPU\")\n" : "";
    return fmt::format("{}{}    def {}(self):\n", skipped, expected_failure_ ? "    @unittest.expectedFailure\n" : "",
                       name_of(finding_));
  }

  bool on_gpu() const {
    const RunRequest* run = oracle::run_under_test(finding_.plan, finding_.verdict);
    return run && run->device == "cuda";
  }

  // The style of test_torchinductor: the function and its arguments. It doesn't seed.
  bool is_common(const ShortForm& form) const {
    return home_.starts_with("test/inductor/") && !form.several_calls && !form.inputs.empty() && !form.backward &&
           !form.random && form.backend == "inductor" && form.about != ShortForm::About::kAccepts;
  }

  std::string plain(const ShortForm& form) const {
    const char* config = form.random ? "import torch._inductor.config\n" : "";
    std::string text = head() + imports("", config + form.imports) + "\n\n" + form.body;
    if (is_common(form)) {
      text += fmt::format("\n\nclass {}({}):\n", style_.suite, style_.base);
      text += fmt::format(kCommon, form.options) + method();
      return text + fmt::format("        self.common({}, {}())\n", form.entry, form.inputs) + foot();
    }
    text += "\n\n" + run_definition(form, 0);
    text += fmt::format("\n\nclass {}({}):\n", style_.suite, style_.base);
    // The compiler draws eager's random numbers.
    if (form.random) text += "    @torch._inductor.config.patch(fallback_random=True)\n";
    if (form.numpy_random) text += "    @torch._dynamo.config.patch(use_numpy_random_stream=True)\n";
    text += method() + indented(body(form), 8);
    return text + foot();
  }

  static std::string body(const ShortForm& form) {
    std::string text = "torch._dynamo.reset()\n";
    text += fmt::format("compiled = {}\n", compile_call(form, form.entry));
    if (form.about == ShortForm::About::kAccepts)
      return text + fmt::format("with self.assertRaises(Exception):\n    run({})\n", form.entry) +
             "with self.assertRaises(Exception):\n    run(compiled)\n";
    return text + fmt::format("self.assertEqual(run(compiled), run({}))\n", form.entry);
  }

  const Finding& finding_;
  const ReproducerOptions& options_;
  std::string home_;
  Style style_;
  bool expected_failure_;
};

bool by_compiler(const Signature& signature) {
  return std::any_of(signature.frames.begin(), signature.frames.end(), [](const std::string& frame) {
    return contains(frame, "CppCompileError") || contains(frame, "CppCodeCache") || contains(frame, "cpp_builder");
  });
}

}  // namespace

std::string test_home(const Finding& finding) {
  const std::string at_fault = component(finding.signature);
  const std::string& source = finding.program.source();
  const std::string& kind = finding.signature.kind;
  if (at_fault == "inductor")
    return kind == "death" || by_compiler(finding.signature) ? "test/inductor/test_cpu_repro.py"
                                                             : "test/inductor/test_torchinductor.py";
  if (at_fault == "aot_autograd" || at_fault == "decompositions") return "test/functorch/test_aotdispatch.py";
  if (contains(source, "yield")) return "test/dynamo/test_generator.py";
  if (contains(source, "except") || contains(source, "raise ") || kind == "handler" || kind == "accepts")
    return "test/dynamo/test_exceptions.py";
  const bool several = contains(source, "return [");
  return several || kind != "value" ? "test/dynamo/test_repros.py" : "test/dynamo/test_functions.py";
}

UnitTest unit_test(const Finding& finding, bool expected_failure, const ReproducerOptions& options) {
  const std::string home = test_home(finding);
  return {home, Writer(finding, options, home, expected_failure).text()};
}

UnitTest unit_test_of_process(const Finding& finding, bool expected_failure, const ReproducerOptions& options) {
  const std::string home = test_home(finding);
  return {home, Writer(finding, options, home, expected_failure).in_process()};
}

}  // namespace jp::report
