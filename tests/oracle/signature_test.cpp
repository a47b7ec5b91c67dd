#include "oracle/signature/signature.h"

#include <gtest/gtest.h>

#include "core/utf8.h"
#include "tests/oracle/shown.h"

namespace jp::oracle::test {
namespace {

Signature of_runs(const Recorded& eager, const Recorded& compiled, const std::string& backend = "inductor") {
  const Verdict verdict = verdict_on(eager, compiled);
  EXPECT_EQ(verdict.kind, Verdict::Kind::kDiverge);
  return signature_of(backend, verdict, {eager.outcome("eager"), compiled.outcome("compiled")});
}

TEST(Signature, ValuesDoNotMatterClassesDo) {
  const Signature small = of_runs(returning(floats({1})), returning(floats({2})));
  const Signature large = of_runs(returning(floats({5, 6, 7}, {3, 1})), returning(floats({5, 6, 900}, {3, 1})));
  EXPECT_EQ(small.id(), large.id());
  EXPECT_TRUE(diverges_alike(small, large));
  EXPECT_EQ(small.kind, "value");
  const Signature integers = of_runs(returning(longs({1})), returning(longs({2})));
  EXPECT_NE(small.id(), integers.id());
  EXPECT_FALSE(diverges_alike(small, integers));
  Recorded eager = returning(floats({1}));
  Recorded compiled = returning(floats({1}));
  eager.call().gradients = mapping({{"v0", eager.add(floats({1}))}});
  compiled.call().gradients = mapping({{"v0", compiled.add(floats({2}))}});
  EXPECT_FALSE(diverges_alike(small, of_runs(eager, compiled)));
}

TEST(Signature, BackendCountsItsFolderDoesNot) {
  const Recorded one = returning(floats({1}));
  const Recorded two = returning(floats({2}));
  EXPECT_NE(of_runs(one, two, "inductor").id(), of_runs(one, two, "eager").id());
  EXPECT_EQ(of_runs(one, two, "file:/home/a/faulty.py").id(), of_runs(one, two, "file:/tmp/b/faulty.py").id());
}

ExceptionRecord internal(const std::string& message, const std::string& function, std::int64_t line) {
  ExceptionRecord record = exception("torch._inductor.exc.InductorError", message);
  record.while_compiling = true;
  record.stage = "inductor";
  record.causes = {"builtins.AssertionError"};
  record.frames = {{"site-packages/torch/_inductor/ir.py", function, line}, {"program", "program", 4}};
  return record;
}

Signature of_exception(ExceptionRecord record) {
  Recorded compiled;
  compiled.call().exception = std::move(record);
  return of_runs(Recorded(), compiled);
}

TEST(Signature, ErrorsByStageFramesAndCleanMessage) {
  const Signature one = of_exception(internal("AssertionError: size of 'v0' is (3, 4) at 0x7f12", "make_loader", 10));
  const Signature same =
      of_exception(internal("AssertionError: size of 'other' is (8, 1) at 0x7fff", "make_loader", 99));
  EXPECT_EQ(one.id(), same.id());
  EXPECT_EQ(one.stage, "inductor");
  EXPECT_NE(one.id(), of_exception(internal("AssertionError: size of 'v0' is (3, 4) at 0x7f12", "realize", 10)).id());
  EXPECT_NE(one.id(), of_exception(internal("AssertionError: stride of 'v0'", "make_loader", 10)).id());
}

// What Dynamo raises if an operator can't be traced, whatever the reason.
ExceptionRecord wrapped(const std::string& type, const std::string& cause) {
  ExceptionRecord record = exception(type, "RuntimeError when making fake tensor call\n  Explanation: Dynamo failed");
  record.while_compiling = true;
  record.stage = "dynamo";
  record.causes = {"torch._dynamo.exc.Unsupported", cause, "builtins.KeyError"};
  record.frames = {{"site-packages/torch/_dynamo/exc.py", "unimplemented", 10}, {"program", "program", 4}};
  return record;
}

TEST(Signature, OfTheInnermostException) {
  const std::string dynamo = "torch._dynamo.exc.TorchRuntimeError";
  const Signature view =
      of_exception(wrapped(dynamo, "builtins.RuntimeError: shape '[1]' is invalid for input of size 6"));
  const Signature fake =
      of_exception(wrapped(dynamo, "builtins.AttributeError: 'FakeTensor' object has no attribute 'a'"));
  EXPECT_NE(view.id(), fake.id()) << "one text around two causes";
  EXPECT_EQ(view.id(), of_exception(wrapped("torch._inductor.exc.InductorError",
                                            "builtins.RuntimeError: shape '[7, 2]' is invalid for input of size 9"))
                           .id())
      << "one cause in two texts";
  EXPECT_EQ(view.frames,
            (std::vector<std::string>{"builtins.RuntimeError", "site-packages/torch/_dynamo/exc.py:unimplemented",
                                      "shape 'N' is invalid for input of size 0"}));
}

TEST(Signature, WhereTheCompilerRanTheProgramsOwnCode) {
  const std::string cause = "builtins.RuntimeError: shape '[3]' is invalid for input of size 7";
  ExceptionRecord traced = wrapped("torch._dynamo.exc.TorchRuntimeError", cause);
  traced.frames = {{"site-packages/torch/__init__.py", "_check_with", 1},
                   {"site-packages/torch/_prims_common/__init__.py", "infer_size", 1},
                   {"site-packages/torch/_dynamo/utils.py", "get_fake_value", 1}};
  ExceptionRecord fake = traced;
  fake.frames.insert(fake.frames.begin() + 2,
                     {{"program", "_", 9}, {"site-packages/torch/_library/custom_ops.py", "fake", 1}});
  EXPECT_NE(of_exception(traced).id(), of_exception(fake).id());
  EXPECT_EQ(of_exception(traced).frames[1], "site-packages/torch/_prims_common/__init__.py:infer_size");
}

TEST(Signature, WhatOnlyEagerRefusesTellsLittle) {
  Recorded eager;
  eager.call().exception = exception("builtins.IndexError", "Dimension out of range");
  const Signature signature = of_runs(eager, Recorded());
  EXPECT_EQ(signature.kind, "accepts");
  EXPECT_TRUE(is_of_values(signature));
  EXPECT_NE(located(signature, "transpose").id(), located(signature, "sum").id());
}

TEST(Signature, APlaceTellsFindingsApartAndNotFailures) {
  const Signature value = of_runs(returning(floats({1})), returning(floats({2})));
  const Signature pad = located(value, "// pad");
  EXPECT_EQ(place_of(pad), "// pad");
  EXPECT_NE(pad.id(), value.id());
  EXPECT_NE(pad.id(), located(value, "relu").id());
  EXPECT_TRUE(diverges_alike(pad, located(value, "relu"))) << "while a finding is confirmed and reduced";
  EXPECT_EQ(unrefined(pad), value);
  EXPECT_EQ(located(value, ""), value);
  EXPECT_EQ(place_of(value), "");
  const Signature error = of_exception(internal("AssertionError", "make_loader", 10));
  EXPECT_EQ(located(error, "relu"), error);
}

TEST(Signature, BeyondAKnownBugItIsAnotherFindingAndTheSameFailure) {
  Signature raises{.backend = "eager", .stage = "dynamo", .kind = "raises"};
  raises.frames = {"builtins.ValueError", "no such kernel"};
  const Signature other = beyond(raises, "pytorch-1");
  EXPECT_NE(other.id(), raises.id());
  EXPECT_NE(other.id(), beyond(raises, "pytorch-2").id());
  EXPECT_TRUE(diverges_alike(other, raises));
  EXPECT_EQ(unrefined(other).id(), raises.id());
}

TEST(Signature, HangsAreAlikeWhereverTheyAreInterrupted) {
  const Signature one =
      of_ending(TimedOut{30, {{"site-packages/sympy/core.py", "f", 1}, {"site-packages/torch/a.py", "g", 2}}});
  const Signature two = of_ending(TimedOut{30, {{"site-packages/torch/b.py", "h", 2}}});
  EXPECT_EQ(one.frames, (std::vector<std::string>{"site-packages/torch/a.py:g"}));
  EXPECT_NE(one.id(), two.id());
  EXPECT_TRUE(diverges_alike(one, two));
  EXPECT_FALSE(diverges_alike(one, of_ending(OutOfMemory{1})));
}

TEST(Signature, WhatAReducedProgramCallsTellsCausesApart) {
  const Recorded eager = returning(floats({1}));
  const Recorded compiled = returning(floats({2}));
  const Verdict verdict = verdict_on(eager, compiled);
  const std::vector<Outcome> outcomes = {eager.outcome("eager"), compiled.outcome("compiled")};
  const auto sign = [&](const std::string& source) {
    const Program program = Program::make(source, {}).value();
    return signature_of("inductor", verdict, outcomes, &program);
  };
  const Signature relu = sign("def program(v0):\n  return torch.relu(v0)\n");
  EXPECT_EQ(relu.id(), sign("def program(other):\n  x = torch.relu(other)\n  return x\n").id());
  EXPECT_NE(relu.id(), sign("def program(v0):\n  return v0.add_(1)\n").id());
  EXPECT_TRUE(diverges_alike(relu, sign("def program(v0):\n  return v0.add_(1)\n")));
}

TEST(CleanMessage, TakesOutWhatBelongsToOneProgram) {
  EXPECT_EQ(clean_message("expected [3, 4] but got v12 of torch.float32"), "expected [..] but got N of torch.float32");
  EXPECT_EQ(clean_message("a 'name' at 0x7fffabcd and 17 more"), "a 'N' at 0 and 0 more");
  EXPECT_EQ(clean_message("in /tmp/a/b/c.py: can't do"), "in c.py: can't do");
  EXPECT_EQ(clean_message("RuntimeError: no\n\nfrom user code:\n  File \"x.py\", line 3"), "RuntimeError: no");
  EXPECT_EQ(
      clean_message("CppCompileError: C++ compile error\n\nCommand:\ng++ /tmp/a.cpp -D X\n\nOutput:\n/tmp/a.cpp:2:1: "
                    "warning: so\n/tmp/a.cpp:3:1: error: no match for 'operator<<' in tmp3\n/tmp/a.cpp:4:1: error: no"),
      "error: no match for 'N' in N");
  EXPECT_EQ(clean_message(""), "");
  const std::string sizes = "expected size 0==0, stride 0==0 at dim=0";
  const std::string one = "expected size 2==3, stride 3==3 at dim=0";
  EXPECT_EQ(clean_message(one + "\nError in op: torch.ops.aten.foo"), sizes + " Error in op: torch.ops.aten.foo");
  EXPECT_EQ(clean_message(one + "; expected size 3==2, stride 1==1 at dim=1\nError in op: torch.ops.aten.foo\nThis "
                                "error most often comes from a incorrect fake kernel"),
            clean_message(one + "\nError in op: torch.ops.aten.foo"));
  EXPECT_EQ(clean_message("a; ab; ab"), "a; ab") << "what only begins alike stays";
  EXPECT_LE(clean_message(std::string(5000, 'a')).size(), 200U);
}

TEST(CleanMessage, EndsWithAWholeCharacter) {
  for (std::size_t before = 150; before < 165; ++before) {
    const std::string clean = clean_message(std::string(before, '!') + "………………");
    EXPECT_EQ(invalid_utf8_at(clean), std::string::npos) << before;
  }
}

TEST(CalledNames, WithoutWhatTheProgramDefines) {
  EXPECT_EQ(
      called_names("def helper(x):\n  return x.add_(1)\ndef f(x):\n  return helper(torch.ones(x)) if (x) else 0\n"),
      (std::vector<std::string>{"add_", "ones"}));
  const auto names = [](const std::string& source) { return traits_of(source, "make_inputs"); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("def helper(x):\n  return x.add_(1)\ndef program(x):\n  return helper(torch.relu(x)) or (x)\n"),
            (Names{"add_", "relu"}));
  EXPECT_EQ(names("def program(x):\n  try:\n    return x[0]\n  except IndexError:\n    return x\n"),
            (Names{"[", "except", "try"}));
  EXPECT_EQ(names("def program(x):\n  return x // 2 if x[0] == 1 else x  # - or +\n"), (Names{"//", "==", "[", "if"}))
      << "of what calls nothing the operators";
  EXPECT_EQ(names("def program(x):\n  def inner():\n    nonlocal x\n    x = 2\n  inner()\n  return x\n"),
            (Names{"def", "nonlocal"}));
}

TEST(Signature, LeavesOutHowArgumentsAreMade) {
  const std::string body = "def program(x):\n    return torch.exp(x)\n";
  for (const std::string made : {"torch.ones(2)", "torch.randn(2)", "some.thing(3)"})
    EXPECT_EQ(traits_of("import torch\n\n\ndef make_inputs():\n    return (\n        " + made + ",\n    )\n\n\n" + body,
                        "make_inputs"),
              std::vector<std::string>{"exp"});
  EXPECT_EQ(traits_of("def make_inputs():\n    return (torch.ones(2).conj().imag,)\n\n\n" + body, "make_inputs"),
            (std::vector<std::string>{"conj", "exp"}))
      << "but for conjugates";
  EXPECT_EQ(traits_of("def program():\n    return torch.exp(torch.zeros(1))\n", "make_inputs"),
            std::vector<std::string>{"exp"});
  EXPECT_EQ(traits_of("def program():\n    return torch.zeros(1)\n", "make_inputs"), std::vector<std::string>{"zeros"});
}

TEST(SignatureOfAFinding, OfAnEarlierVersionIsNamedAnew) {
  Difference difference{Mismatch::kDtype, 0, "output[0]", "uint8", "bool", {}, "uint8 bool"};
  Finding finding{.program = Program::make("def program(x):\n    return x\n", {}).value(),
                  .plan = {},
                  .outcomes = {},
                  .verdict = {.kind = Verdict::Kind::kDiverge, .differences = {difference}},
                  .signature = {.version = kSignatureVersion - 1, .backend = "inductor", .kind = "dtype"}};
  EXPECT_EQ(current_signature(finding), signature_of("inductor", finding.verdict, {}));
  finding.signature = {.version = kSignatureVersion, .backend = "inductor", .kind = "other"};
  EXPECT_EQ(current_signature(finding), finding.signature);
}

}  // namespace
}  // namespace jp::oracle::test
