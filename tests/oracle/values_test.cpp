// Structure, Python values, tensors' form and flags, text: each rule with the nearest real bug.
#include <gtest/gtest.h>

#include "oracle/judge/numpy_text.h"
#include "oracle/judge/text.h"
#include "tests/oracle/build.h"

namespace jp::oracle::test {
namespace {

using Kind = Value::Kind;

void expect_difference(const Verdict& verdict, Mismatch mismatch, const std::string& where) {
  ASSERT_EQ(verdict.kind, Verdict::Kind::kDiverge) << verdict.rule << ": " << verdict.reason;
  EXPECT_EQ(mismatch_name(verdict.differences.front().mismatch), mismatch_name(mismatch));
  EXPECT_EQ(verdict.differences.front().where, where);
  EXPECT_NE(verdict.reason.find(where), std::string::npos) << verdict.reason;
}

void expect_weak(const Verdict& verdict, Mismatch mismatch) {
  EXPECT_EQ(verdict.kind, Verdict::Kind::kAgree) << verdict.reason;
  ASSERT_EQ(verdict.weak.size(), 1U);
  EXPECT_EQ(mismatch_name(verdict.weak[0].mismatch), mismatch_name(mismatch));
}

Verdict of(const Value& eager, const Value& compiled) { return verdict_on(returning(eager), returning(compiled)); }
Verdict of(const Value& eager, const Value& compiled, const Value& float64) {
  const Recorded third = returning(float64);
  return verdict_on(returning(eager), returning(compiled), &third);
}
Verdict of(const TensorRecord& eager, const TensorRecord& compiled) {
  return verdict_on(returning(eager), returning(compiled));
}

TEST(Structure, TypesLengthsKeys) {
  expect_difference(of(sequence("tuple", {integer(1)}), sequence("list", {integer(1)})), Mismatch::kStructure,
                    "output");
  expect_difference(of(sequence("list", {integer(1)}), sequence("list", {})), Mismatch::kStructure, "output");
  expect_difference(of(mapping({{"'a'", integer(1)}}), mapping({{"'b'", integer(1)}})), Mismatch::kStructure, "output");
  expect_difference(
      of(mapping({{"'a'", integer(1)}, {"'b'", integer(2)}}), mapping({{"'b'", integer(2)}, {"'a'", integer(1)}})),
      Mismatch::kStructure, "output");
  expect_difference(of(Value{}, integer(0)), Mismatch::kStructure, "output");
}

TEST(Structure, NestedPlacesAreNamed) {
  const auto nest = [](long long x) {
    return sequence("tuple",
                    {integer(0), mapping({{"'k'", labelled(Kind::kObject, "program.Point", {{"x", integer(x)}})}})});
  };
  expect_difference(of(nest(1), nest(2)), Mismatch::kValue, "output[1]['k'].x");
  EXPECT_EQ(of(nest(1), nest(1)).rule, "bitwise");
}

TEST(Structure, ReferencesKeepCycles) {
  const auto cycle = [](std::int64_t to) {
    Value reference = leaf(Kind::kReference, "list", "");
    reference.index = to;
    return sequence("list", {sequence("list", {reference})});
  };
  EXPECT_EQ(of(cycle(0), cycle(0)).rule, "bitwise");
  expect_difference(of(cycle(0), cycle(1)), Mismatch::kStructure, "output[0][0]");
}

TEST(Structure, IteratorsByItemsAndExhaustion) {
  const auto iterator = [](std::int64_t more) {
    Value value = leaf(Kind::kIterator, "generator", "");
    value.items = {integer(1)};
    value.index = more;
    return value;
  };
  EXPECT_EQ(of(iterator(0), iterator(0)).rule, "bitwise");
  expect_difference(of(iterator(0), iterator(1)), Mismatch::kStructure, "output");
}

TEST(Structure, AFormThatHangsOnPrecisionIsUnstable) {
  const Value one = sequence("list", {integer(1)});
  const Value two = sequence("list", {integer(1), integer(1)});
  const Value three = sequence("list", {integer(1), integer(1), integer(1)});
  EXPECT_EQ(of(one, two, three).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of(one, two, one).kind, Verdict::Kind::kDiverge);
}

TEST(Structure, NumpyScalarsMayBecomeTensors) {
  const Value scalar = leaf(Kind::kFloat, "numpy.float64", "0x1p+0");
  Recorded compiled = returning(doubles({1.0}, {}));
  EXPECT_EQ(verdict_on(returning(scalar), compiled).kind, Verdict::Kind::kAgree);
  expect_difference(verdict_on(returning(number(1)), compiled), Mismatch::kStructure, "output");
}

TEST(Values, IntegersBoolsBytesExactly) {
  expect_difference(of(integer(3), integer(4), integer(3)), Mismatch::kValue, "output");
  expect_difference(of(boolean(true), boolean(false), boolean(true)), Mismatch::kValue, "output");
  expect_difference(of(leaf(Kind::kBytes, "bytes", "00"), leaf(Kind::kBytes, "bytes", "01")), Mismatch::kValue,
                    "output");
  expect_difference(of(opaque("torch.dtype", "torch.float32"), opaque("torch.dtype", "torch.float16"),
                       opaque("torch.dtype", "torch.float64")),
                    Mismatch::kValue, "output");
}

TEST(Values, AnIntegerThatHangsOnPrecisionIsUnstable) {
  EXPECT_EQ(of(integer(3), integer(4), integer(5)).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(of(boolean(true), boolean(false), boolean(false)).kind, Verdict::Kind::kUnstable);
}

TEST(Tensors, IntegerElementsExactly) {
  const Recorded eager = returning(longs({1, 2, 3}));
  const Recorded compiled = returning(longs({1, 2, 4}));
  const Verdict verdict = verdict_on(eager, compiled, &eager);
  expect_difference(verdict, Mismatch::kValue, "output");
  EXPECT_EQ(verdict.rule, "exact");
  EXPECT_EQ(verdict.differences[0].what, "integer");
  const Recorded moved = returning(longs({1, 2, 7}));
  EXPECT_EQ(verdict_on(eager, compiled, &moved).kind, Verdict::Kind::kUnstable);
  const Recorded elsewhere = returning(longs({9, 2, 3}));
  EXPECT_EQ(verdict_on(eager, compiled, &elsewhere).kind, Verdict::Kind::kDiverge) << "another element moves";
}

TEST(Tensors, DtypeShapeAndLayout) {
  expect_difference(of(floats({1}), doubles({1})), Mismatch::kDtype, "output");
  expect_difference(of(floats({1, 2}), floats({1, 2}, {1, 2})), Mismatch::kShape, "output");
  expect_difference(of(floats({}, {0}), floats({}, {0, 1})), Mismatch::kShape, "output");
  TensorRecord sparse = floats({1});
  sparse.layout = "sparse_coo";
  expect_difference(of(floats({1}), sparse), Mismatch::kStructure, "output");
}

TEST(Tensors, AShapeThatHangsOnPrecisionIsUnstable) {
  const Recorded eager = returning(longs({1, 2}));
  const Recorded compiled = returning(longs({1}));
  const Recorded third = returning(longs({1, 2, 3}));
  EXPECT_EQ(verdict_on(eager, compiled, &third).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(verdict_on(eager, compiled, &eager).kind, Verdict::Kind::kDiverge);
}

TEST(Tensors, RequiresGradIsStrong) {
  TensorRecord compiled = floats({1});
  compiled.requires_grad = true;
  expect_difference(of(floats({1}), compiled), Mismatch::kRequiresGrad, "output");
}

TEST(Tensors, UnreadableOnOneSideOnly) {
  TensorRecord broken = floats({1});
  broken.unreadable = "RuntimeError: a fake tensor";
  broken.bytes.clear();
  expect_difference(of(floats({1}), broken), Mismatch::kStructure, "output");
  EXPECT_EQ(of(broken, broken).rule, "incomparable");
  broken.device = "meta";
  EXPECT_EQ(of(broken, broken).kind, Verdict::Kind::kAgree) << "there is nothing to compare";
}

TEST(Tensors, MissingRecordsAreNoCrash) {
  Recorded run = returning(floats({1}));
  Recorded other = run;
  other.call().output.index = 7;
  EXPECT_EQ(verdict_on(run, other).kind, Verdict::Kind::kDiverge);
}

TEST(Weak, StridesThatMatterOnly) {
  TensorRecord eager = floats({1, 2, 3, 4}, {2, 2});
  TensorRecord compiled = eager;
  compiled.strides = {1, 2};
  expect_weak(of(eager, compiled), Mismatch::kStrides);
  eager = floats({1, 2}, {1, 2});
  compiled = eager;
  compiled.strides = {77, 1};
  EXPECT_TRUE(of(eager, compiled).weak.empty());
  eager = floats({}, {0, 5});
  compiled = eager;
  compiled.strides = {1, 3};
  EXPECT_TRUE(of(eager, compiled).weak.empty());
}

TEST(Weak, LeafOffsetVersion) {
  TensorRecord compiled = floats({1});
  compiled.is_leaf = false;
  expect_weak(of(floats({1}), compiled), Mismatch::kLeaf);
  compiled = floats({1});
  compiled.offset = 3;
  expect_weak(of(floats({1}), compiled), Mismatch::kOffset);
  compiled = floats({1});
  compiled.version = 5;
  expect_weak(of(floats({1}), compiled), Mismatch::kVersion);
}

TEST(Weak, AliasingAndIdentityAsRelations) {
  const auto pair = [](std::int64_t first_storage, std::int64_t second_storage, std::int64_t second_identity) {
    Recorded run;
    TensorRecord one = floats({1});
    one.identity = 1;
    one.storage = first_storage;
    TensorRecord other = floats({1});
    other.identity = second_identity;
    other.storage = second_storage;
    run.call().output = sequence("tuple", {run.add(one), run.add(other)});
    return run;
  };
  EXPECT_TRUE(verdict_on(pair(5, 5, 2), pair(9, 9, 2)).weak.empty()) << "the numbers themselves mean nothing";
  expect_weak(verdict_on(pair(5, 5, 2), pair(5, 6, 2)), Mismatch::kAliasing);
  expect_weak(verdict_on(pair(5, 6, 2), pair(5, 5, 2)), Mismatch::kAliasing);
  expect_weak(verdict_on(pair(5, 5, 1), pair(5, 5, 2)), Mismatch::kIdentity);
}

TEST(Text, ExactUnlessItHangsOnPrecision) {
  expect_difference(of(text("2.67"), text("2.68"), text("2.67")), Mismatch::kValue, "output");
  EXPECT_EQ(of(text("sum 1.2346"), text("sum 1.2347"), text("sum 1.234612345")).rule, "float64");
  EXPECT_EQ(of(text("n 3"), text("n 4"), text("n 5")).kind, Verdict::Kind::kUnstable);
  expect_difference(of(text("n 3 sum 1.5"), text("n 4 sum 1.5"), text("n 3 sum 1.51")), Mismatch::kValue, "output");
  expect_difference(of(text("torch.float32 1.5"), text("torch.float16 1.5"), text("torch.float64 1.5001")),
                    Mismatch::kValue, "output");
  expect_difference(of(text("a"), text("b")), Mismatch::kValue, "output");
  // In a run whose default dtype is float64 torch doesn't write it.
  const Value printed = text("tensor([2.5000], dtype=torch.float64)");
  expect_difference(of(printed, text(""), text("tensor([2.5000])")), Mismatch::kValue, "output");
  expect_difference(of(printed, text("tensor([2.6000], dtype=torch.float64)"), text("tensor([2.5000])")),
                    Mismatch::kValue, "output");
  expect_difference(of(printed, text("tensor([2.5000])"), text("tensor([2.5000])")), Mismatch::kValue, "output");
  EXPECT_EQ(of(text("tensor([2.6660],\n       dtype=torch.float16)"), text("tensor([2.6660], dtype=torch.float16)"),
               text("tensor([2.6667])"))
                .kind,
            Verdict::Kind::kDiverge)
      << "a line break is no rounding";
  const Value half = text("tensor([11.1094], dtype=torch.float16)");
  expect_difference(of(half, text("tensor([13.1094], dtype=torch.float16)"), text("tensor([11.1100])")),
                    Mismatch::kValue, "output");
  expect_difference(of(half, text("tensor([11.1100])"), text("tensor([11.1100])")), Mismatch::kValue, "output");
  EXPECT_EQ(of(half, text("tensor([11.1250], dtype=torch.float16)"), text("tensor([11.1100])")).kind,
            Verdict::Kind::kUnstable);
  EXPECT_EQ(of(text("tensor([2.6671], dtype=torch.float16)"), text("tensor([2.6672], dtype=torch.float16)"),
               text("tensor([2.6673])"))
                .rule,
            "float64");
}

TEST(Text, OfANumberWithoutARightDigitIsComparedElsewhere) {
  const Value eager = text("mean -1.2e-03 of 50");
  const Value moved = text("mean 5.0e-04 of 50");
  EXPECT_EQ(of(eager, text("mean 3.1e-03 of 50"), moved).kind, Verdict::Kind::kUnstable);
  expect_difference(of(eager, text("mean 3.1e-03 of 51"), moved), Mismatch::kValue, "output");
  expect_difference(of(eager, text("mean 5.0e-01 of 50"), moved), Mismatch::kValue, "output");
  expect_difference(of(eager, text("mean nan of 50"), moved), Mismatch::kValue, "output");
  expect_difference(of(eager, text("mean  -1.2e-03 of 50"), moved), Mismatch::kValue, "output");
  EXPECT_EQ(of(text("[ 1.5000,  0.0002]"), text("[ 1.5000, -0.0001]"), text("[1.5000, 0.0003]")).kind,
            Verdict::Kind::kUnstable)
      << "columns are as wide as the widest number";
}

TEST(Text, NumbersAreHeldToTheirOwnSize) {
  const auto judged = [](const char* eager, const char* compiled, const char* control, bool halves = false) {
    return compare_text(eager, compiled, {control}, true, halves);
  };
  EXPECT_EQ(judged("loss 3.3e-08", "loss 0.0", "loss 3.3000001e-08"), TextJudgement::kWrong);
  EXPECT_EQ(judged("loss -3.3e-06", "loss 3.3e-06", "loss -3.3000001e-06"), TextJudgement::kWrong) << "a lost sign";
  EXPECT_EQ(judged("rest 3.3e-08", "rest 0.0", "rest 1e-17"), TextJudgement::kRounding) << "eager has no right digit";
  EXPECT_EQ(judged("loss 1.2345678", "loss 1.2345681", "loss 1.23456779"), TextJudgement::kRounding);
  EXPECT_EQ(judged("loss 1.2345678", "loss 1.2445678", "loss 1.23456779"), TextJudgement::kWrong)
      << "eight in a thousand";
  EXPECT_EQ(judged("loss 1.2345678", "loss 1.2445678", "loss 1.23456779", true), TextJudgement::kUnstable);
}

TEST(Text, LinesOfATensorBreakWhereItsNumbersAreWide) {
  const std::string eager = "tensor([ 1.5e-08,\n         0.0])";
  EXPECT_EQ(compare_text(eager, "tensor([0.0, 0.0])", {"tensor([3.0e-08, 1.0e-08])"}, false), TextJudgement::kRounding);
  EXPECT_EQ(compare_text("loss\n1.5 2.5", "loss 1.5 2.6", {"loss\n1.5 2.7"}, false), TextJudgement::kWrong);
}

TEST(Text, AHexNameIsAWord) {
  EXPECT_EQ(compare_text("run 833ae7 of 8", "run b11ce0 of 9", {"run c0ffee of 8"}, false), TextJudgement::kWrong);
  EXPECT_EQ(compare_text("mean 1.5e-08", "mean none", {"mean 3.0e-08"}, false), TextJudgement::kWrong);
  EXPECT_EQ(compare_text("at 3e9ab1", "at 4e9ab1", {"at 5e9ab1"}, false), TextJudgement::kUnstable);
}

TEST(Text, ScalarsOfNumpyAreWrittenAsArrays) {
  const auto common = [](const char* text) { return with_scalars_as_arrays(text); };
  EXPECT_EQ(common("{'a': np.float64(0.3333333333333333)}"), common("{'a': array(0.33333333)}"));
  EXPECT_EQ(common("np.float64(0.00012345678)"), common("array(0.00012346)"));
  EXPECT_EQ(common("np.float64(1764554401.0)"), common("array(1.7645544e+09)"));
  EXPECT_EQ(common("np.float32(inf)"), common("array(inf, dtype=float32)"));
  EXPECT_EQ(common("[np.True_, np.int64(-3)]"), common("[array(True), array(-3)]"));
  EXPECT_NE(common("np.float64(16777217.0)"), common("array(16777216.)"));
  EXPECT_NE(common("np.int32(3)"), common("array(3)")) << "of another type";
  EXPECT_NE(common("np.float64(0.25)"), common("array([0.25])")) << "of another shape";
  EXPECT_NE(common("np.float64(0.25)"), common("array(0.2501)"));
  for (const char* text : {"np.datetime64('2026')", "np.time(1.5)", "myarray(1.5)", "x.np.float64(1.5)"})
    EXPECT_EQ(common(text), text);
}

TEST(Text, NamesOfTheCompilersOwn) {
  EXPECT_EQ(with_common_names("in torch_dynamo_resume_in_program_at_10 at 3"), "in program at 3");
  EXPECT_EQ(with_common_names("grad_fn=<MulBackward0>"), "grad_fn=<Backward>");
  EXPECT_EQ(with_common_names("(2.,\n       grad_fn=<MulBackward0>)\n  2"), "(2., grad_fn=<Backward>)\n  2");
  EXPECT_EQ(with_common_names("(2.,\n       dtype=torch.half, grad_fn=<A>)"),
            "(2.,\n       dtype=torch.half, grad_fn=<A>)");
  EXPECT_EQ(with_common_names("first\ngrad_fn=<MulBackward0>"), "first\ngrad_fn=<Backward>");
}

TEST(Text, EachWordMayBeMovedByAnotherRun) {
  const std::string eager = "1 of 5, 2 of 6";
  const std::string compiled = "3 of 5, 4 of 6";
  EXPECT_EQ(compare_text(eager, compiled, {"3 of 5, 2 of 6", "1 of 5, 4 of 6"}, false), TextJudgement::kUnstable);
  EXPECT_EQ(compare_text(eager, compiled, {"3 of 5, 2 of 6", eager}, false), TextJudgement::kWrong);
}

TEST(Text, Splits) {
  const auto words = split_text("v12 = -1.5e-3*x[3]");
  EXPECT_EQ(words, (std::vector<std::string_view>{"v12", " ", "=", " ", "-", "1.5e-3", "*", "x", "[", "3", "]"}));
  EXPECT_TRUE(split_text("").empty());
}

TEST(Text, WordsThatOtherChoicesMoveAreFree) {
  EXPECT_EQ(without_free_words("0.1 s, 37.5 percent", "4.2 s, 37.5 percent", {"2.1 s, 37.5 percent"}),
            "0.1 s, 37.5 percent");
  EXPECT_EQ(without_free_words("0.1 s, 37.5 percent", "4.2 s, 37.9 percent", {"2.1 s, 37.5 percent"}),
            "0.1 s, 37.9 percent");
  EXPECT_EQ(without_free_words("0.1 s, at 3", "4.2 s, at 5", {"0.1 s, at 4", "2.1 s, at 3"}), "0.1 s, at 3")
      << "each run may move another word";
  EXPECT_EQ(without_free_words("[0.0, 1.0] 3", "[-0.0, 1.0] 4", {"[-0.0, 1.0] 3"}), "[0.0, 1.0] 4");
  EXPECT_EQ(without_free_words("first of 2", "second of 2", {"none"}), std::nullopt);
  EXPECT_EQ(without_free_words("at 3\nend", "at 4", {"at 5\nend"}), "at 4") << "a lost line";
}

TEST(Text, ShortensAtWholeCharacters) {
  EXPECT_EQ(shorten("ab\ncd"), "ab\\ncd");
  EXPECT_EQ(shorten("aéb", 2), "a…");
}

// A key that is rounded says nothing of what stands beside it.
TEST(Values, ItemsWithRoundedKeysAreComparedByTheirPlaces) {
  const auto keyed = [](const std::string& key, float item) {
    Recorded run;
    const Value tensor = run.add(floats({item}));
    run.call().output = mapping({{key, tensor}});
    return run;
  };
  const Answers moved = {{"monte_carlo_1", keyed("0.1000002", 2)}, {"monte_carlo_2", keyed("0.1000003", 2)}};
  const auto judged = [&](float other, const char* key = "0.1000001", const Answers& answers = {}) {
    return verdict_on(keyed("0.1", 2), keyed(key, other), nullptr, answers);
  };
  EXPECT_EQ(judged(2, "0.1000001", moved).kind, Verdict::Kind::kUnstable);
  EXPECT_EQ(judged(7, "0.1000001", moved).kind, Verdict::Kind::kDiverge);
  EXPECT_EQ(judged(2, "0.2").kind, Verdict::Kind::kDiverge);
}

}  // namespace
}  // namespace jp::oracle::test
