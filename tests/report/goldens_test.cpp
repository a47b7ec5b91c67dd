// Five findings on recorded outcomes in every form of export, byte for byte: the self-contained reproducer, its short
// form if there is one, the unit test, the issue, the program and the JSON.
#include "tests/goldens.h"

#include <array>

#include "codec/codec.h"
#include "report/evidence.h"
#include "report/issue.h"
#include "report/plain.h"
#include "report/reproducer.h"
#include "report/unit_test.h"
#include "tests/report/forms.h"

namespace jp::report::test {
namespace {

const ReproducerOptions kOptions = {"0.1.0", "2.13.0", "3.11.2", ""};

Evidence evidence_of(const Finding& finding) {
  Evidence evidence;
  evidence.of = finding.program.sha256();
  evidence.torch = "2.13.0+cpu";
  evidence.python = "3.11.2";
  evidence.environment = "PyTorch version: 2.13.0+cpu\nOS: Debian GNU/Linux 12\n";
  evidence.ablation = {{"eager", "agree", "", "the same, bit for bit", false},
                       {finding.signature.backend, "diverge", finding.signature.kind, finding.verdict.reason, true}};
  evidence.plain = finding;
  return evidence;
}

Finding finding_of_state() {
  Finding finding = short_finding("import torch\n\ncounter = []\n\n\ndef program():\n    counter.append(1)\n", "eager",
                                  Mismatch::kStateAfter, "state['counter']");
  finding.signature.stage = "dynamo";
  return finding;
}

Finding finding_of_error() {
  Finding finding = short_finding(kShort, "aot_eager", Mismatch::kCompilerError, "call");
  finding.verdict.differences[0].reference = "no exception";
  finding.verdict.differences[0].observed = "AssertionError: incorrect out shape: (3, 3) vs (3,)";
  finding.verdict.reason =
      "call: eager has no exception, compiled has AssertionError: incorrect out shape: (3, 3) vs (3,)";
  finding.signature.stage = "aot_autograd";
  ExceptionRecord& raised = std::get<Finished>(finding.outcomes[1].ending).observation.calls[0].exception.emplace();
  raised.type = "builtins.AssertionError";
  raised.bases = {"builtins.Exception", "builtins.BaseException", "builtins.object"};
  raised.message = "incorrect out shape: (3, 3) vs (3,)";
  raised.while_compiling = true;
  return finding;
}

Finding finding_of_death() {
  Finding finding = short_finding(kShort, "inductor", Mismatch::kDeath, "process");
  finding.outcomes[1].ending = Died{"signal", 11, 0, "Segmentation fault", {"at::native::relu+16"}};
  finding.signature.stage = "inductor";
  finding.signature.frames = {"SIGSEGV", "at::native::relu"};
  return finding;
}

TEST(Goldens, FiveFindingsInEveryForm) {
  struct Case {
    std::string name;
    Finding finding;
  };
  const std::array<Case, 5> cases = {
      {{"value", short_finding(kShort, "inductor", Mismatch::kValue, "output")},
       {"gradient", short_finding(kShort, "aot_eager", Mismatch::kGradient, "gradients[inputs[0]]")},
       {"state", finding_of_state()},
       {"error", finding_of_error()},
       {"death", finding_of_death()}}};
  for (const Case& one : cases) {
    const std::string folder = "findings/" + one.name + "/";
    const std::string repro = reproducer(one.finding, kOptions);
    const auto plain = plain_reproducer(one.finding, kOptions);
    const UnitTest unit = one.name == "death" ? unit_test_of_process(one.finding, false, kOptions)
                                              : unit_test(one.finding, false, kOptions);
    jp::test::expect_golden(folder + "repro.py", repro);
    jp::test::expect_golden(folder + "plain.py", plain.value_or("# no short form\n"));
    jp::test::expect_golden(folder + "unittest.py", "# for " + unit.home + "\n" + unit.text);
    jp::test::expect_golden(folder + "issue.md",
                            issue_text(one.finding, evidence_of(one.finding), plain.value_or(repro), {}, kOptions));
    jp::test::expect_golden(folder + "program.py", one.finding.program.source());
    codec::Json json = codec::to_json(one.finding);
    json["evidence"] = to_json(evidence_of(one.finding));
    jp::test::expect_golden(folder + "finding.json", codec::text(json, 1) + "\n");
  }
}

}  // namespace
}  // namespace jp::report::test
