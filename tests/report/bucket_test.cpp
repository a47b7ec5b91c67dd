// Findings that are one bug, on recorded outcomes.
#include "report/bucket.h"

#include <gtest/gtest.h>

#include "mutate/syntax/syntax.h"
#include "oracle/reduce/canonical.h"
#include "tests/report/forms.h"

namespace jp::report::test {
namespace {

std::string form(const std::string& source) {
  return reduce::canonical_form(mutate::parse(program_of(source)).value());
}

const std::string kOne =
    "import torch\n\n\ndef make_inputs():\n    return (torch.tensor([1.0, 2.0]),)\n\n\n"
    "def program(x):\n    y = x.expand_as(x)\n    y.add_(1)\n    return y\n";

TEST(CanonicalForm, RenamingAndValuesAreDetails) {
  EXPECT_EQ(form(kOne),
            form("import torch  # as ever\n\ndef make_inputs():\n  return (\n    torch.tensor([-7.5]),\n  )\n"
                 "def program(v0):\n\n    v8 = v0.expand_as(v0)\n    v8.add_(2)  # two\n    return (v8)\n"));
}

TEST(CanonicalForm, OperatorsOrderAndTypesAreNot) {
  const auto changed = [](const std::string& from, const std::string& to) {
    std::string source = kOne;
    source.replace(source.find(from), from.size(), to);
    return form(source);
  };
  const std::string own = form(kOne);
  EXPECT_NE(own, changed("add_", "mul_"));
  EXPECT_NE(own, changed("add_(1)", "add_(1.0)"));
  EXPECT_NE(own, changed("add_(1)", "add_(x)"));
  EXPECT_NE(own, changed("return y", "return x"));
  EXPECT_NE(own, changed("return y", "return y, y"));
  EXPECT_NE(own, changed("[1.0, 2.0]", "[1, 2]"));
  EXPECT_NE(own, changed("[1.0, 2.0]", "[[1.0, 2.0]]")) << "the rank";
  EXPECT_NE(own, changed("y.add_(1)", "if x is y:\n        y.add_(1)"));
}

TEST(CanonicalForm, NamesFromOutsideStay) {
  EXPECT_NE(form("import torch\nx = torch.ones\n"), form("import numpy\nx = numpy.ones\n"));
  EXPECT_NE(form("x = len\n"), form("x = abs\n"));
  EXPECT_EQ(form("x = 'a'\n"), form("y = \"a\"\n"));
  EXPECT_NE(form("x = 'a'\n"), form("x = 'b'\n"));
  EXPECT_NE(form("f(a=1)\n"), form("f(b=1)\n"));
}

Trace trace(const std::string& id, const std::string& kind, std::string text) {
  Signature signature{.backend = "eager", .stage = "", .kind = kind};
  return {.id = id, .signature = signature, .form = std::move(text)};
}

TEST(Buckets, ByFormBySignatureAndOnFromThere) {
  const std::vector<Trace> traces = {trace("a", "value", "A"),    trace("b", "hang", "B"), trace("c", "gradient", "A"),
                                     trace("d", "gradient", "C"), trace("e", "death", ""), trace("f", "memory", "")};
  EXPECT_EQ(buckets(traces), (std::vector<std::size_t>{0, 1, 0, 0, 4, 5}));
  EXPECT_TRUE(buckets({}).empty());
}

// One small program under several compilers, or with several options, may crash in many ways.
TEST(Buckets, AFormTellsNothingOfDifferentEndings) {
  const std::vector<Trace> traces = {trace("a", "death", "A"), trace("b", "value", "A"), trace("c", "hang", "A"),
                                     trace("d", "gradient", "A"), trace("e", "death", "A")};
  EXPECT_EQ(buckets(traces), (std::vector<std::size_t>{0, 1, 2, 1, 0}));
}

TEST(Buckets, WhatAReductionMetIsTheSameBugIfItCallsTheSame) {
  std::vector<Trace> traces = {trace("a", "value", "A"), trace("b", "raises", "B"), trace("c", "hang", "C"),
                               trace("d", "death", "D")};
  traces[0].traits = {"abs_", "shuffle"};
  traces[1].traits = {"abs_", "shuffle", "sum"};
  traces[2].traits = {"shuffle", "sum"};
  for (int i : {1, 2}) traces[static_cast<std::size_t>(i)].met_in = "a";
  traces[3].met_in = "a";
  EXPECT_EQ(buckets(traces), (std::vector<std::size_t>{0, 0, 2, 3}));
  traces[1].signature.backend = "inductor";
  EXPECT_EQ(buckets(traces), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Buckets, ReducedSignatureTellsWhatIsCalled) {
  const Finding finding = short_finding(kShort, "aot_eager", Mismatch::kValue, "output");
  Evidence evidence;
  evidence.plain = finding;
  const auto calls = [](const Trace& one) {
    return std::any_of(one.signature.frames.begin(), one.signature.frames.end(),
                       [](const std::string& frame) { return frame.find("relu") != std::string::npos; });
  };
  EXPECT_TRUE(calls(trace_of(finding, evidence, "form")));
  EXPECT_FALSE(calls(trace_of(finding, evidence, "")));
  EXPECT_FALSE(calls(trace_of(finding, std::nullopt, "form")));
}

}  // namespace
}  // namespace jp::report::test
